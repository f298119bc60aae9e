// SPDX-License-Identifier: Apache-2.0
/**
 * The folder of the snapshots, which any thread may use:
 *
 *   <collection>/<collection>-<time>.snapshot   of a collection, and beside it the checksum: <name>.checksum
 *   full-snapshot-<time>.snapshot               of the whole storage
 *   .drafts/                                    what is being written or received; emptied at a start
 *
 * A snapshot appears by rename, whole and synced, after its checksum. Snapshots outlive their collection: that is what they are for.
 */
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, realpath, rm, statfs } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { isSnapshotName, ServiceError, type SnapshotDescription } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import { syncDirectory } from '../graph/saved-graph.ts';

/** Whose snapshots: a collection's, or the whole storage's. */
export type SnapshotOwner = { readonly kind: 'collection'; readonly name: string } | { readonly kind: 'storage' };

export const STORAGE: SnapshotOwner = { kind: 'storage' };

export type SnapshotFile = SnapshotDescription & { readonly path: string };

/** Files on their way: gone when it is disposed of, or with the next start. */
export type Draft = AsyncDisposable & { readonly directory: string };

/** An archive that is packed for another node, in its draft. */
export const PACKED_FILE = 'packed.snapshot';

const DRAFTS = '.drafts';
const CHECKSUM_SUFFIX = '.checksum';
/** Names that are the same on every file system, and cannot be mistaken for what stands for another name. */
const PLAIN_NAME = /^(?!.*-[0-9a-f]{24}$)[A-Za-z0-9_-]{1,100}$/;
/** What is left to others on the disk, among them the collections themselves. */
const BYTES_LEFT_FREE = 256 * 1024 * 1024;

export class SnapshotFolder {
  readonly #root: string;
  readonly #clock: Clock;

  constructor({ directory, clock }: { readonly directory: string; readonly clock: Clock }) {
    this.#root = directory;
    this.#clock = clock;
  }

