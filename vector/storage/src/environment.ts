// SPDX-License-Identifier: Apache-2.0
/**
 * One LMDB environment in one directory, opened for a durable store of the server.
 *
 * Durability: with neither noSync, noMetaSync, mapAsync nor overlappingSync (which lmdb-js turns on by itself), a commit
 * writes its pages, calls fdatasync, and then writes the meta page through a descriptor opened with O_DSYNC (seen
 * with strace: pwrite64, fdatasync, pwrite64 on O_DSYNC, all before `transactionSync` returns). Without useWritemap the
 * map is read-only, so a stray pointer cannot damage it, and without noMemInit fresh pages are zeroed,
 * so the file never holds remains of the process's memory.
 *
 * The map starts small, so that thousands of environments are cheap, and LMDB doubles it as the data grows; old maps stay
 * until the environment closes, for readers that are still in them.
 */
import { closeSync, createReadStream, existsSync, fsyncSync, mkdirSync, openSync, type ReadStream, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assert, stringifyJson } from '@sextant/foundation-std';
import { open, type RootDatabase } from 'lmdb';
import { prepareLockFile, requireDescriptors, requireRoomForStore } from './before-open.ts';
import { checkDataFile, completeDataFile, DATA_FILE } from './data-file.ts';
import { documentOf, documentText } from './document-text.ts';
import { StorageError, withStorageErrors } from './storage-error.ts';
import type { KeyCodec, Table, TableOpener, ValueCodec } from './table.ts';

export type Environment<Tables> = {
  readonly tables: Tables;
  readonly documents: Table<string, unknown>;
  /** Runs `body` in one durable transaction; when it throws, nothing is written. */
  transaction<Result>(body: () => Result): Result;
  /** Releases this thread's snapshot, so that the next read sees the last commit. */
  refresh(): void;
  /**
   * Writes the store as the last commit left it into one new file, beside reads and writes; the file is not synced. The environment must stay
   * open until it ends.
   */
  copy(file: string): Promise<void>;
  close(): void;
};

/** `create` refuses a directory that already holds a store, the others one that does not; `read` follows the thread that writes. */
export type EnvironmentMode = 'create' | 'write' | 'read';

export type EnvironmentOptions<Tables> = {
  readonly directory: string;
  readonly mode: EnvironmentMode;
  /** What the directory holds, so that one store never opens another's. */
  readonly kind: string;
  readonly formatVersion: number;
  /** Whether the system may read more of the file than is asked for, where a page is not in memory. The first that opens a store decides for all threads. */
  readonly readAhead?: boolean;
  readonly openTables: (openTable: TableOpener) => Tables;
  /** Documents that a new store starts with. */
  readonly initialDocuments: { readonly [key: string]: unknown };
};

/** Bears a new store until it is whole. */
const DRAFT_FILE = 'new.mdb';
const LOCK_SUFFIX = '-lock';
const FORMAT_KEY = 'format';
const DOCUMENT_KEY_BYTES_MAX = 1024;
/** Reader slots of the lock file: one for each thread and each of its suspended iterations. */
const READERS_MAX = 1024;
const TABLES_MAX = 16;
const MAP_BYTES_MIN = 1024 * 1024;
const READ_BYTES = 1024 * 1024;

export function openEnvironment<Tables>(options: EnvironmentOptions<Tables>): Environment<Tables> {
  const { directory, mode } = options;
  const file = join(directory, DATA_FILE);
  const exists = holdsEnvironment(directory);
  if (mode === 'create' && exists) throw new StorageError('the directory already holds a store', { path: directory });
  if (mode !== 'create' && !exists) throw new StorageError(`the directory holds no store: ${DATA_FILE} is missing`, { path: directory });
  return withStorageErrors(`cannot open ${DATA_FILE}`, file, () => {
    if (mode === 'create') return createEnvironment(options);
    if (mode === 'write') {
      completeDataFile(file);
      prepareLockFile(`${file}${LOCK_SUFFIX}`);
    } else checkDataFile(file);
    requireDescriptors(file);
    return setUp(file, options);
  });
}

export function holdsEnvironment(directory: string): boolean {
  return existsSync(join(directory, DATA_FILE));
}

/** Keys of documents: text in UTF-8 order. */
const textKeys: KeyCodec<string> = {
  writeKey: (key, target, offset) => {
    const bytes = Buffer.byteLength(key);
    assert(bytes > 0 && bytes <= DOCUMENT_KEY_BYTES_MAX, `a document's name has 1 to ${DOCUMENT_KEY_BYTES_MAX} bytes`);
    return offset + target.write(key, offset, 'utf8');
  },
  readKey: (source, start, end) => source.toString('utf8', start, end),
};

const documentValues: ValueCodec<unknown> = {
  encode: (value) => Buffer.from(documentText(value)),
  decode: (source) => documentOf(source.toString('utf8', 0, source.length)),
};

export function openRoot(path: string, { readAhead = true }: { readonly readAhead?: boolean | undefined } = {}): RootDatabase {
  // A name of its own, because lmdb-js's types do not know permissionsMode.
  const options = {
    overlappingSync: false,
    noMemInit: false,
    encoding: 'binary' as const,
    maxDbs: TABLES_MAX,
    maxReaders: READERS_MAX,
    mapSize: MAP_BYTES_MIN,
    noReadAhead: !readAhead,
    permissionsMode: 0o600,
  };
  return open(path, options);
}

