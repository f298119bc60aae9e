// SPDX-License-Identifier: Apache-2.0
/** Maintenance of the embedded engine. */
import type { Maintenance } from './engine.ts';
import type { Catalog } from './writes/catalog.ts';

/** Of a collection in shards, what this node has of it. */
export function maintenance(catalog: Catalog): Maintenance {
  const partsOf = (collection: string) => catalog.partsOf(catalog.nameOf(collection)).map((part) => catalog.writer(part));
  return {
    flush: async (collection) => {
      const flushed = await Promise.all(partsOf(collection).map((writer) => writer.flush()));
      return flushed[0] ?? catalog.writer(collection).flush();
    },
    optimize: async (collection) => {
      for (const { upkeep } of partsOf(collection)) await upkeep.optimize();
      return true;
    },
    rebuildIndex: async (collection) => {
      for (const { upkeep } of partsOf(collection)) await upkeep.rebuildIndex();
      return true;
    },
  };
}