  /** What a crash left unfinished goes; to be called before anybody uses the folder. */
  removeDrafts(): void {
    rmSync(join(this.#root, DRAFTS), { recursive: true, force: true });
  }

  /** A directory of one's own, on the file system of the snapshots. */
  openDraft(): Draft {
    const drafts = join(this.#root, DRAFTS);
    mkdirSync(drafts, { recursive: true, mode: 0o700 });
    return this.#draftAt(mkdtempSync(`${drafts}${sep}`));
  }

  /** Takes over a draft of another thread, by the name of its directory. */
  adoptDraft(name: string): Draft {
    return this.#draftAt(join(this.#root, DRAFTS, basename(name)));
  }

  /** A piece of what a draft holds under `PACKED_FILE`; undefined where the draft has gone. */
  async pieceOfPacked(draft: string, { from, bytes }: { readonly from: number; readonly bytes: number }): Promise<Uint8Array | undefined> {
    const file = await open(join(this.#root, DRAFTS, basename(draft), PACKED_FILE), 'r').catch(ignoreMissing);
    if (file === undefined) return undefined;
    try {
      const piece = Buffer.allocUnsafeSlow(bytes);
      const { bytesRead } = await file.read(piece, 0, bytes, from);
      return piece.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** Throws `snapshot_no_room` where the disk cannot hold so many bytes more. */
  async checkRoom(bytes: number): Promise<void> {
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.#root);
    const free = Math.max(0, bavail * bsize - BYTES_LEFT_FREE);
    if (bytes > free) throw new ServiceError('snapshot_no_room', { free, wanted: bytes });
  }

  /** The oldest first. */
  async list(owner: SnapshotOwner): Promise<readonly SnapshotDescription[]> {
    const names = (await readdir(this.#directoryOf(owner)).catch(ignoreMissing)) ?? [];
    const found = await Promise.all(names.filter(isSnapshotName).map((name) => this.#find(owner, name)));
    return found
      .filter((snapshot) => snapshot !== undefined)
      .map(descriptionOf)
      .toSorted((one, other) => compare(one.creation_time, other.creation_time) || compare(one.name, other.name));
  }

  async locate(owner: SnapshotOwner, name: string): Promise<SnapshotFile> {
    const snapshot = isSnapshotName(name) ? await this.#find(owner, name) : undefined;
    if (snapshot === undefined) throw new ServiceError('snapshot_not_found', { snapshot: name });
    return snapshot;
  }

  /** The file that a path of the server's machine means: only one of this folder is given out. */
  async locateFile(path: string): Promise<string> {
    const real = await realpath(path).catch(ignoreMissing);
    const root = await realpath(this.#root).catch(ignoreMissing);
    const isWithin = real !== undefined && root !== undefined && real.startsWith(root + sep) && !real.startsWith(join(root, DRAFTS) + sep);
    if (!isWithin || !(await lstat(real)).isFile()) {
      throw new ServiceError('snapshot_invalid', { reason: 'location: expected a file of the snapshots folder of this server' });
    }
    return real;
  }

  /** Gives a file of a draft its name among the snapshots. */
  async publish(owner: SnapshotOwner, { file, checksum }: { readonly file: string; readonly checksum: string }): Promise<SnapshotFile> {
    const directory = this.#directoryOf(owner);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const name = await this.#freeName(owner);
    const path = join(directory, name);
    await writeSynced(`${file}${CHECKSUM_SUFFIX}`, checksum);
    renameSync(`${file}${CHECKSUM_SUFFIX}`, `${path}${CHECKSUM_SUFFIX}`);
    renameSync(file, path);
    syncDirectory(directory);
    syncDirectory(this.#root);
    return this.locate(owner, name);
  }

  async remove(owner: SnapshotOwner, name: string): Promise<void> {
    const { path } = await this.locate(owner, name);
    await rm(path, { force: true });
    await rm(`${path}${CHECKSUM_SUFFIX}`, { force: true });
    syncDirectory(this.#directoryOf(owner));
  }

  async #find(owner: SnapshotOwner, name: string): Promise<SnapshotFile | undefined> {
    const path = join(this.#directoryOf(owner), name);
    const stat = await lstat(path).catch(ignoreMissing);
    if (stat?.isFile() !== true) return undefined;
    const kept = await readFile(`${path}${CHECKSUM_SUFFIX}`, 'utf8').catch(ignoreMissing);
    const checksum = kept?.trim() ?? null;
    return { name, creation_time: stat.mtime.toISOString().slice(0, 19), size: stat.size, checksum, path };
  }

  async #freeName(owner: SnapshotOwner): Promise<string> {
    const stem = owner.kind === 'storage' ? 'full-snapshot' : folderName(owner.name);
    for (let timeMs = this.#clock.nowMs(); ; timeMs++) {
      // 2026-11-22-03-05-49-123
      const name = `${stem}-${new Date(timeMs).toISOString().slice(0, 23).replaceAll(/[T:.]/g, '-')}.snapshot`;
      if ((await this.#find(owner, name)) === undefined) return name;
    }
  }

  #directoryOf(owner: SnapshotOwner): string {
    return owner.kind === 'storage' ? this.#root : join(this.#root, folderName(owner.name));
  }

  #draftAt(directory: string): Draft {
    return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
  }
}

export function descriptionOf({ name, creation_time, size, checksum }: SnapshotFile): SnapshotDescription {
  return { name, creation_time, size, checksum };
}

/** SHA-256 of a file, in hexadecimal digits. */
export async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A collection may be called what no file can; such names are distinguished by their hashes. */
function folderName(collection: string): string {
  if (PLAIN_NAME.test(collection)) return collection;
  const readable = collection.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 40);
  return `${readable}-${createHash('sha256').update(collection).digest('hex').slice(0, 24)}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
  throw error;
}