/**
 * Writes a new store under another name, and renames it once it is whole, so that a crash on the way leaves none rather than half of one.
 * It stays open meanwhile: LMDB knows its files by their inodes.
 */
function createEnvironment<Tables>(options: EnvironmentOptions<Tables>): Environment<Tables> {
  const { directory } = options;
  const draft = newDraft(directory);
  requireDescriptors(draft);
  return setUp(draft, options, () => publishDraft(directory));
}

/** Where a store is written before it is whole. */
export function newDraft(directory: string): string {
  const draft = join(directory, DRAFT_FILE);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const leftover of [draft, `${draft}${LOCK_SUFFIX}`]) rmSync(leftover, { force: true });
  requireRoomForStore(directory);
  prepareLockFile(`${draft}${LOCK_SUFFIX}`);
  return draft;
}

/** The draft is whole: from here on the directory holds a store. */
export function publishDraft(directory: string): void {
  const draft = join(directory, DRAFT_FILE);
  // The lock first: the data file's name says that the store is there.
  renameSync(`${draft}${LOCK_SUFFIX}`, join(directory, `${DATA_FILE}${LOCK_SUFFIX}`));
  renameSync(draft, join(directory, DATA_FILE));
  syncEntries(directory);
}

function setUp<Tables>(file: string, options: EnvironmentOptions<Tables>, whole: () => void = () => undefined): Environment<Tables> {
  const root = openRoot(file, options);
  try {
    const tables = openTables(root, options);
    whole();
    return { ...tables, ...controls(root, options) };
  } catch (error) {
    void root.close();
    throw error;
  }
}

/** The tables of a new store are made, with the documents that it starts with. */
function openTables<Tables>(root: RootDatabase, options: EnvironmentOptions<Tables>): Pick<Environment<Tables>, 'tables' | 'documents'> {
  const openTable = tableOpener(root, options.directory, options.mode);
  // In one transaction, since LMDB allows only one at a time to open tables.
  return root.transactionSync(() => {
    const documents = openTable('documents', textKeys, documentValues);
    if (options.mode === 'create') {
      for (const [key, value] of Object.entries(options.initialDocuments)) documents.putSync(key, value);
      documents.putSync(FORMAT_KEY, formatOf(options));
    } else checkFormat(documents.get(FORMAT_KEY), formatOf(options), options.directory);
    return { tables: options.openTables(openTable), documents };
  });
}

function tableOpener(root: RootDatabase, directory: string, mode: EnvironmentMode): TableOpener {
  return (name, keys, values, { isLater = false } = {}) => {
    const create = mode === 'create' || (mode === 'write' && isLater);
    // lmdb-js's types know neither `keyEncoder` nor that a missing database is undefined; Table says what is there.
    const databaseOptions = { name, keyEncoder: keys, encoder: values, create };
    const table: unknown = root.openDB(databaseOptions);
    if (table === undefined)
      throw new StorageError(`${DATA_FILE} lacks its table "${name}": it is damaged, or this service did not write it`, {
        path: directory,
      });
    return table as never;
  };
}

type Format = { readonly kind: string; readonly version: number };

function formatOf({ kind, formatVersion }: { readonly kind: string; readonly formatVersion: number }): Format {
  return { kind, version: formatVersion };
}

function checkFormat(stored: unknown, expected: Format, directory: string): void {
  if (stringifyJson(stored) === stringifyJson(expected)) return;
  throw new StorageError(
    `${DATA_FILE} has the format ${stringifyJson(stored)}; this version of the program reads ${stringifyJson(expected)}`,
    { path: directory },
  );
}

function controls(
  root: RootDatabase,
  { directory, readAhead = true }: Pick<EnvironmentOptions<unknown>, 'directory' | 'readAhead'>,
): Pick<Environment<unknown>, 'transaction' | 'refresh' | 'copy' | 'close'> {
  let closed = false;
  return {
    transaction: (body) =>
      withStorageErrors(`cannot write to ${DATA_FILE}`, directory, () => {
        let result: ReturnType<typeof body> | undefined;
        // Nothing is returned through lmdb-js, which would await a promise and take one of its constants for an abort.
        root.transactionSync(() => {
          result = body();
        });
        return result as ReturnType<typeof body>;
      }),
    refresh: () => root.resetReadTxn(),
    copy: async (copied) => {
      // LMDB would wait for one page after the other.
      const ahead = readAhead ? undefined : readThrough(join(directory, DATA_FILE));
      try {
        // Compact: what deleted points have left is not copied.
        await root.backup(copied, true);
      } catch (cause) {
        throw new StorageError(`cannot copy ${DATA_FILE}`, { path: directory, cause });
      } finally {
        ahead?.destroy();
      }
    },
    close: () => {
      if (closed) return;
      closed = true;
      // Closes at once: only asynchronous writes, which we never make, would be waited for.
      void root.close();
    },
  };
}

/** Reads a file from one end to the other, so that the system has its pages for whoever needs them; that one reports what cannot be read. */
function readThrough(file: string): ReadStream {
  const content = createReadStream(file, { highWaterMark: READ_BYTES });
  content.on('error', () => undefined).resume();
  return content;
}

/** LMDB syncs its file but not the directory entries that lead to it. */
function syncEntries(directory: string): void {
  for (const path of [directory, dirname(directory)]) {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}
