// SPDX-License-Identifier: Apache-2.0
/** The snapshot of a collection in shards: an archive of snapshots of the shards, each of its own moment, which come one after the other from where they are. */
import { join } from 'node:path';
import {
  DEFINITION_MEMBER,
  type KeyedSnapshotManifest,
  type ShardedSnapshotManifest,
  type SnapshotDescription,
  type SnapshotKey,
  shardMember,
} from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import { asMember, type PackedCollection, packInDraft } from './packed-collection.ts';
import { type ArchiveMember, packArchive, type WrittenMember } from './snapshot-archive.ts';
import { descriptionOf, type SnapshotFolder } from './snapshot-folder.ts';

export type ShardedSnapshotOptions = {
  readonly collection: string;
  /** How many shards there are. */
  readonly count: number;
  /** The keys that divide the points, where any do: the first shards are those of the first key. */
  readonly keys?: readonly SnapshotKey[] | undefined;
  /** Gets the snapshot of a shard by its place, in a draft that is disposed of here; where there are keys, also that of the collection without points. */
  readonly pack: (part: number | 'definition') => Promise<PackedCollection>;
  readonly folder: SnapshotFolder;
  readonly clock: Clock;
  /** Ends it. */
  readonly signal: AbortSignal;
};

export async function createShardedSnapshot(options: ShardedSnapshotOptions): Promise<SnapshotDescription> {
  const { collection, folder } = options;
  const { draft, file, checksum } = await packShardedSnapshot(options);
  await using _ = draft;
  return descriptionOf(await folder.publish({ kind: 'collection', name: collection }, { file, checksum }));
}

/** In a draft that the caller disposes of. */
export function packShardedSnapshot(options: ShardedSnapshotOptions): Promise<PackedCollection & { readonly checksum: string }> {
  const { folder, clock, signal } = options;
  return packInDraft(folder, async (directory) => {
    const file = join(directory, 'snapshot.tar');
    const { bytes, sha256 } = await packArchive(file, membersOf(options), {
      mtime: new Date(clock.nowMs()),
      signal,
      manifest: (members) => manifestOf(options, [...members]),
    });
    return { file, bytes, checksum: sha256 };
  });
}

function manifestOf(
  { collection, keys }: ShardedSnapshotOptions,
  members: WrittenMember[],
): ShardedSnapshotManifest | KeyedSnapshotManifest {
  if (keys === undefined) return { format: 'sextant-sharded-snapshot', version: 1, collection, members };
  return { format: 'sextant-keyed-snapshot', version: 1, collection, keys: [...keys], members };
}

async function* membersOf(options: ShardedSnapshotOptions): AsyncGenerator<ArchiveMember> {
  // Of a collection without keys each shard says what it is.
  if (options.keys !== undefined) yield* member(DEFINITION_MEMBER, 'definition', options);
  for (let place = 0; place < options.count; place++) yield* member(shardMember(place), place, options);
}

async function* member(name: string, part: number | 'definition', { pack, folder, signal }: ShardedSnapshotOptions) {
  signal.throwIfAborted();
  yield* asMember(name, await pack(part), folder);
}
