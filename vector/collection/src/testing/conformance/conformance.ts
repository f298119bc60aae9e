// SPDX-License-Identifier: Apache-2.0
/** What any engine must do, for engines of other packages, and what their tests share with ours. */
export { importHere } from '../import-here.ts';
export { type KeyedEngine, openNaiveKeys } from '../naive-engine/naive-keys.ts';
export { describeEngine } from './engine.conformance.ts';
export { describeIds } from './ids.conformance.ts';
export { describeMulti } from './multi.conformance.ts';
export { describeShardKeys } from './shard-keys.conformance.ts';
export { describeSparse } from './sparse.conformance.ts';
export { describeVectorNames } from './vector-names.conformance.ts';
