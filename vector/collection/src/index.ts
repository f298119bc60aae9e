export { type CatalogEvent, type CollectionHandle, endsSomething } from './collection-handle.ts';
export { type EmbeddedEngineOptions, openEmbeddedEngine } from './embedded-engine.ts';
export type { Engine, EngineReads, EngineWrites, Hit, PayloadChange, PayloadForm } from './engine.ts';
export { GraphIndexer } from './graph-indexer.ts';
export { type Log, silentLog } from './log.ts';
export { CatalogView } from './reads/catalog-view.ts';
export { engineReads } from './reads/engine-reads.ts';
export { Catalog, type CatalogListener } from './writes/catalog.ts';
export { engineWrites } from './writes/engine-writes.ts';
