// SPDX-License-Identifier: Apache-2.0
/**
 * Uploads in an object store, as parts `<owner>/<id>/000000` and so on; the manifest comes last. An upload whose manifest is there is whole, and goes with it first. What has none is removed later.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SourceError } from '../connector.ts';
import { openLocalFile } from '../files/local-file.ts';
import { type LocalFile, tooLarge } from '../formats/open-files.ts';
import type { BoundStore } from '../object-stores/bound-store.ts';
import { inOrder, inParts, partKey, readParts } from '../object-stores/object-parts.ts';
import type { StoredObject } from '../object-stores/object-store.ts';
import {
  type FetchOptions,
  isUploadId,
  measuredBody,
  newUploadId,
  requireOwner,
  shownName,
  type Upload,
  type UploadArea,
  UploadError,
} from './upload-area.ts';

const PART_BYTES = 8 * 1024 ** 2;
/** Each holds a part in memory, and for a moment two. */
const RECEIVED_AT_ONCE = 16;
const MANIFEST = 'manifest.json';
const MANIFEST_BYTES_MAX = 1000;
const IDENTITY = '.area';
const KEY = /^(?<owner>[^/]+)\/(?<id>[^/]+)\/(?<part>\d{6}|manifest\.json)$/;

export type ObjectAreaOptions = {
  /** Before the keys of all uploads: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly partBytes?: number;
};

type StoredUpload = {
  readonly owner: string;
  readonly id: string;
  /** In their order. */
  readonly parts: readonly StoredObject[];
  /** Undefined of one that never ended. */
  readonly manifest: StoredObject | undefined;
};

export function openObjectArea(store: BoundStore, { prefix, partBytes = PART_BYTES }: ObjectAreaOptions): UploadArea {
  let receiving = 0;
  const identityKey = prefix + IDENTITY;
  const folderOf = (owner: string, id: string) => `${prefix}${requireOwner(owner)}/${id}/`;

  async function* stored(under: string, signal: AbortSignal): AsyncGenerator<StoredUpload> {
    let keys: StoredObject[] = [];
    let folder: string | undefined;
    // Stores list keys in their order, so those of an upload come together.
    for await (const page of store.list(under, signal)) {
      for (const object of page) {
        const own = object.key.slice(0, object.key.lastIndexOf('/') + 1);
        if (own !== folder) {
          yield* storedUpload(prefix, keys);
          keys = [];
          folder = own;
        }
        keys.push(object);
      }
    }
    yield* storedUpload(prefix, keys);
  }

  const removeObjects = async ({ manifest, parts }: Pick<StoredUpload, 'manifest' | 'parts'>) => {
    // Without its manifest it is no upload any more.
    if (manifest !== undefined) await store.remove(manifest.key, never());
    for (const { key } of parts) await store.remove(key, never());
  };

  const receiveParts = async (folder: string, body: AsyncIterable<Uint8Array>, bytesMax: number, signal: AbortSignal) => {
    const { pass, measured } = measuredBody(bytesMax);
    let parts = 0;
    try {
      const writeParts = async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const part of inParts(chunks, partBytes)) await reachable(store.write(partKey(folder, parts++), part, signal));
      };
      await pipeline(body, pass, writeParts, { signal });
      const received = measured();
      await reachable(store.write(folder + MANIFEST, Buffer.from(JSON.stringify(received)), signal));
      return received;
    } catch (error) {
      const written = [MANIFEST, ...Array.from({ length: parts }, (_, part) => partKey('', part))];
      // What cannot be removed now is removed later, as it is nobody's.
      for (const name of written) await store.remove(folder + name, never()).catch(() => undefined);
      throw error;
    }
  };

  const find = (owner: string, id: string, signal: AbortSignal) =>
    readable(signal, async () => {
      const folder = folderOf(owner, id);
      for await (const upload of stored(folder, signal)) {
        if (upload.manifest === undefined) continue;
        const { bytes, sha256 } = await readManifest(store, upload.manifest, signal);
        if (upload.parts.reduce((sum, part) => sum + part.bytes, 0) !== bytes) throw damaged();
        return { ...upload, bytes, sha256, modifiedAt: upload.manifest.modifiedAt };
      }
      throw new SourceError('there is no such upload', { member: 'payload.upload_id' });
    });

  return {
    receive: async (owner, body, { name, bytesMax, signal = never() }) => {
      const id = newUploadId(name);
      const folder = folderOf(owner, id);
      if (receiving >= RECEIVED_AT_ONCE) throw new UploadError('busy', `${RECEIVED_AT_ONCE} uploads are being received`);
      receiving += 1;
      try {
        return { id, ...(await receiveParts(folder, body, bytesMax, signal)) };
      } finally {
        receiving -= 1;
      }
    },
    look: async (owner, id, signal) => {
      const { parts, bytes, modifiedAt } = await find(owner, id, signal);
      return {
        name: shownName(id),
        bytes,
        modifiedAt,
        slice: (start, end) => readable(signal, () => readRange(store, parts, { start, end }, signal)),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    },
    open: async (owner, id, options) => {
      const upload = await find(owner, id, options.signal);
      if (upload.bytes > options.bytesMax) throw tooLarge(shownName(id), options.bytesMax);
      return readable(options.signal, () => fetched(store, upload, options));
    },
    remove: async (owner, id) => {
      if (!isUploadId(id)) return;
      for await (const upload of stored(folderOf(owner, id), never())) await removeObjects(upload);
    },
    list: async (owner, { changedBeforeMs } = { changedBeforeMs: Number.POSITIVE_INFINITY }) => {
      const uploads = [];
      for await (const { id, manifest, parts } of stored(`${prefix}${requireOwner(owner)}/`, never())) {
        const modifiedAt = manifest?.modifiedAt;
        if (modifiedAt === null || modifiedAt === undefined || modifiedAt.getTime() >= changedBeforeMs) continue;
        uploads.push({ id, modifiedAt, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) });
      }
      return uploads;
    },
    removeUnfinished: async (changedBeforeMs) => {
      let removed = 0;
      for await (const upload of stored(prefix, never())) {
        const newest = Math.max(...upload.parts.map(({ modifiedAt }) => modifiedAt?.getTime() ?? Number.POSITIVE_INFINITY));
        if (upload.manifest !== undefined || newest >= changedBeforeMs) continue;
        await removeObjects(upload);
        removed += 1;
      }
      return removed;
    },
    identity: async () => {
      for await (const page of store.list(identityKey, never())) {
        const known = page.find(({ key }) => key === identityKey);
        if (known !== undefined) return (await readWhole(store, known, never())).toString();
      }
      return undefined;
    },
    claim: (identity) => store.write(identityKey, Buffer.from(identity), never()),
  };
}

