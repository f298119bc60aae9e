// SPDX-License-Identifier: Apache-2.0
/** The reads of the embedded engine, on whichever thread has the view. */
import type { EngineReads } from './engine.ts';
import { queryGroups } from './query/query-groups.ts';
import { runQuery } from './query/run-query.ts';
import { nearest } from './reads/nearest.ts';
import { neighboursAmong } from './reads/neighbours-among.ts';
import { count, facet } from './reads/points/count.ts';
import { retrieve } from './reads/points/retrieve.ts';
import { sample } from './reads/points/sample.ts';
import { scroll } from './reads/points/scroll.ts';
import { sparseCounts, weighted } from './reads/sparse/sparse-weights.ts';
import { admit } from './reads/view/admit.ts';
import type { CatalogView } from './reads/view/catalog-view.ts';
import type { CollectionView } from './reads/view/collection-view.ts';
import { collectionFigures } from './reads/view/figures.ts';
import { collectionInfo } from './reads/view/info.ts';
import { inputNorms } from './reads/view/input-norms.ts';
import { optimizations } from './reads/view/optimizations.ts';
import { collectionStatus } from './reads/view/status.ts';

export function engineReads(catalog: CatalogView): EngineReads {
  const read = <Answer>(collection: string, of: (view: CollectionView) => Promise<Answer> | Answer) =>
    catalog.use(collection, (view) => view.read(() => of(view)));
  const reads: EngineReads = {
    listCollections: async () => catalog.names(),
    collectionExists: async (collection) => catalog.has(collection),
    collectionInfo: async (collection) => catalog.closed(collection)?.info ?? read(collection, collectionInfo),
    collectionFigures: async (collection) => catalog.closed(collection)?.figures ?? read(collection, collectionFigures),
    collectionStatus: async (collection) => catalog.closed(collection)?.status ?? read(collection, collectionStatus),
    inputNorms: async (collection) => catalog.closed(collection)?.inputNorms ?? read(collection, inputNorms),
    optimizations: async (collection, details) => catalog.use(collection, (view) => view.read(() => optimizations(view, details))),
    listAliases: async (collection) => {
      const wanted = collection === undefined ? undefined : catalog.nameOf(collection);
      const own = [...catalog.aliases].filter(([, target]) => wanted === undefined || target === wanted);
      return own.sort(([one], [other]) => (one < other ? -1 : 1)).map(([alias_name, collection_name]) => ({ alias_name, collection_name }));
    },
    shardKeys: async (collection) =>
      (catalog.closed(collection)?.config ?? catalog.view(collection).config).shardKeys?.keys.map(({ key }) => key) ?? [],
    retrieve: async (collection, request) => catalog.use(collection, (view) => view.read(() => retrieve(view, request))),
    scroll: async (collection, request) => catalog.use(collection, (view) => view.read(() => scroll(view, request))),
    count: async (collection, request) => catalog.use(collection, (view) => view.read(() => count(view, request))),
    facet: async (collection, request) => catalog.use(collection, (view) => view.read(() => facet(view, request))),
    nearest: async (collection, request) => catalog.use(collection, (view) => view.hold(() => nearest(view, request))),
    weighted: async (collection, request) => catalog.use(collection, (view) => view.read(() => weighted(view, request))),
    sparseCounts: async (collection, request) => catalog.use(collection, (view) => view.read(() => sparseCounts(view, request))),
    sample: async (collection, request) => catalog.use(collection, (view) => view.read(() => sample(view, request))),
    neighboursAmong: async (collection, request) => catalog.use(collection, (view) => view.hold(() => neighboursAmong(view, request))),
    admit: (collection, demandOf, whole) => {
      const view = catalog.servedView(collection);
      if (view !== undefined) return admit(view, demandOf, whole);
      if (catalog.closed(collection)?.config.strict_mode_config?.enabled !== true) return undefined;
      return catalog.use(collection, async (opened) => admit(opened, demandOf, whole));
    },
    query: (collection, request) => runQuery(reads, collection, request),
    queryGroups: (collection, request) => queryGroups(reads, collection, request),
  };
  return reads;
}
