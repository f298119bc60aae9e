// SPDX-License-Identifier: Apache-2.0
/**
 * Takes in a collection's data file of unknown origin. LMDB trusts its pages: a file that was made to do harm could end the process that reads it, or
 * have a later write go anywhere. So every record is read out and written into a new store, whose pages are all our own. It is to be run in a
 * process of its own, which may die of what it reads; what the records say is for others to check.
 */
import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type Database, open, type RootDatabase } from 'lmdb';
import { openCollectionTables } from './collection-tables.ts';
import { checkDataFile, completeDataFile } from './data-file.ts';
import { newDraft, openRoot, publishDraft } from './environment.ts';
import { StorageError, withStorageErrors } from './storage-error.ts';

export type CollectionImport = {
  /** As `StorageWriter.copy` wrote it. */
  readonly file: string;
  /** Gets the store; must not hold one. */
  readonly directory: string;
  /** How many bytes of records have been copied so far. */
  readonly onProgress?: (bytes: number) => void;
};

/** Bytes of one transaction, and so of one sync; others get their turn between two. */
const TRANSACTION_BYTES = 16 * 1024 * 1024;
/** Keys and values as they are. */
const RAW = { keyEncoding: 'binary', encoding: 'binary' } as const;

type RawTable = Database<Buffer, Buffer>;

/** Throws a StorageError for a file that is none of ours, as far as the process lives to tell. */
export async function importCollection({ file, directory, onProgress = () => undefined }: CollectionImport): Promise<void> {
  checkDataFile(file);
  // A page that several others lead to is read as often, and a few of those make more records than any disk holds.
  const bytesMax = statSync(file).size;
  // A cut file must read as a damaged page, where it can.
  completeDataFile(file);
  const tables = new Map([['documents', { isLater: false }], ...tablesByName()]);
  const source = withStorageErrors('cannot open data.mdb', file, () =>
    open<Buffer, Buffer>(file, { ...RAW, readOnly: true, maxDbs: tables.size }),
  );
  try {
    const target = openRoot(newDraft(directory));
    try {
      let bytes = 0;
      const progressed = (more: number) => {
        bytes += more;
        if (bytes > bytesMax) throw new StorageError('data.mdb has pages that are met more than once', { path: file });
        onProgress(bytes);
      };
      for (const [name, { isLater }] of tables) {
        const table = openSource(source, name);
        if (table !== undefined) await copyTable(table, target.openDB({ name, ...RAW }), progressed);
        else if (!isLater) throw new StorageError(`data.mdb lacks the table "${name}"`, { path: file });
      }
      publishDraft(directory);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function openSource(source: RootDatabase<Buffer, Buffer>, name: string): RawTable | undefined {
  return source.openDB<Buffer, Buffer>({ name, ...RAW });
}

async function copyTable(source: RawTable, target: RawTable, progressed: (bytes: number) => void): Promise<void> {
  const records = source.getRange({ snapshot: true })[Symbol.iterator]();
  for (let isDone = false; !isDone; ) {
    const bytes = withStorageErrors('cannot take in a table', '', () =>
      target.transactionSync(() => {
        let copied = 0;
        while (copied < TRANSACTION_BYTES) {
          const next = records.next();
          if (next.done === true) {
            isDone = true;
            break;
          }
          target.putSync(next.value.key, next.value.value);
          copied += next.value.key.length + next.value.value.length;
        }
        return copied;
      }),
    );
    progressed(bytes);
    await setImmediate();
  }
}

/** Whatever tables a collection has; a later one may be missing. */
function tablesByName(): ReadonlyMap<string, { readonly isLater: boolean }> {
  const tables = new Map<string, { readonly isLater: boolean }>();
  openCollectionTables((name, _keys, _values, { isLater = false } = {}) => {
    tables.set(name, { isLater });
    // Nobody reads it.
    return undefined as never;
  });
  return tables;
}
