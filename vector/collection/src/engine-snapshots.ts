// SPDX-License-Identifier: Apache-2.0
/** The snapshots of the embedded engine: what any thread does with them, and what the writer does. */
import type { SnapshotReads, SnapshotWrites } from './engine.ts';
import type { CatalogView } from './reads/view/catalog-view.ts';
import { type SnapshotFolder, type SnapshotOwner, STORAGE } from './snapshots/snapshot-folder.ts';
import type { Snapshots } from './snapshots/snapshots.ts';

export function snapshotReads(catalog: CatalogView, folder: SnapshotFolder): SnapshotReads {
  return {
    listSnapshots: async (collection) => folder.list(ownerOf(catalog, collection)),
    snapshotFile: async ({ collection, name }) => folder.locate(ownerOf(catalog, collection), name),
  };
}

export function snapshotWrites(catalog: CatalogView, folder: SnapshotFolder, snapshots: Snapshots): SnapshotWrites {
  return {
    createSnapshot: async (collection) => (collection === undefined ? snapshots.createFull() : snapshots.create(collection)),
    deleteSnapshot: async ({ collection, name }) => {
      await folder.remove(ownerOf(catalog, collection), name);
      return true;
    },
    recover: async (collection, source) => snapshots.recover(collection, source),
  };
}

function ownerOf(catalog: CatalogView, collection: string | undefined): SnapshotOwner {
  return collection === undefined ? STORAGE : { kind: 'collection', name: catalog.nameOf(collection) };
}
