// SPDX-License-Identifier: Apache-2.0
/** Writes one backup: all collections of the vector service as snapshots, and the data of the observability service. */
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
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
      collections.push(await storeCollection(request, draft, collection, collections.length));
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
): Promise<Manifest['collections'][number]> {
  const params = { collection_name: collection };
  const pointsNow = async () => (await client.collection(collection).info({ signal })).points_count;
  const before = await pointsNow();
  const snapshot = await client.call('create_snapshot', { params }, { ...PATIENT, signal });
  // The answer is null only where the caller does not wait.
  if (snapshot === null) throw new CommandFailure('failed', 'the service did not say what it has written');
  try {
    const after = await pointsNow();
    const chunks = snapshotBytes(snapshot, { address, collection, signal }, (bytes) => onProgress(collection, bytes));
    const stored = await storeFile(draft, `collection-${index}.snapshot`, chunks, { key, signal });
    return { name: collection, ...stored, points: { before, after } };
  } finally {
    await client.call('delete_snapshot', { params: { ...params, snapshot_name: snapshot.name } }, {});
  }
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
  { key, signal, onProgress }: BackupRequest,
  draft: string,
  directory: string,
): Promise<NonNullable<Manifest['observability']>> {
  const copy = join(draft, 'metadata.copy');
  const rows = await copyMetadata(directory, copy);
  const metadata = await storeFile(draft, METADATA, createReadStream(copy), { key, signal });
  await rm(copy);
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
