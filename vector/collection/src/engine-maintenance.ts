// SPDX-License-Identifier: Apache-2.0
/** Maintenance of the embedded engine. */
import type { Maintenance } from './engine.ts';
import type { Catalog } from './writes/catalog.ts';
import type { CollectionWriter } from './writes/collection-writer.ts';

/** Of a collection in shards, what this node has of it. */
export function maintenance(catalog: Catalog): Maintenance {
  const onParts = async <Result>(collection: string, run: (writer: CollectionWriter) => Promise<Result>): Promise<readonly Result[]> => {
    const results: Result[] = [];
    for (const part of catalog.partsOf(catalog.nameOf(collection))) results.push(await catalog.use(part, run));
    return results;
  };
  return {
    flush: async (collection) => {
      const [flushed] = await onParts(collection, (writer) => writer.flush());
      return flushed ?? catalog.use(collection, (writer) => writer.flush());
    },
    optimize: async (collection) => {
      await onParts(collection, ({ upkeep }) => upkeep.optimize());
      return true;
    },
    rebuildIndex: async (collection) => {
      await onParts(collection, ({ upkeep }) => upkeep.rebuildIndex());
      return true;
    },
  };
}
