export { loadKernel } from './kernel.ts';
export { attachIndexer } from './space-indexer.ts';
export { attachReader } from './space-reader.ts';
export { createVectorSpace } from './space-writer.ts';
export {
  GraphDamagedError,
  type Metric,
  type Neighbours,
  type Quantization,
  SpaceFullError,
  type SpaceIndexer,
  type SpaceLoader,
  type SpaceReader,
  type SpaceWriter,
  type VectorSpaceHandle,
  type VectorSpaceOptions,
} from './vector-space.ts';
