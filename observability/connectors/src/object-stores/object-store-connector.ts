// SPDX-License-Identifier: Apache-2.0
/** One connector for all object stores: what matches a path is brought to temporary files, and opened there. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '@sextant/foundation-std';
import { type Connector, type ListedItem, type OpenConnection, SourceError } from '../connector.ts';
import { openLocalFile } from '../files/local-file.ts';
import type { ByteSource } from '../formats/byte-source.ts';
import { describeFiles, type LocalFile, openFiles, tooLarge } from '../formats/open-files.ts';
import { formatHints, recogniseFile } from '../formats/recognise.ts';
import { type AssetPath, assetPath, MATCHES_MAX, noMatch, tooManyMatches } from '../formats/wildcard.ts';
import type { Payload } from '../payload.ts';
import { type BoundStore, openBoundStore } from './bound-store.ts';
import type { ObjectStoreKind, StoredObject } from './object-store.ts';

/** Reports are written to object stores and nowhere else. */
export type ObjectStoreConnector = Connector & {
  /** Proves that a report could be written at the path, by an object that is there for a moment. Throws a `SourceError`. */
  readonly testWrite: (connection: OpenConnection, path: string, signal: AbortSignal) => Promise<void>;
  /**
   * Writes or replaces an object. Readers see all of it or nothing, without a temporary name: each of the stores shows an object when its upload is
   * complete, and none of them can rename. Throws a `SourceError`.
   */
  readonly write: (connection: OpenConnection, key: string, bytes: Uint8Array, signal: AbortSignal) => Promise<void>;
};

/** Keys that a path with a * looks through. */
const KEYS_MAX = 100_000;

export type ObjectStoreOptions = { readonly bytesMax: number; readonly clock: Clock };

export function createObjectStoreConnector(stores: ObjectStoreKind, { bytesMax, clock }: ObjectStoreOptions): ObjectStoreConnector {
  const openStore = (connection: OpenConnection) => openBoundStore(stores, connection, clock);
  return {
    kind: stores.kind,
    validateConnection: (payload, credential) => {
      stores.bucketOf(payload);
      stores.openStore(payload, credential).close();
    },
    validateAsset: validateObjects,
    test: async (connection, signal) => {
      using store = openStore(connection);
      for await (const _page of store.list('', signal)) break;
    },
    list: async (connection, { limit, signal }) => {
      using store = openStore(connection);
      const items: ListedItem[] = [];
      for await (const page of store.list('', signal)) {
        items.push(...page.map(listedItem));
        if (items.length >= limit) break;
      }
      return items.slice(0, limit);
    },
    describe: async (connection, location, signal) => {
      const hints = formatHints(location);
      using store = openStore(connection);
      const objects = await matching(store, assetPath(location.payload, location.resolveWildcards === true), signal);
      const [first] = objects;
      if (first === undefined) throw new SourceError('no object matches the path', { member: 'payload.path' });
      return describeFiles(objects, [await recogniseFile(byteSource(store, first, signal), hints)]);
    },
    open: async (connection, location, { signal, temporaryDirectory, onProgress }) => {
      const hints = formatHints(location);
      using store = openStore(connection);
      const objects = await matching(store, assetPath(location.payload, location.resolveWildcards === true), signal);
      const total = objects.reduce((sum, { bytes }) => sum + bytes, 0);
      if (total > bytesMax) throw tooLarge(objects.length === 1 ? (objects[0]?.key ?? '') : 'what matches the path', bytesMax);
      let read = 0;
      const onBytes = (bytes: number) => {
        read += bytes;
        onProgress?.(read, total);
      };
      await using downloaded = await download(store, objects, { temporaryDirectory, signal, onBytes });
      const opened = await openFiles(downloaded.files, { hints, temporaryDirectory, bytesMax, signal });
      const release = downloaded.keep();
      return {
        ...opened,
        description: describeFiles(objects, [{ columns: opened.description.columns, reading: opened.description.reading }]),
        [Symbol.asyncDispose]: async () => {
          await opened[Symbol.asyncDispose]();
          await release();
        },
      };
    },
    testWrite: async (connection, path, signal) => {
      using store = openStore(connection);
      const folder = path.replace(/^\/+|\/+$/g, '');
      if (folder !== '') await assertFolder(store, folder, signal);
      const key = folder === '' ? '.write-test' : `${folder}/.write-test`;
      try {
        await store.write(
          key,
          Buffer.from('This object was written to test that reports can be written here; it can be deleted.\n'),
          signal,
        );
      } finally {
        // Also when the caller is gone. A credential that may write and not delete is enough for reports: then the object stays, and says so.
        await store.remove(key, new AbortController().signal).catch(() => undefined);
      }
    },
    write: async (connection, key, bytes, signal) => {
      using store = openStore(connection);
      await store.write(key, bytes, signal);
    },
  };
}

