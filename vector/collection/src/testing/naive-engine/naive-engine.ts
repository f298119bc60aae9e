// SPDX-License-Identifier: Apache-2.0
/**
 * A second engine for the tests, which has no storage, no index and no search to go wrong: points are in a map, filters are interpreted, and
 * every distance is worked out. With the embedded engine it shares what checks and completes requests and what changes a payload. It searches
 * dense vectors; `naive-fields.ts` says which field indexes it has, `naive-filter.ts` which paths.
 */
import { ServiceError } from '@sextant/contracts-vector';
import { configFromRequest, updatedConfig } from '../../model/collection-config.ts';
import type { CoreEngine } from './core-engine.ts';
import { KeptCollection } from './naive-collection.ts';
import { naiveReads } from './naive-reads.ts';
import { naiveWrites } from './naive-writes.ts';

/** @param collections what the engine keeps, by name; one that is opened over the same map goes on with it */
export function openNaiveEngine(collections: Map<string, KeptCollection>): CoreEngine {
  const collectionOf = (name: string) => {
    const collection = collections.get(name);
    if (collection === undefined) throw new ServiceError('collection_not_found', { collection: name });
    return collection;
  };
  return {
    createCollection: async (name, request) => {
      if (collections.has(name)) throw new ServiceError('collection_exists', { collection: name });
      collections.set(name, new KeptCollection(name, configFromRequest(request)));
      return true;
    },
    updateCollection: async (name, request) => {
      const collection = collectionOf(name);
      collection.config = updatedConfig(collection.config, request);
      return true;
    },
    deleteCollection: async (name) => collections.delete(name),
    listCollections: async () => [...collections.keys()].sort(),
    collectionExists: async (name) => collections.has(name),
    ...naiveWrites(collectionOf),
    ...naiveReads(collectionOf),
  };
}
