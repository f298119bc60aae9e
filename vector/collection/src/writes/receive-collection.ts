// SPDX-License-Identifier: Apache-2.0
/** Takes in a collection that was not written here, and puts it in the place of the one of its name. */
import { ServiceError } from '@sextant/contracts-vector';
import type { CatalogParts, LiveEntry } from './catalog-entry.ts';
import type { CatalogOptions, ReceivedCollection } from './catalog-options.ts';
import type { CollectionWriter } from './collection-writer.ts';
import type { RegistryEntry } from './collections-registry.ts';
import type { OpenCollections } from './open-collections.ts';
import { openStorage } from './open-storage.ts';
import { bytesToLoad } from './space-loader.ts';

export type ReceivingOptions = CatalogParts &
  Pick<CatalogOptions, 'listener' | 'log' | 'rowsPerShard'> & { readonly open: OpenCollections };

/** @param fill writes storage and saved graphs into an empty directory */
export async function receiveCollection(
  name: string,
  fill: (directory: string) => Promise<void>,
  options: ReceivingOptions,
): Promise<ReceivedCollection> {
  const { entries, listener, open, registry } = options;
  // The one that it replaces is closed soon after; a place is kept for the time between.
  const place = entries.get(name)?.kind === 'live' ? undefined : await open.place({ name, bytes: 0 });
  const registered = registry.newEntry(name);
  let writer: CollectionWriter;
  try {
    await fill(registry.path(registered));
    writer = await openReceived(registered, options);
  } catch (error) {
    registry.removeFiles(registered);
    place?.[Symbol.dispose]();
    throw error;
  }
  return {
    writer,
    serve: async () => {
      using _place = place;
      await replace(name, { kind: 'live', registered, writer }, options);
      listener.written(name);
      writer.resume();
    },
    discard: async () => {
      using _place = place;
      await writer.close();
      registry.removeFiles(registered);
    },
  };
}

/** Where there is no memory for it, nothing of it is loaded. */
async function openReceived(
  registered: RegistryEntry,
  { budget, entries, log, makeWriter, open, registry, rowsPerShard }: ReceivingOptions,
): Promise<CollectionWriter> {
  const { name } = registered;
  const directory = registry.path(registered);
  const storage = openStorage(directory);
  try {
    const bytes = bytesToLoad({ directory, storage, log, rowsPerShard });
    await open.makeRoom(bytes);
    const kind = entries.get(name)?.kind;
    if (kind === 'creating' || kind === 'deleting') throw new ServiceError('collection_deleted');
    if (!budget.allows(bytes)) throw new ServiceError('memory_exhausted', { collection: name, limit: budget.limit });
    return makeWriter(registered, storage);
  } catch (error) {
    storage.close();
    throw error;
  }
}

async function replace(name: string, entry: LiveEntry, { entries, listener, open, registry }: ReceivingOptions): Promise<void> {
  await open.settled(name);
  const former = entries.get(name);
  registry.syncFiles(entry.registered);
  registry.add(entry.registered);
  entries.set(name, entry);
  const { handle } = entry.writer;
  await listener.event(former === undefined ? { kind: 'opened', handle } : { kind: 'restored', handle });
  if (former?.kind === 'live') await former.writer.close();
  if (former !== undefined && 'registered' in former) registry.removeFiles(former.registered);
}