/** Throws a `SourceError` where the payload of an asset makes no sense in any store. */
export function validateObjects(payload: Payload): void {
  formatHints({ payload });
  assetPath(payload, true);
}

/** Stores have no folders, only keys: one is there when something is in it, if only the empty object that consoles make for it. */
async function assertFolder(store: BoundStore, folder: string, signal: AbortSignal): Promise<void> {
  for await (const page of store.list(`${folder}/`, signal)) if (page.length > 0) return;
  throw new SourceError(`there is no folder ${folder} in the bucket; put an object into it first`, { member: 'path' });
}

async function matching(store: BoundStore, path: AssetPath, signal: AbortSignal): Promise<readonly StoredObject[]> {
  if (path.kind === 'one') return [await store.head(path.path, signal)];
  const objects: StoredObject[] = [];
  let keys = 0;
  for await (const page of store.list(path.path.slice(0, path.path.indexOf('*')), signal)) {
    keys += page.length;
    objects.push(...page.filter(({ key }) => path.matches(key)));
    if (objects.length > MATCHES_MAX || keys > KEYS_MAX) throw tooManyMatches(path.path);
  }
  if (objects.length === 0) throw noMatch(path.path);
  return objects.sort((one, other) => (one.key < other.key ? -1 : 1));
}

function listedItem({ key, bytes, modifiedAt }: StoredObject): ListedItem {
  return { payload: { path: key }, name: key, bytes, modified_at: modifiedAt?.toISOString() ?? null };
}

function byteSource(store: BoundStore, object: StoredObject, signal: AbortSignal): ByteSource {
  return {
    name: basename(object.key),
    bytes: object.bytes,
    slice: async (start, end) => {
      if (end <= start) return new Uint8Array();
      const chunks: Uint8Array[] = [];
      for await (const chunk of store.read(object, { start, end }, signal)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

type Download = { readonly temporaryDirectory: string; readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void };

/** Brings objects to temporary files of the same extensions; they are removed unless they are kept. */
async function download(store: BoundStore, objects: readonly StoredObject[], { temporaryDirectory, signal, onBytes }: Download) {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(temporaryDirectory, 'objects-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const files: LocalFile[] = [];
  for (const [index, object] of objects.entries()) {
    const name = `${index}${/(\.[a-z]{1,8}){1,2}$/i.exec(basename(object.key))?.[0] ?? ''}`;
    await save(store.read(object, undefined, signal), join(directory, name), { object, signal, onBytes });
    files.push({ ...(await openLocalFile(directory, name)), shownPath: object.key });
  }
  const held = stack.move();
  let isKept = false;
  return {
    files,
    /** From here on the caller removes the files. */
    keep: () => {
      isKept = true;
      return () => held.disposeAsync();
    },
    [Symbol.asyncDispose]: async () => {
      if (!isKept) await held.disposeAsync();
    },
  };
}

type Saving = { readonly object: StoredObject; readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void };

async function save(stream: AsyncIterable<Uint8Array>, path: string, { object, signal, onBytes }: Saving): Promise<void> {
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      // More than was announced is not the object that was asked for.
      if (bytes > object.bytes) throw changedSize(object);
      onBytes(chunk.byteLength);
      yield chunk;
    }
  };
  try {
    await pipeline(stream, counted, createWriteStream(path, { flags: 'wx' }), { signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof SourceError) throw cause;
    throw new SourceError(`object ${object.key} could not be read to its end: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  if (bytes !== object.bytes) throw changedSize(object);
}

function changedSize({ key }: StoredObject): SourceError {
  return new SourceError(`object ${key} changed while it was read; scan it again`, { member: 'payload.path' });
}
