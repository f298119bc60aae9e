export { loadKernel } from './kernel.ts';
export { type NumberArray, numberArraysOf } from './number-array.ts';
export { attachIndexer, attachLinker } from './space-indexer.ts';
export { attachReader } from './space-reader.ts';
export { createVectorSpace } from './space-writer.ts';
export {
  GraphDamagedError,
  type Metric,
  type Neighbours,
  type Quantization,
  SpaceFullError,
  type SpaceIndexer,
  type SpaceLinker,
  type SpaceLoader,
  type SpaceReader,
  type SpaceWriter,
  type VectorSpaceHandle,
  type VectorSpaceOptions,
} from './vector-space.ts';