/** What objects of one folder are; nothing where they are none of ours. */
function* storedUpload(prefix: string, objects: readonly StoredObject[]): Generator<StoredUpload> {
  const known = objects.flatMap((object) => {
    const groups = KEY.exec(object.key.slice(prefix.length))?.groups;
    return groups?.owner !== undefined && groups.id !== undefined && isUploadId(groups.id)
      ? [{ object, owner: groups.owner, id: groups.id, part: groups.part }]
      : [];
  });
  const [first] = known;
  if (first === undefined) return;
  const parts = known.filter(({ part }) => part !== MANIFEST).map(({ object }) => object);
  yield {
    owner: first.owner,
    id: first.id,
    parts: inOrder(parts),
    manifest: known.find(({ part }) => part === MANIFEST)?.object,
  };
}

async function readRange(
  store: BoundStore,
  parts: readonly StoredObject[],
  { start, end }: { readonly start: number; readonly end: number },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let offset = 0;
  for (const part of parts) {
    const range = { start: Math.max(0, start - offset), end: Math.min(part.bytes, end - offset) };
    // Some stores send more than one byte where they are asked for the first.
    if (range.start < range.end) pieces.push((await collected(store.read(part, range, signal))).subarray(0, range.end - range.start));
    offset += part.bytes;
  }
  return Buffer.concat(pieces);
}

async function fetched(
  store: BoundStore,
  { id, parts, bytes, sha256, modifiedAt }: Upload & { readonly parts: readonly StoredObject[]; readonly modifiedAt: Date | null },
  { signal, temporaryDirectory, onBytes }: FetchOptions,
): Promise<LocalFile> {
  await using held = new AsyncDisposableStack();
  const directory = await realpath(await mkdtemp(join(temporaryDirectory, 'upload-')));
  held.defer(() => rm(directory, { recursive: true, force: true }));
  const hash = createHash('sha256');
  const content = async function* () {
    for await (const chunk of readParts(store, parts, signal)) {
      hash.update(chunk);
      onBytes?.(chunk.byteLength);
      yield chunk;
    }
  };
  const name = shownName(id);
  await pipeline(content(), createWriteStream(join(directory, name), { flags: 'wx', mode: 0o600 }), { signal });
  const file = held.use(await openLocalFile(directory, name));
  if (file.bytes !== bytes || hash.digest('hex') !== sha256) throw damaged();
  const release = held.move();
  return { ...file, modifiedAt, [Symbol.asyncDispose]: () => release.disposeAsync() };
}

async function readManifest(store: BoundStore, object: StoredObject, signal: AbortSignal): Promise<Pick<Upload, 'bytes' | 'sha256'>> {
  if (object.bytes > MANIFEST_BYTES_MAX) throw damaged();
  let manifest: unknown;
  try {
    manifest = JSON.parse((await readWhole(store, object, signal)).toString());
  } catch (cause) {
    throw cause instanceof SyntaxError ? damaged(cause) : cause;
  }
  if (typeof manifest !== 'object' || manifest === null || !('bytes' in manifest && 'sha256' in manifest)) throw damaged();
  const { bytes, sha256 } = manifest;
  if (typeof bytes !== 'number' || typeof sha256 !== 'string') throw damaged();
  return { bytes, sha256 };
}

async function readWhole(store: BoundStore, object: StoredObject, signal: AbortSignal): Promise<Buffer> {
  return collected(store.read(object, undefined, signal));
}

async function collected(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function damaged(cause?: unknown): SourceError {
  return new SourceError('the stored file differs from the uploaded file; upload the file again', {
    cause,
    member: 'payload.upload_id',
  });
}

async function reachable<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (cause) {
    throw cause instanceof SourceError ? new UploadError('unreachable', `the store of uploads: ${cause.message}`, { cause }) : cause;
  }
}

/** Where the store is and what it says is the operator's business: a tenant reads that it does not answer. */
async function readable<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof SourceError) || cause.member === 'payload.upload_id') throw cause;
    throw new SourceError('the upload cannot be read: the store of uploads returned an unexpected response', {
      cause,
      member: 'payload.upload_id',
    });
  }
}

/** For work that nobody ends from outside; the store bounds each call. */
function never(): AbortSignal {
  return new AbortController().signal;
}
