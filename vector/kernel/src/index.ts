// SPDX-License-Identifier: Apache-2.0
export { loadKernel } from './kernel.ts';
export { MaxSim } from './max-sim.ts';
export { type NumberArray, numberArraysOf } from './number-array.ts';
export { ShardedSpaceReader } from './shards/sharded-reader.ts';
export type { ShardedSpaceHandle } from './shards/sharded-space.ts';
export { createShardedSpace, SHARDS_MAX, type ShardedSpaceWriter } from './shards/sharded-writer.ts';
export { attachIndexer, attachLinker } from './space-indexer.ts';
export { attachReader } from './space-reader.ts';
export { createVectorSpace } from './space-writer.ts';
export {
  type Components,
  type Datatype,
  GraphDamagedError,
  type GraphSink,
  type GraphSource,
  type Metric,
  type Neighbours,
  type Originals,
  type Quantization,
  type RescoringOptions,
  SpaceFullError,
  type SpaceIndexer,
  type SpaceLinker,
  type SpaceLoader,
  type SpaceReader,
  type SpaceWriter,
  type VectorSpaceHandle,
  type VectorSpaceOptions,
} from './vector-space.ts';
