// SPDX-License-Identifier: Apache-2.0
/** Maintenance of the embedded engine. */
import type { Maintenance } from './engine.ts';
import type { Catalog } from './writes/catalog.ts';

export function maintenance(catalog: Catalog): Maintenance {
  return {
    flush: async (collection) => catalog.writer(collection).flush(),
    optimize: async (collection) => {
      await catalog.writer(collection).upkeep.optimize();
      return true;
    },
    rebuildIndex: async (collection) => {
      await catalog.writer(collection).upkeep.rebuildIndex();
      return true;
    },
  };
}
