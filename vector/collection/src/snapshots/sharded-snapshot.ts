// SPDX-License-Identifier: Apache-2.0
/** The snapshot of a collection in shards: an archive of snapshots of the shards, each of its own moment, which come one after the other from where they are. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type ShardedSnapshotManifest, type SnapshotDescription, shardMember } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import { type ArchiveMember, packArchive } from './snapshot-archive.ts';
import { descriptionOf, type SnapshotFolder } from './snapshot-folder.ts';
import type { PackedCollection } from './snapshots.ts';

export type ShardedSnapshotOptions = {
  readonly collection: string;
  /** How many shards there are. */
  readonly count: number;
  /** Gets the snapshot of a shard by its number, in a draft that is disposed of here. */
  readonly pack: (index: number) => Promise<PackedCollection>;
  readonly folder: SnapshotFolder;
  readonly clock: Clock;
  /** Ends it. */
  readonly signal: AbortSignal;
};

export async function createShardedSnapshot(options: ShardedSnapshotOptions): Promise<SnapshotDescription> {
  const { collection, folder, clock, signal } = options;
  await using draft = folder.openDraft();
  const file = join(draft.directory, 'snapshot.tar');
  const { sha256 } = await packArchive(file, shardsOf(options), {
    mtime: new Date(clock.nowMs()),
    signal,
    manifest: (members): ShardedSnapshotManifest => ({ format: 'sextant-sharded-snapshot', version: 1, collection, members: [...members] }),
  });
  return descriptionOf(await folder.publish({ kind: 'collection', name: collection }, { file, checksum: sha256 }));
}

async function* shardsOf({ count, pack, folder, signal }: ShardedSnapshotOptions): AsyncGenerator<ArchiveMember> {
  for (let index = 0; index < count; index++) {
    signal.throwIfAborted();
    const { draft, file, bytes } = await pack(index);
    await using _ = draft;
    await folder.checkRoom(bytes);
    const opened = await open(file, 'r');
    try {
      yield { name: shardMember(index), file: opened, bytes };
    } finally {
      await opened.close();
    }
  }
}
