// SPDX-License-Identifier: Apache-2.0
/** The parts of an unpacked snapshot, each taken in and checked as a store of its own: one of a collection in one piece, one for each shard of another. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { shardMember } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import type { Log } from '../model/log.ts';
import type { ExpectedPart } from '../model/shards.ts';
import { importSnapshot } from './import-snapshot.ts';
import { type ArchiveManifest, DATA, unpackSnapshot } from './snapshot-archive.ts';

/** The members of an archive, in a directory. */
export type UnpackedSnapshot = { readonly directory: string; readonly manifest: ArchiveManifest; readonly signal: AbortSignal };

export type ImportPartsOptions = {
  readonly checkRoom: (bytes: number) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
};

/** @returns the directories of the stores, within that of the archive */
export async function importParts(unpacked: UnpackedSnapshot, options: ImportPartsOptions): Promise<readonly string[]> {
  const { directory, manifest, signal } = unpacked;
  if (manifest.format === 'sextant-collection-snapshot') return [await importPart({ directory, part: 'whole', signal }, options)];
  const { collection, members } = manifest;
  const stores: string[] = [];
  for (const index of members.keys()) {
    const archive = join(directory, shardMember(index));
    const inside = join(directory, `shard-${index}`);
    await mkdir(inside);
    const { format } = await unpackSnapshot(archive, inside, options.checkRoom);
    await rm(archive);
    // What such an archive holds, no shard has: it has no data then, which the import says.
    const part = { shard: { collection, index, count: format === 'sextant-collection-snapshot' ? members.length : 0 } };
    stores.push(await importPart({ directory: inside, part, signal }, options));
  }
  return stores;
}

type PartToImport = { readonly directory: string; readonly part: ExpectedPart; readonly signal: AbortSignal };

async function importPart({ directory, part, signal }: PartToImport, { clock, log }: ImportPartsOptions): Promise<string> {
  const store = join(directory, 'store');
  await mkdir(store);
  await importSnapshot({ file: join(directory, DATA), directory: store, part }, { clock, log, signal });
  await rm(join(directory, DATA));
  return store;
}
