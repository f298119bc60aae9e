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
import { collectionFigures } from './reads/view/figures.ts';
import { collectionInfo } from './reads/view/info.ts';
import { inputNorms } from './reads/view/input-norms.ts';
import { optimizations } from './reads/view/optimizations.ts';
import { collectionStatus } from './reads/view/status.ts';

export function engineReads(catalog: CatalogView): EngineReads {
  const reads: EngineReads = {
    listCollections: async () => catalog.names(),
    collectionExists: async (collection) => catalog.has(collection),
    collectionInfo: async (collection) => {
      const view = catalog.view(collection);
      return view.read(() => collectionInfo(view));
    },
    collectionFigures: async (collection) => {
      const view = catalog.view(collection);
      return view.read(() => collectionFigures(view));
    },
    collectionStatus: async (collection) => {
      const view = catalog.view(collection);
      return view.read(() => collectionStatus(view));
    },
    inputNorms: async (collection) => {
      const view = catalog.view(collection);
      return view.read(() => inputNorms(view));
    },
    optimizations: async (collection, details) => {
      const view = catalog.view(collection);
      return view.read(() => optimizations(view, details));
    },
    listAliases: async (collection) => {
      const wanted = collection === undefined ? undefined : catalog.view(collection).name;
      const own = [...catalog.aliases].filter(([, target]) => wanted === undefined || target === wanted);
      return own.sort(([one], [other]) => (one < other ? -1 : 1)).map(([alias_name, collection_name]) => ({ alias_name, collection_name }));
    },
    shardKeys: async (collection) => catalog.view(collection).config.shardKeys?.keys.map(({ key }) => key) ?? [],
    retrieve: async (collection, request) => {
      const view = catalog.view(collection);
      return view.read(() => retrieve(view, request));
    },
    scroll: async (collection, request) => {
      const view = catalog.view(collection);
      return view.read(() => scroll(view, request));
    },
    count: async (collection, request) => {
      const view = catalog.view(collection);
      return view.read(() => count(view, request));
    },
    facet: async (collection, request) => {
      const view = catalog.view(collection);
      return view.read(() => facet(view, request));
    },
    nearest: async (collection, request) => {
      const view = catalog.view(collection);
      return view.hold(() => nearest(view, request));
    },
    weighted: async (collection, request) => {
      const view = catalog.view(collection);
      return view.read(() => weighted(view, request));
    },
    sparseCounts: async (collection, request) => {
      const view = catalog.view(collection);
      return view.read(() => sparseCounts(view, request));
    },
    sample: async (collection, request) => {
      const view = catalog.view(collection);
      return view.read(() => sample(view, request));
    },
    neighboursAmong: async (collection, request) => {
      const view = catalog.view(collection);
      return view.hold(() => neighboursAmong(view, request));
    },
    admit: (collection, demandOf, whole) => {
      const view = catalog.servedView(collection);
      return view && admit(view, demandOf, whole);
    },
    query: (collection, request) => runQuery(reads, collection, request),
    queryGroups: (collection, request) => queryGroups(reads, collection, request),
  };
  return reads;
}
