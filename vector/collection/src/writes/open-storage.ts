// SPDX-License-Identifier: Apache-2.0
/** Opens a collection's storage as its vectors will be read. */
import { openCollectionStorage, type StorageWriter } from '@sextant/vector-storage';
import { type CollectionConfig, isOnDisk, vectorsByName } from '../model/collection-config.ts';
import { CONFIG } from '../model/collection-documents.ts';

/**
 * Vectors on disk are read one by one, from all over the file: what the system reads ahead takes the disk's time, and memory from vectors that were asked for.
 * Those that are kept in memory are read one after the other when the collection is opened, and reading ahead is what makes that fast.
 */
export function readsAhead({ params }: CollectionConfig): boolean {
  const all = [...vectorsByName(params.vectors).values()];
  return all.length === 0 || !all.every(isOnDisk);
}

export function openStorage(directory: string): StorageWriter {
  const storage = openCollectionStorage({ directory });
  // The catalog wrote it.
  if (readsAhead(storage.document(CONFIG) as CollectionConfig)) return storage;
  storage.close();
  return openCollectionStorage({ directory, readAhead: false });
}
