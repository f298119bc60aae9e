export { bm25Document, bm25Query } from './bm25/bm25.ts';
export { type EmbeddedEngineOptions, openEmbeddedEngine } from './embedded-engine.ts';
export type {
  Engine,
  EngineReads,
  EngineWrites,
  Hit,
  Maintenance,
  PayloadChange,
  PayloadForm,
  SnapshotReads,
  SnapshotWrites,
} from './engine.ts';
export { maintenance } from './engine-maintenance.ts';
export { engineReads } from './engine-reads.ts';
export { snapshotReads, snapshotWrites } from './engine-snapshots.ts';
export { engineWrites } from './engine-writes.ts';
export { GraphIndexer } from './graph/indexer.ts';
export { GraphLinker } from './graph/linker.ts';
export { type CatalogEvent, type CollectionHandle, isAwaited } from './model/collection-handle.ts';
export { type Log, silentLog } from './model/log.ts';
export { CatalogView } from './reads/catalog-view.ts';
export { writeStream } from './snapshots/snapshot-archive.ts';
export { type Draft, SnapshotFolder } from './snapshots/snapshot-folder.ts';
export { type SnapshotCounts, type SnapshotGauge, Snapshots } from './snapshots/snapshots.ts';
export type { Demand, DemandPart, VectorLength } from './strict-mode/demand.ts';
export { Catalog, type CatalogListener, type CollectionBound } from './writes/catalog.ts';
