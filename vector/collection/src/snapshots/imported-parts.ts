// SPDX-License-Identifier: Apache-2.0
/** The parts of an unpacked snapshot, each taken in and checked as a store of its own: one of a collection in one piece, one for each shard of another. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFINITION_MEMBER, type ShardKey, type SnapshotKey, shardMember } from '@sextant/contracts-vector';
import { assert, type Clock } from '@sextant/foundation-std';
import type { Log } from '../model/log.ts';
import type { ExpectedPart, ShardPlace } from '../model/shards.ts';
import type { ImportSnapshot } from './import-snapshot.ts';
import { type ArchiveManifest, DATA, unpackSnapshot } from './snapshot-archive.ts';

/** The members of an archive, in a directory. */
export type UnpackedSnapshot = { readonly directory: string; readonly manifest: ArchiveManifest; readonly signal: AbortSignal };

export type ImportPartsOptions = {
  readonly checkRoom: (bytes: number) => Promise<void>;
  readonly importSnapshot: ImportSnapshot;
  readonly clock: Clock;
  readonly log: Log;
};

/** Checked stores, each in a directory within that of the archive. */
export type ImportedSnapshot = {
  /** Says what the collection is. */
  readonly definition: string;
  /** Those that divide its points, if any do. */
  readonly keys: readonly SnapshotKey[];
  /** They hold different points. */
  readonly parts: readonly ImportedPart[];
};

/** The points of a part are under its key, if it has one. */
type ImportedPart = { readonly directory: string; readonly shardKey: ShardKey | undefined };

export async function importParts(unpacked: UnpackedSnapshot, options: ImportPartsOptions): Promise<ImportedSnapshot> {
  const { directory, manifest, signal } = unpacked;
  if (manifest.format === 'sextant-collection-snapshot') {
    const store = await importPart({ directory, part: 'whole', signal }, options);
    return { definition: store, keys: [], parts: [{ directory: store, shardKey: undefined }] };
  }
  const keys = manifest.format === 'sextant-keyed-snapshot' ? manifest.keys : [];
  const ofKeys =
    manifest.format === 'sextant-keyed-snapshot' ? await importMember(DEFINITION_MEMBER, 'definition', unpacked, options) : undefined;
  const parts: ImportedPart[] = [];
  for (const [number, place] of placesOf(manifest).entries()) {
    parts.push({ directory: await importMember(shardMember(number), { shard: place }, unpacked, options), shardKey: place.key });
  }
  // Every shard of a collection without keys says the same of it.
  const definition = ofKeys ?? parts[0]?.directory;
  assert(definition !== undefined, 'an archive of shards has one');
  return { definition, keys, parts };
}

/** What each shard is by its number in the archive. */
function placesOf(manifest: Exclude<ArchiveManifest, { readonly format: 'sextant-collection-snapshot' }>): readonly ShardPlace[] {
  const { collection, members } = manifest;
  if (manifest.format === 'sextant-sharded-snapshot') return members.map((_, index) => ({ collection, index, count: members.length }));
  return manifest.keys.flatMap(({ key, shards }) =>
    Array.from({ length: shards }, (_, index) => ({ collection, index, count: shards, key })),
  );
}

/** A member that is a snapshot itself. */
async function importMember(
  member: string,
  part: ExpectedPart,
  { directory, signal }: UnpackedSnapshot,
  options: ImportPartsOptions,
): Promise<string> {
  const archive = join(directory, member);
  const inside = join(directory, `${member}.d`);
  await mkdir(inside);
  // An archive of shards again has no data, which the import says.
  await unpackSnapshot(archive, inside, options.checkRoom);
  await rm(archive);
  return importPart({ directory: inside, part, signal }, options);
}

type PartToImport = { readonly directory: string; readonly part: ExpectedPart; readonly signal: AbortSignal };

async function importPart({ directory, part, signal }: PartToImport, { clock, log, importSnapshot }: ImportPartsOptions): Promise<string> {
  const store = join(directory, 'store');
  await mkdir(store);
  await importSnapshot({ file: join(directory, DATA), directory: store, part }, { clock, log, signal });
  await rm(join(directory, DATA));
  return store;
}
