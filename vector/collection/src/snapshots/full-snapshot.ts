// SPDX-License-Identifier: Apache-2.0
/** The snapshot of the whole storage: one archive with a snapshot of each collection, and a manifest that says which is whose. */
import { join } from 'node:path';
import type { SnapshotDescription } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import type { Catalog } from '../writes/catalog.ts';
import { asMember, type PackedCollection } from './packed-collection.ts';
import { type ArchiveMember, packArchive } from './snapshot-archive.ts';
import { descriptionOf, type SnapshotFolder, STORAGE } from './snapshot-folder.ts';

export type FullSnapshotOptions = {
  readonly catalog: Pick<Catalog, 'names' | 'aliases' | 'recoveries'>;
  /** Gets the snapshot of a collection, in a draft that is disposed of here. */
  readonly pack: (collection: string) => Promise<PackedCollection>;
  readonly folder: SnapshotFolder;
  readonly clock: Clock;
  /** Ends it. */
  readonly signal: AbortSignal;
};

export async function createFullSnapshot(options: FullSnapshotOptions): Promise<SnapshotDescription> {
  const { catalog, folder, clock, signal } = options;
  await using draft = folder.openDraft();
  const file = join(draft.directory, 'storage.tar');
  const names = new Map<string, string>();
  const aliases = catalog.aliases();
  const { sha256 } = await packArchive(file, membersOf(options, names), {
    mtime: new Date(clock.nowMs()),
    signal,
    manifest: (members) => ({
      format: 'sextant-storage-snapshot',
      version: 1,
      collections: members.map((member) => ({ ...member, collection: names.get(member.name) })),
      aliases,
    }),
  });
  return descriptionOf(await folder.publish(STORAGE, { file, checksum: sha256 }));
}

/** Each is written when the one before is packed, and goes when it is. A collection that is deleted meanwhile is left out. */
async function* membersOf(
  { catalog, folder, pack, signal }: FullSnapshotOptions,
  names: Map<string, string>,
): AsyncGenerator<ArchiveMember> {
  for (const collection of catalog.names()) {
    signal.throwIfAborted();
    catalog.recoveries.requireWhole(collection);
    const packed = await pack(collection).catch((error: unknown) => {
      if (catalog.names().includes(collection)) throw error;
      return undefined;
    });
    if (packed === undefined) continue;
    const name = `${String(names.size + 1).padStart(6, '0')}.snapshot`;
    names.set(name, collection);
    yield* asMember(name, packed, folder);
  }
}
