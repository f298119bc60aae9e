// SPDX-License-Identifier: Apache-2.0
/** What any engine must do, for engines of other packages. */
export { describeEngine } from './engine.conformance.ts';
export { describeIds } from './ids.conformance.ts';
export { describeMulti } from './multi.conformance.ts';
export { describeSparse } from './sparse.conformance.ts';
export { describeVectorNames } from './vector-names.conformance.ts';
