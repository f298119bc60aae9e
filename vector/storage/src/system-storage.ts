// SPDX-License-Identifier: Apache-2.0
/**
 * The server's own small state: JSON documents under text keys, each change on disk before its call returns. One thread has it.
 *
 * It says which collections there are and who may read them, so nothing is served from a damaged one: each document has a checksum, and all keys
 * together have one too, since a document whose key is damaged would be missing in silence.
 */
import { crc32 } from 'node:zlib';
import { type Environment, holdsEnvironment, openEnvironment } from './environment.ts';
import { StorageError } from './storage-error.ts';

const KIND = 'system';
const FORMAT_VERSION = 1;
/** The exclusive or of the checksums of all keys; a state of an earlier version has none. */
const KEYS_CHECKSUM = 'keys';
const keyOf = (key: string) => `document/${key}`;

export type SystemChange =
  | { readonly kind: 'put'; readonly key: string; readonly value: unknown }
  | { readonly kind: 'delete'; readonly key: string };

export interface SystemStorage {
  get(key: string): unknown;
  /** Keys that start with `prefix`, in byte order, with their values. */
  list(prefix: string): { readonly key: string; readonly value: unknown }[];
  put(key: string, value: unknown): void;
  delete(key: string): void;
  /** All changes or none. */
  write(changes: readonly SystemChange[]): void;
  close(): void;
}

/** Opens the state in `directory`, and creates it the first time. */
export function openSystemStorage({ directory }: { readonly directory: string }): SystemStorage {
  const mode = holdsEnvironment(directory) ? 'write' : 'create';
  const environment = openEnvironment({
    directory,
    mode,
    kind: KIND,
    formatVersion: FORMAT_VERSION,
    openTables: () => ({}),
    initialDocuments: { [KEYS_CHECKSUM]: 0 },
  });
  try {
    return new LmdbSystemStorage(environment, checkedKeys(environment));
  } catch (cause) {
    environment.close();
    throw new StorageError(
      'the list of collections and access tokens in system/data.mdb is damaged; restore the folder system from a copy',
      {
        path: directory,
        cause,
      },
    );
  }
}

/** Reads everything. Answers the checksum of all keys. */
function checkedKeys({ documents }: Environment<object>): number {
  const start = keyOf('');
  let checksum = 0;
  for (const { key } of documents.getRange({ start, end: undefined })) if (key.startsWith(start)) checksum ^= crc32(key);
  const stored = documents.get(KEYS_CHECKSUM);
  if (stored !== undefined && stored !== checksum) throw new StorageError('the keys of the documents are not those that were written');
  return checksum;
}

class LmdbSystemStorage implements SystemStorage {
  readonly #environment: Environment<object>;
  #keysChecksum: number;

  constructor(environment: Environment<object>, keysChecksum: number) {
    this.#environment = environment;
    this.#keysChecksum = keysChecksum;
  }

  get(key: string): unknown {
    return this.#environment.documents.get(keyOf(key));
  }

  list(prefix: string): { readonly key: string; readonly value: unknown }[] {
    const start = keyOf(prefix);
    const found: { key: string; value: unknown }[] = [];
    for (const { key, value } of this.#environment.documents.getRange({ start, end: undefined })) {
      if (!key.startsWith(start)) break;
      found.push({ key: key.slice(keyOf('').length), value });
    }
    return found;
  }

  put(key: string, value: unknown): void {
    this.write([{ kind: 'put', key, value }]);
  }

  delete(key: string): void {
    this.write([{ kind: 'delete', key }]);
  }

  write(changes: readonly SystemChange[]): void {
    let checksum = this.#keysChecksum;
    const { documents } = this.#environment;
    this.#environment.transaction(() => {
      for (const change of changes) {
        const key = keyOf(change.key);
        if (documents.doesExist(key) !== (change.kind === 'put')) checksum ^= crc32(key);
        if (change.kind === 'put') documents.putSync(key, change.value);
        else documents.removeSync(key);
      }
      documents.putSync(KEYS_CHECKSUM, checksum);
    });
    this.#keysChecksum = checksum;
  }

  close(): void {
    this.#environment.close();
  }
}
