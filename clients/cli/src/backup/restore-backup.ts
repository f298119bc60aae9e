// SPDX-License-Identifier: Apache-2.0
/** Restores what a backup has: collections into a running vector service, the data of the observability service into its data directory. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DataDirectoryInUseError, DataDirectoryUnusableError, lockDataDirectory } from '@sextant/foundation-service';
import type { VectorClient } from '@sextant/sdk';
import type { ServiceAddress } from '../connection/settings.ts';
import { CommandFailure } from '../failure.ts';
import { type BackupSet, fetchFile } from './backup-set.ts';
import { isFile, METADATA, removeMetadataLog, rowsOf } from './observability-files.ts';
import { uploadSnapshot } from './snapshot-files.ts';

export type Restoration = {
  readonly set: BackupSet;
  readonly key: Buffer | undefined;
  /** Whether collections and metadata that are there are replaced. */
  readonly isReplacing: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string) => void;
};

export type RestoredCollection = { readonly name: string; readonly points: number };

/** All collections or the named ones, one after the other; each is replaced once the service has checked all of it. */
export async function restoreCollections(
  { set, key, isReplacing, signal, onProgress }: Restoration,
  {
    client,
    address,
    only,
  }: { readonly client: VectorClient; readonly address: ServiceAddress; readonly only: readonly string[] | undefined },
): Promise<readonly RestoredCollection[]> {
  const { collections, aliases } = set.manifest;
  const missing = only?.find((name) => !collections.some((each) => each.name === name));
  if (missing !== undefined) throw new CommandFailure('not_found', `the backup ${set.name} has no collection ${missing}`);
  const chosen = collections.filter(({ name }) => only?.includes(name) ?? true);
  for (const { name } of isReplacing ? [] : chosen) {
    if (!(await client.collectionExists(name, { signal }))) continue;
    throw new CommandFailure('usage', `this would replace the collection ${name}`, {
      advice: 'Pass --yes to replace it. Nothing was changed.',
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'sextant-restore-'));
  const restored: RestoredCollection[] = [];
  try {
    for (const collection of chosen) {
      const { name } = collection;
      onProgress(name);
      const file = join(folder, 'restored.snapshot');
      await fetchFile(set, collection, file, { key, signal });
      await uploadSnapshot(file, { address, collection: name, signal });
      restored.push({ name, points: (await client.collection(name).info({ signal })).points_count });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const wanted = aliases.filter(({ collection_name }) => chosen.some(({ name }) => name === collection_name));
  if (wanted.length > 0) {
    const actions = wanted.map(({ alias_name, collection_name }) => ({ create_alias: { alias_name, collection_name } }));
    await client.call('update_aliases', { body: { actions } }, { signal });
  }
  return restored;
}

/** Into a data directory whose service does not run. */
export async function restoreObservability({ set, key, isReplacing, signal, onProgress }: Restoration, directory: string): Promise<number> {
  const { observability } = set.manifest;
  if (observability === null) throw new CommandFailure('not_found', `the backup ${set.name} has no data of the observability service`);
  using _lock = lockedDirectory(directory);
  if (!isReplacing && (await isFile(join(directory, METADATA)))) {
    throw new CommandFailure('usage', `this would replace the metadata in ${directory}`, {
      advice: 'Pass --yes to replace it. Nothing was changed.',
    });
  }
  const draft = join(directory, 'restored.part');
  await rm(draft, { recursive: true, force: true });
  // All of it is there and sound before anything is replaced.
  for (const stored of observability.files) {
    onProgress(stored.path.join('/'));
    const target = join(draft, ...stored.path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await fetchFile(set, stored, target, { key, signal });
  }
  rowsOf(join(draft, METADATA));
  // The metadata come last: where this ends early, those that were there still are, and it can be begun again.
  const others = observability.files.filter(({ path }) => path.join('/') !== METADATA);
  for (const { path } of others) {
    const target = join(directory, ...path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(join(draft, ...path), target);
  }
  await removeMetadataLog(directory);
  await rename(join(draft, METADATA), join(directory, METADATA));
  await rm(draft, { recursive: true, force: true });
  return observability.files.length;
}

function lockedDirectory(directory: string): Disposable {
  try {
    return lockDataDirectory(directory, '--observability-dir');
  } catch (error) {
    if (error instanceof DataDirectoryInUseError || error instanceof DataDirectoryUnusableError)
      throw new CommandFailure('usage', error.message, { cause: error });
    throw error;
  }
}
