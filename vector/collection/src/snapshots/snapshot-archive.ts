// SPDX-License-Identifier: Apache-2.0
/**
 * Snapshots are tar archives, so that their owners can look into them: `data.mdb` (the collection's data, as one copy), `graph-….bin` (its saved
 * graphs) and last `manifest.json` with the size and SHA-256 of each. That of a collection in shards holds such an archive for each shard
 * (`shard-….snapshot`) and a manifest, and where keys divide the points one of the collection without points (`definition.snapshot`). Nothing of an archive that came from elsewhere is believed: its members have the names that are listed here or it is
 * refused, and they are written to where we say.
 */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  DEFINITION_MEMBER,
  isShardMember,
  isSnapshotMember,
  type KeyedSnapshotManifest,
  ServiceError,
  type ShardedSnapshotManifest,
  type SnapshotManifest,
  shardMember,
} from '@sextant/contracts-vector';
import { createTarDecoder, createTarPacker, type TarHeader } from 'modern-tar';

/** One file that goes into an archive: as many bytes as it has when it is opened. */
export type ArchiveMember = { readonly name: string; readonly file: FileHandle; readonly bytes: number };

export type WrittenMember = { readonly name: string; readonly bytes: number; readonly sha256: string };

/** What the last member of an archive says. */
export type ArchiveManifest = SnapshotManifest | ShardedSnapshotManifest | KeyedSnapshotManifest;

/** The member that a snapshot of a collection has always. */
export const DATA = 'data.mdb';

const MANIFEST = 'manifest.json';
/** A collection has one graph for each vector and shard. */
const MEMBERS_MAX = 10_000;
const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** So much is written between two syncs: those of the collections wait for no more than this. */
const SYNC_BYTES = 32 * 1024 * 1024;

/** A file that is written, hashed and synced as it grows. */
class HashedFile {
  readonly #file: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  #unsynced = 0;
  bytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#hash.update(chunk);
    await this.#file.writeFile(chunk);
    this.bytes += chunk.length;
    this.#unsynced += chunk.length;
    if (this.#unsynced < SYNC_BYTES) return;
    this.#unsynced = 0;
    await this.#file.datasync();
  }

  async finish(): Promise<string> {
    await this.#file.sync();
    return this.#hash.digest('hex');
  }
}

/**
 * Writes a stream into a new file, synced at the end; answers its size and checksum.
 * @param check is asked with the number of bytes so far, and may throw
 */
export async function writeStream(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  check: (bytes: number) => Promise<void> | void = () => undefined,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  // A stream that fails while the file is opened throws when it is read, and would end the process where nobody listens.
  if (chunks instanceof Readable) chunks.on('error', () => undefined);
  const handle = await open(path, 'wx', 0o600);
  try {
    const file = new HashedFile(handle);
    for await (const chunk of chunks) {
      await check(file.bytes + chunk.length);
      await file.write(chunk);
    }
    return { bytes: file.bytes, sha256: await file.finish() };
  } finally {
    await handle.close();
  }
}

export type PackOptions = {
  readonly manifest: (members: readonly WrittenMember[]) => object;
  readonly mtime: Date;
  /** Ends it before its end. */
  readonly signal: AbortSignal;
};

/**
 * Packs files into an archive, and last a manifest that is made of what they were.
 * @returns size and checksum of the archive
 */
export async function packArchive(
  path: string,
  members: AsyncIterable<ArchiveMember> | Iterable<ArchiveMember>,
  { manifest, mtime, signal }: PackOptions,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const { readable, controller } = createTarPacker();
  const written = writeStream(path, Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0]));
  const pack = async () => {
    const packed: WrittenMember[] = [];
    for await (const { name, file, bytes } of members) {
      const target = controller.add({ name, size: bytes, mode: 0o600, mtime }).getWriter();
      packed.push({ name, bytes, sha256: await copyInto(target, { file, bytes, signal }) });
      await target.close();
    }
    const text = new TextEncoder().encode(JSON.stringify(manifest(packed)));
    const last = controller.add({ name: MANIFEST, size: text.length, mode: 0o600, mtime }).getWriter();
    await last.write(text);
    await last.close();
    controller.finalize();
  };
  const packing = pack().catch((error: unknown) => {
    controller.error(error);
    throw error;
  });
  const [archive] = await Promise.all([written, packing]);
  return archive;
}

async function copyInto(
  target: WritableStreamDefaultWriter<Uint8Array>,
  { file, bytes, signal }: { readonly file: FileHandle; readonly bytes: number; readonly signal: AbortSignal },
): Promise<string> {
  const hash = createHash('sha256');
  for (let position = 0; position < bytes; ) {
    signal.throwIfAborted();
    // A new buffer each time: the archive's stream may hold on to the last one.
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, bytes - position));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) throw new Error('a file became shorter while it was packed');
    const piece = chunk.subarray(0, bytesRead);
    hash.update(piece);
    await target.ready;
    await target.write(piece);
    position += bytesRead;
    // Others on this thread have their turn.
    await setImmediate();
  }
  return hash.digest('hex');
}

/**
 * Unpacks the snapshot of a collection into a directory and compares each member with the manifest.
 * @param checkRoom may throw when a member of so many bytes is to be written
 * @throws ServiceError `snapshot_invalid` for anything that is not whole and as its manifest says
 */
