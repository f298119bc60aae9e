// SPDX-License-Identifier: Apache-2.0
/** Writes one backup: all collections of the vector service as snapshots, and the data of the observability service. */
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError, type VectorClient } from '@sextant/sdk';
import type { ServiceAddress } from '../connection/settings.ts';
import { CommandFailure } from '../failure.ts';
import { version } from '../version.ts';
import { type BackupSet, backupName, draftOf, type Manifest, publishBackup, storeFile } from './backup-set.ts';
import { copyMetadata, METADATA, otherFiles } from './observability-files.ts';
import { snapshotBytes } from './snapshot-files.ts';

export type BackupRequest = {
  readonly folder: string;
  readonly key: Buffer | undefined;
  readonly client: VectorClient;
  readonly address: ServiceAddress;
  /** The data directory of the observability service; undefined leaves it out. */
  readonly observabilityDirectory: string | undefined;
  readonly time: Date;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, bytes: number) => void;
};

/** A snapshot takes as long as its collection is large. */
const PATIENT = { timeoutMs: 0 };

export async function writeBackup(request: BackupRequest): Promise<BackupSet> {
  const { folder, key, time } = request;
  const name = backupName(time);
  const draft = draftOf(folder, name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await mkdir(draft, { mode: 0o700 });
  } catch (cause) {
    throw new CommandFailure('bad_data', `the folder of backups ${folder} cannot be written`, { cause });
  }
  try {
    const collections: Manifest['collections'] = [];
    for (const collection of await request.client.listCollections({ signal: request.signal })) {
      const stored = await storeCollection(request, draft, collection, collections.length);
      if (stored !== undefined) collections.push(stored);
    }
    const manifest: Manifest = {
      format: 'sextant-backup',
      version: 1,
      release: version,
      createdAt: time.toISOString(),
      isEncrypted: key !== undefined,
      collections,
      aliases: await aliasesOf(request),
      observability:
        request.observabilityDirectory === undefined ? null : await storeObservability(request, draft, request.observabilityDirectory),
    };
    await publishBackup(draft, manifest, key);
    return { name, folder: join(folder, name), manifest };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function storeCollection(
  { client, address, key, signal, onProgress }: BackupRequest,
  draft: string,
  collection: string,
  index: number,
): Promise<Manifest['collections'][number] | undefined> {
  const params = { collection_name: collection };
  const pointsNow = async () => (await client.collection(collection).info({ signal })).points_count;
  const before = await pointsNow().catch(ignoreDeleted);
  const snapshot =
    before === undefined ? undefined : await client.call('create_snapshot', { params }, { ...PATIENT, signal }).catch(ignoreDeleted);
  if (before === undefined || snapshot === undefined) return undefined;
  // The answer is null only where the caller does not wait.
  if (snapshot === null) throw new CommandFailure('failed', 'the service did not name the snapshot that it wrote');
  try {
    const after = (await pointsNow().catch(ignoreDeleted)) ?? before;
    const chunks = snapshotBytes(snapshot, { address, collection, signal }, (bytes) => onProgress(collection, bytes));
    const stored = await storeFile(draft, `collection-${index}.snapshot`, chunks, { key, signal });
    return { name: collection, ...stored, points: { before, after } };
  } finally {
    await client.call('delete_snapshot', { params: { ...params, snapshot_name: snapshot.name } }, {});
  }
}

/** A collection that was deleted since it was listed belongs to no backup. */
function ignoreDeleted(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return;
  throw error;
}

/** None where the service has aliases switched off. */
async function aliasesOf({ client, signal }: BackupRequest): Promise<Manifest['aliases']> {
  try {
    const { aliases } = await client.call('list_aliases', {}, { signal });
    return aliases.map(({ alias_name, collection_name }) => ({ alias_name, collection_name }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 501) return [];
    throw error;
  }
}

async function storeObservability(
  request: BackupRequest,
  draft: string,
  directory: string,
): Promise<NonNullable<Manifest['observability']>> {
  const { key, signal, onProgress } = request;
  const { metadata, rows } = await storeMetadata(request, draft, directory);
  const files = [{ path: [METADATA], ...metadata }];
  for (const [index, path] of (await otherFiles(directory)).entries()) {
    onProgress(path.join('/'), 0);
    files.push({
      path: [...path],
      ...(await storeFile(draft, `file-${index}`, createReadStream(join(directory, ...path)), { key, signal })),
    });
  }
  return { files, rows };
}

/** SQLite writes its copy as it is: on this machine, since the folder of backups may be where only the key makes it safe. */
async function storeMetadata({ key, signal }: BackupRequest, draft: string, directory: string) {
  const scratch = await mkdtemp(join(tmpdir(), 'sextant-backup-'));
  try {
    const copy = join(scratch, METADATA);
    const rows = await copyMetadata(directory, copy);
    return { metadata: await storeFile(draft, METADATA, createReadStream(copy), { key, signal }), rows };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
