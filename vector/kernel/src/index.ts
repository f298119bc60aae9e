export {
  GraphDamagedError,
  type Metric,
  type Neighbours,
  SpaceFullError,
  type SpaceIndexer,
  type SpaceLoader,
  type SpaceReader,
  type SpaceWriter,
  type VectorSpaceHandle,
  type VectorSpaceOptions,
} from './vector-space.ts';
