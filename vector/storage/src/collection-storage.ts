// SPDX-License-Identifier: Apache-2.0
/** Opens a collection's storage: one thread for writing, any number for reading. */
import { assert } from '@sextant/foundation-std';
import { COUNTERS_KEY, type CollectionEnvironment, CollectionReads, type Counters, documentKey } from './collection-reads.ts';
import { openCollectionTables } from './collection-tables.ts';
import { CollectionTransaction } from './collection-transaction.ts';
import { type EnvironmentMode, openEnvironment } from './environment.ts';
import type { StorageReader, StorageTransaction, StorageWriter } from './storage.ts';

const KIND = 'collection';
const FORMAT_VERSION = 2;

export type CollectionLocation = { readonly directory: string };

export type CollectionAccess = CollectionLocation & {
  /** False where points are read one by one and are more than memory holds: what the system reads besides is in the way. By default true. */
  readonly readAhead?: boolean;
};

/** Named JSON values, as `StorageTransaction.putDocument` writes them. */
export type Documents = { readonly [name: string]: unknown };

/**
 * Creates a collection without points in `directory`, in one commit with its documents; throws a StorageError when the directory already holds one.
 * @param sequence the number that its operations count on from
 */
export function createCollectionStorage(access: CollectionAccess, documents: Documents = {}, sequence = 0): StorageWriter {
  return new CollectionWriter(openCollection(access, 'create', { documents, sequence }));
}

/** Opens the collection in `directory` for the one thread that writes; throws a StorageError when there is none that it can read. */
export function openCollectionStorage(access: CollectionAccess): StorageWriter {
  return new CollectionWriter(openCollection(access, 'write'));
}

/** Opens the collection in `directory` for reading, on any thread of the process, once its writer has opened it. */
export function openCollectionReader(location: CollectionLocation): StorageReader {
  return new CollectionReader(openCollection(location, 'read'));
}

function openCollection(
  access: CollectionAccess,
  mode: EnvironmentMode,
  { documents, sequence }: { readonly documents: Documents; readonly sequence: number } = { documents: {}, sequence: 0 },
): CollectionEnvironment {
  const own = Object.entries(documents).map(([name, value]) => [documentKey(name), value]);
  return openEnvironment({
    ...access,
    mode,
    kind: KIND,
    formatVersion: FORMAT_VERSION,
    openTables: openCollectionTables,
    initialDocuments: { ...Object.fromEntries(own), [COUNTERS_KEY]: { sequence, pointCount: 0, bytes: {} } satisfies Counters },
  });
}

class CollectionReader extends CollectionReads implements StorageReader {
  refresh(): void {
    this.environment.refresh();
  }

  close(): void {
    this.environment.close();
  }
}

class CollectionWriter extends CollectionReader implements StorageWriter {
  #writing = false;

  write<Result>(body: (transaction: StorageTransaction) => Result): Result {
    assert(!this.#writing, 'a transaction does not start another');
    this.#writing = true;
    try {
      return this.environment.transaction(() => this.#run(body));
    } finally {
      this.#writing = false;
    }
  }

  copy(file: string): Promise<void> {
    return this.environment.copy(file);
  }

  #run<Result>(body: (transaction: StorageTransaction) => Result): Result {
    const transaction = new CollectionTransaction(this.environment);
    try {
      const result = body(transaction);
      assert(!(result instanceof Promise), 'the body is not asynchronous: its transaction ends when it returns');
      transaction.finish();
      return result;
    } finally {
      transaction.end();
    }
  }
}
