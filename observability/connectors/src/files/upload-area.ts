// SPDX-License-Identifier: Apache-2.0
/**
 * Where uploaded files lie: `<area>/<owner>/<id>`. Bytes stream into `<area>/.incoming`, reach the disk, and only then get their name, so that
 * a crash leaves nothing behind but incoming files, which are removed later. Ids are made here; no name of a user becomes a path. Several processes may
 * share an area, also on different machines over a network file system.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export type Upload = {
  /** A UUID with the extension of the file, such as `…-….csv.gz`. */
  readonly id: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
};

export type UploadArea = {
  /**
   * Keeps a body; it is on disk when this resolves. `name` is only asked for its extension. Throws an `UploadError`, the reason of the signal,
   * or the error of the body or the disk; nothing is kept then.
   */
  readonly receive: (
    owner: string,
    body: AsyncIterable<Uint8Array>,
    options: { readonly name: string; readonly bytesMax: number; readonly signal?: AbortSignal },
  ) => Promise<Upload>;
  /** The directory of an owner's uploads; it may not be there yet. */
  readonly directoryOf: (owner: string) => string;
  /** Removes an upload if it is there. A scan that holds it open still reads it. */
  readonly remove: (owner: string, id: string) => Promise<void>;
  /** Ids of the uploads that lie in the owner's directory; only of files that nobody has changed since a time, where one is given. */
  readonly list: (owner: string, options?: { readonly changedBeforeMs: number }) => Promise<readonly string[]>;
  /** Removes what is left of uploads that never ended and that nobody has changed since a time; answers how many files. */
  readonly removeUnfinished: (changedBeforeMs: number) => Promise<number>;
  /** The same for all processes that share the area, and another for every other area; written where it is missing. */
  readonly identity: () => Promise<string>;
};

export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly reason: 'too_large' | 'no_space';

  constructor(reason: UploadError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const INCOMING = '.incoming';
const IDENTITY = '.area';
/** Owners are tenants; a first character that is no dot keeps them out of `.incoming`, `.area` and `..`. */
const OWNER = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
const UPLOAD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(\.[a-z]{1,8}){0,2}$/;
const EXTENSIONS = /(\.(csv|tsv|tab|txt|ndjson|jsonl|json|parquet))?(\.(gz|zst))?$/i;

export function isUploadId(text: string): boolean {
  return UPLOAD_ID.test(text);
}

/** Opens the area, and creates it where it is missing. */
export async function openUploadArea(directory: string): Promise<UploadArea> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const area = await realpath(directory);
  const incoming = join(area, INCOMING);
  await mkdir(incoming, { recursive: true, mode: 0o700 });

  const directoryOf = (owner: string) => {
    if (!OWNER.test(owner)) throw new RangeError(`${JSON.stringify(owner)} cannot own uploads`);
    return join(area, owner);
  };
  return {
    directoryOf,
    receive: async (owner, body, { name, bytesMax, signal }) => {
      const id = `${randomUUID()}${EXTENSIONS.exec(name)?.[0].toLowerCase() ?? ''}`;
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
      return existsSync(directory) ? (await filesOf(directory, changedBeforeMs)).filter(isUploadId) : [];
    },
    removeUnfinished: async (changedBeforeMs) => {
      const files = await filesOf(incoming, changedBeforeMs);
      for (const file of files) await rm(join(incoming, file), { force: true });
      return files.length;
    },
    identity: async () => {
      const path = join(area, IDENTITY);
      if (!existsSync(path)) await writeFile(path, randomUUID(), { flag: 'wx', mode: 0o600, flush: true });
      return readFile(path, 'utf8');
    },
  };
}

/** Names of the files that nobody has changed since; without those that go while they are looked at. */
async function filesOf(directory: string, changedBeforeMs: number): Promise<readonly string[]> {
  const names = await readdir(directory);
  if (changedBeforeMs === Number.POSITIVE_INFINITY) return names;
  const changes = await Promise.all(names.map(async (name) => (await stat(join(directory, name)).catch(() => undefined))?.mtimeMs));
  return names.filter((_, index) => (changes[index] ?? Number.POSITIVE_INFINITY) < changedBeforeMs);
}

async function writeDurably(path: string, body: AsyncIterable<Uint8Array>, bytesMax: number, signal: AbortSignal | undefined) {
  const hash = createHash('sha256');
  let bytes = 0;
  const measured = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new UploadError('too_large', `the upload is larger than the limit of ${bytesMax} bytes`);
      hash.update(chunk);
      yield chunk;
    }
  };
  const file = await open(path, 'wx', 0o600);
  // `flush` waits for the disk before the file is closed.
  await pipeline(body, measured, file.createWriteStream({ flush: true }), signal === undefined ? {} : { signal });
  return { bytes, sha256: hash.digest('hex') };
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
