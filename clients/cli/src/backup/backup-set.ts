// SPDX-License-Identifier: Apache-2.0
/**
 * A backup is a folder: `manifest.json`, and a file for each collection and each file of the observability service. It is written under another name and
 * renamed once all of it is on the disk, so that what has its name is whole. With a key all files are encrypted, and the manifest carries a keyed hash, so
 * that nobody can exchange what it lists.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fits } from '@sextant/foundation-contract';
import Type from 'typebox';
import { CommandFailure } from '../failure.ts';
import { opened, sealed } from './sealed-bytes.ts';
import { writeWhole } from './snapshot-files.ts';

export const MANIFEST = 'manifest.json';
const DRAFT = '.part';
/** What is left of a backup that was interrupted. */
export const DRAFT_KEPT_MS = 86_400_000;
export const BACKUP_NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

const count = Type.Integer({ minimum: 0 });
const fileSchema = Type.Object({
  /** Within the backup; ours, so that no name of a user becomes a path. */
  file: Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z]+)*$' }),
  bytes: count,
  /** Of the content, before it is encrypted. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
const manifestSchema = Type.Object({
  format: Type.Literal('sextant-backup'),
  version: Type.Literal(1),
  release: Type.String(),
  createdAt: Type.String(),
  isEncrypted: Type.Boolean(),
  collections: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1 }),
      ...fileSchema.properties,
      /** Counted before and after the snapshot was written; writes may come in between. */
      points: Type.Object({ before: count, after: count }),
    }),
  ),
  aliases: Type.Array(Type.Object({ alias_name: Type.String(), collection_name: Type.String() })),
  observability: Type.Union([
    Type.Null(),
    Type.Object({
      /** Where each file belongs in the data directory, in steps without separators. */
      files: Type.Array(
        Type.Object({ path: Type.Array(Type.String({ pattern: '^(?!\\.\\.?$)[^/\\\\\\u0000]+$' })), ...fileSchema.properties }),
      ),
      /** Rows of each table of the metadata. */
      rows: Type.Record(Type.String(), count),
    }),
  ]),
});
export type Manifest = Type.Static<typeof manifestSchema>;
export type BackupFile = Type.Static<typeof fileSchema>;

function isManifest(value: unknown): value is Manifest {
  return fits(manifestSchema, value);
}

export type BackupSet = { readonly name: string; readonly folder: string; readonly manifest: Manifest };

/** Backups have the time of their beginning for a name, in UTC. */
export function backupName(time: Date): string {
  return time.toISOString().replaceAll(/[:.]/g, '-');
}

/** Those that are whole, the oldest first. */
export async function backupNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder).catch((cause: unknown) => {
    throw new CommandFailure('bad_data', `the folder of backups ${folder} cannot be read`, { cause });
  });
  return entries.filter((entry) => BACKUP_NAME.test(entry)).sort();
}

/** @param name of the backup; undefined for the newest */
export async function readBackup(folder: string, name: string | undefined, key: Buffer | undefined): Promise<BackupSet> {
  const chosen = name ?? (await backupNames(folder)).at(-1);
  if (chosen === undefined || !BACKUP_NAME.test(chosen)) {
    const problem = name === undefined ? `there is no backup in ${folder}` : `${name} is not the name of a backup`;
    throw new CommandFailure('not_found', problem, { advice: '`sextant backup sets` lists the existing backups.' });
  }
  const path = join(folder, chosen, MANIFEST);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CommandFailure('not_found', `there is no backup ${chosen} in ${folder}`, { cause });
  });
  const { seal, ...manifest } = objectIn(text, path);
  if (!isManifest(manifest)) throw new CommandFailure('bad_data', `${path} is not the manifest of a backup`);
  if (manifest.isEncrypted && key === undefined)
    throw new CommandFailure('usage', `the backup ${chosen} is encrypted`, { advice: 'Pass its key with --key-file.' });
  // Without this, who can write there could take the encryption away, or exchange files.
  if (!manifest.isEncrypted && key !== undefined)
    throw new CommandFailure('bad_data', `the backup ${chosen} is not encrypted, but a key was given`, {
      advice: 'Leave out --key-file if this is intended.',
    });
  if (key !== undefined && !isSealOf(manifest, seal, key))
    throw new CommandFailure('bad_data', `${path} was changed, or was written with another key`);
  return { name: chosen, folder: join(folder, chosen), manifest };
}

function objectIn(text: string, path: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Said below.
  }
  throw new CommandFailure('bad_data', `${path} is not a JSON object`);
}

function sealOf(manifest: Manifest, key: Buffer): string {
  return createHmac('sha256', key).update('sextant backup manifest').update(JSON.stringify(manifest)).digest('hex');
}

function isSealOf(manifest: Manifest, seal: unknown, key: Buffer): boolean {
  const expected = Buffer.from(sealOf(manifest, key));
  const given = Buffer.from(typeof seal === 'string' ? seal : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The last step of a backup: from here on it has its name. */
export async function publishBackup(draft: string, manifest: Manifest, key: Buffer | undefined): Promise<void> {
  const sealedManifest = key === undefined ? manifest : { ...manifest, seal: sealOf(manifest, key) };
  const file = await open(join(draft, MANIFEST), 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(sealedManifest, null, 1)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(draft);
  await rename(draft, draft.slice(0, -DRAFT.length));
  await syncFolder(dirname(draft));
}

/** Names are on the disk once their folder is; some systems do not sync folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function draftOf(folder: string, name: string): string {
  return join(folder, `${name}${DRAFT}`);
}

/** Writes one file of a backup, encrypted where there is a key, and says what was in it. */
export async function storeFile(
  folder: string,
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  { key, signal }: { readonly key: Buffer | undefined; readonly signal: AbortSignal },
): Promise<BackupFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* () {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await writeWhole(join(folder, file), key === undefined ? counted() : sealed(counted(), key), signal);
  return { file, bytes, sha256: hash.digest('hex') };
}

/** Writes the content of a file of a backup to `target`; throws a `CommandFailure` where it is not what the manifest says. */
export async function fetchFile(
  { folder }: BackupSet,
  { file, bytes, sha256 }: BackupFile,
  target: string,
  { key, signal }: { readonly key: Buffer | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const path = join(folder, file);
  const hash = createHash('sha256');
  let length = 0;
  const stored = createReadStream(path);
  const content = key === undefined ? stored : opened(stored, key, path);
  const counted = async function* () {
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      length += chunk.length;
      yield chunk;
    }
  };
  try {
    await writeWhole(target, counted(), signal);
  } catch (error) {
    if (error instanceof Error && 'path' in error && error.path === path)
      throw new CommandFailure('bad_data', `${path} cannot be read: ${error.message}`, { cause: error });
    throw error;
  }
  if (length !== bytes || hash.digest('hex') !== sha256)
    throw new CommandFailure('bad_data', `${path} was changed after it was written: its checksum differs`);
}

/** Deletes the oldest backups beyond `keep`, and drafts that nobody goes on with; says which backups went. */
export async function removeOld(folder: string, keep: number, nowMs: number): Promise<readonly string[]> {
  const names = await backupNames(folder);
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await rm(join(folder, name), { recursive: true, force: true });
  for (const entry of await readdir(folder)) {
    const isDraft = entry.endsWith(DRAFT) && BACKUP_NAME.test(entry.slice(0, -DRAFT.length));
    if (!isDraft) continue;
    const { mtimeMs } = await stat(join(folder, entry));
    if (nowMs - mtimeMs > DRAFT_KEPT_MS) await rm(join(folder, entry), { recursive: true, force: true });
  }
  return old;
}
