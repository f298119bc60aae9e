// SPDX-License-Identifier: Apache-2.0
/**
 * Uploads in a folder, as `<area>/<owner>/<id>`. Bytes stream into `<area>/.incoming`, reach the disk, and only then get their name, so that a crash leaves
 * nothing behind but incoming files, which are removed later. Processes on different machines may share an area over a network file system.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openLocalFile } from '../files/local-file.ts';
import {
  isUploadId,
  type ListedUpload,
  measuredBody,
  newUploadId,
  requireOwner,
  shownName,
  type UploadArea,
  UploadError,
} from './upload-area.ts';

const INCOMING = '.incoming';
const IDENTITY = '.area';

/** Opens the area, and creates it where it is missing. */
export async function openFolderArea(directory: string): Promise<UploadArea> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const area = await realpath(directory);
  const incoming = join(area, INCOMING);
  await mkdir(incoming, { recursive: true, mode: 0o700 });

  const identityPath = join(area, IDENTITY);
  const directoryOf = (owner: string) => join(area, requireOwner(owner));
  const openFile = async (owner: string, id: string) => ({ ...(await openLocalFile(directoryOf(owner), id)), name: shownName(id) });
  return {
    look: openFile,
    open: openFile,
    receive: async (owner, body, { name, bytesMax, signal }) => {
      const id = newUploadId(name);
      const target = join(directoryOf(owner), id);
      const temporary = join(incoming, id);
      try {
        const written = await writeDurably(temporary, body, bytesMax, signal);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await rename(temporary, target);
        await syncDirectory(dirname(target));
        await syncDirectory(area);
        return { id, ...written };
      } catch (error) {
        await rm(temporary, { force: true });
        if (isNoSpace(error)) throw new UploadError('no_space', 'there is no space left for uploads', { cause: error });
        throw error;
      }
    },
    remove: async (owner, id) => {
      if (!isUploadId(id)) return;
      await rm(join(directoryOf(owner), id), { force: true });
    },
    list: async (owner, { changedBeforeMs } = { changedBeforeMs: Number.POSITIVE_INFINITY }) => {
      const directory = directoryOf(owner);
      return existsSync(directory) ? (await filesOf(directory, changedBeforeMs)).filter(({ id }) => isUploadId(id)) : [];
    },
    removeUnfinished: async (changedBeforeMs) => {
      const files = await filesOf(incoming, changedBeforeMs);
      for (const { id } of files) await rm(join(incoming, id), { force: true });
      return files.length;
    },
    identity: async () => (existsSync(identityPath) ? readFile(identityPath, 'utf8') : undefined),
    claim: (identity) => writeFile(identityPath, identity, { flag: 'wx', mode: 0o600, flush: true }),
  };
}

/** The files that nobody has changed since; without those that go while they are looked at. */
async function filesOf(directory: string, changedBeforeMs: number): Promise<readonly ListedUpload[]> {
  const files = await Promise.all(
    (await readdir(directory)).map(async (id) => {
      const status = await stat(join(directory, id)).catch(() => undefined);
      return status?.isFile() === true && status.mtimeMs < changedBeforeMs ? [{ id, bytes: status.size, modifiedAt: status.mtime }] : [];
    }),
  );
  return files.flat();
}

async function writeDurably(path: string, body: AsyncIterable<Uint8Array>, bytesMax: number, signal: AbortSignal | undefined) {
  const { pass, measured } = measuredBody(bytesMax);
  const file = await open(path, 'wx', 0o600);
  // `flush` waits for the disk before the file is closed.
  await pipeline(body, pass, file.createWriteStream({ flush: true }), signal === undefined ? {} : { signal });
  return measured();
}

/** A rename is durable once its directory is. Some systems cannot sync a directory, and need not. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