export async function unpackSnapshot(
  path: string,
  directory: string,
  checkRoom: (bytes: number) => Promise<void>,
  membersMax = MEMBERS_MAX,
): Promise<ArchiveManifest> {
  const file = await open(path, 'r');
  const seen: WrittenMember[] = [];
  let manifest: ArchiveManifest | undefined;
  try {
    const chunks = file.readableWebStream({ autoClose: false }) as ReadableStream<Uint8Array>;
    for await (const { header, body } of chunks.pipeThrough(createTarDecoder({ strict: true }))) {
      if (manifest !== undefined) throw invalid('there is data after the manifest');
      if (header.name === MANIFEST) manifest = await readManifest(header, body);
      else if (seen.length === membersMax) throw invalid(`it has more than ${membersMax} members`);
      else seen.push(await unpackMember(directory, header, body, seen, checkRoom));
    }
  } catch (error) {
    throw error instanceof ServiceError || isSystemError(error) ? error : invalid('it is not a tar archive, or it is damaged', error);
  } finally {
    await file.close();
  }
  if (manifest === undefined) throw invalid('it has no manifest: it is truncated, or it is not a snapshot of a collection');
  checkMembers(manifest, seen);
  return manifest;
}

async function unpackMember(
  directory: string,
  { name, size, type }: TarHeader,
  body: ReadableStream<Uint8Array>,
  seen: readonly WrittenMember[],
  checkRoom: (bytes: number) => Promise<void>,
): Promise<WrittenMember> {
  if (!(isSnapshotMember(name) || isShardMember(name) || name === DEFINITION_MEMBER) || (type ?? 'file') !== 'file')
    throw invalid(`it has a member that does not belong to a snapshot of a collection: ${JSON.stringify(name.slice(0, 100))}`);
  if (seen.some((other) => other.name === name)) throw invalid(`it has ${name} twice`);
  await checkRoom(size);
  const written = await writeStream(join(directory, name), body);
  return { name, ...written };
}

async function readManifest({ size }: TarHeader, body: ReadableStream<Uint8Array>): Promise<ArchiveManifest> {
  if (size > MANIFEST_BYTES_MAX) throw invalid('its manifest is too large');
  let value: unknown;
  try {
    value = await new Response(body).json();
  } catch (error) {
    throw invalid('its manifest is not JSON', error);
  }
  // Most threads have this module and no use for schemas.
  const schemas = await import('@sextant/contracts-vector/schemas');
  const known = [schemas.snapshotManifestSchema, schemas.shardedSnapshotManifestSchema, schemas.keyedSnapshotManifestSchema];
  if (!known.some((schema) => schemas.fits(schema, value)))
    throw invalid('its manifest is not the manifest of a snapshot of a collection, or it has another version');
  return value as ArchiveManifest;
}

function checkMembers(manifest: ArchiveManifest, seen: readonly WrittenMember[]): void {
  const { members } = manifest;
  for (const { name, bytes, sha256 } of members) {
    const found = seen.find((member) => member.name === name);
    if (found === undefined) throw invalid(`${name} is missing`);
    if (found.bytes !== bytes || found.sha256 !== sha256.toLowerCase()) throw invalid(`${name} does not match the manifest: it is damaged`);
  }
  if (members.length !== seen.length) throw invalid('it has members that its manifest does not list');
  switch (manifest.format) {
    case 'sextant-collection-snapshot':
      if (!seen.some(({ name }) => name === DATA)) throw invalid(`${DATA} is missing`);
      requireAll(seen, isSnapshotMember);
      break;
    case 'sextant-sharded-snapshot':
      requireAll(seen, isShardBelow(seen.length));
      break;
    case 'sextant-keyed-snapshot':
      checkKeys(manifest, seen);
  }
}

function checkKeys({ keys }: KeyedSnapshotManifest, seen: readonly WrittenMember[]): void {
  const twice = keys.find(({ key }, place) => keys.findIndex((other) => other.key === key) !== place);
  if (twice !== undefined) throw invalid(`its manifest has the shard key ${JSON.stringify(twice.key)} twice`);
  const shards = keys.reduce((sum, key) => sum + key.shards, 0);
  if (seen.length !== shards + 1) throw invalid(`its manifest has keys with ${shards} shards, and members for ${seen.length - 1}`);
  const isShard = isShardBelow(shards);
  requireAll(seen, (name) => name === DEFINITION_MEMBER || isShard(name));
}

/** As many as there are have the numbers from 0 on. */
function isShardBelow(count: number): (name: string) => boolean {
  const names = new Set(Array.from({ length: count }, (_, index) => shardMember(index)));
  return (name) => names.has(name);
}

function requireAll(seen: readonly WrittenMember[], belongs: (name: string) => boolean): void {
  const stranger = seen.find(({ name }) => !belongs(name));
  if (stranger !== undefined) throw invalid(`its manifest is of another kind of snapshot than its member ${stranger.name}`);
}

function invalid(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('snapshot_invalid', { reason: `the file is not usable: ${reason}` }, { cause });
}

/** Of the disk, not of the file. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
