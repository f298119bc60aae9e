// SPDX-License-Identifier: Apache-2.0
/** Puts a collection that has no points yet on disk. */
import { createCollectionStorage, type StorageWriter } from '@sextant/vector-storage';
import type { CollectionConfig } from '../model/collection-config.ts';
import { APPLIED, CONFIG } from '../model/collection-documents.ts';
import { isShardName } from '../model/shards.ts';
import type { LogMark, Recovery } from '../model/write-operation.ts';
import type { CollectionWriter } from './collection-writer.ts';
import type { CollectionsRegistry, RegistryEntry } from './collections-registry.ts';
import { readsAhead } from './open-storage.ts';

export type EmptyCollection = {
  readonly name: string;
  readonly documents: { readonly [name: string]: unknown };
  /** The number that its operations count on from. */
  readonly sequence: number;
  readonly mark: LogMark | undefined;
  readonly recovery?: Recovery | undefined;
};

/** Leaves nothing behind where it fails. */
export function createEmpty(
  registry: CollectionsRegistry,
  { name, documents, sequence, mark, recovery }: EmptyCollection,
  open: (registered: RegistryEntry, storage: StorageWriter) => CollectionWriter,
): { readonly registered: RegistryEntry; readonly writer: CollectionWriter } {
  const registered = registry.newEntry(name);
  let storage: StorageWriter | undefined;
  try {
    const directory = registry.path(registered);
    // Whoever makes a collection gives its configuration.
    const readAhead = readsAhead(documents[CONFIG] as CollectionConfig);
    storage = createCollectionStorage({ directory, readAhead }, { ...documents, ...(mark && { [APPLIED]: mark }) }, sequence);
    const writer = open(registered, storage);
    // A shard is there for the others once the definition is.
    registry.add(registered, { mark: isShardName(name) ? undefined : mark, recovery });
    return { registered, writer };
  } catch (error) {
    storage?.close();
    registry.removeFiles(registered);
    throw error;
  }
}
