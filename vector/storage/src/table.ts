// SPDX-License-Identifier: Apache-2.0
/** What a table of an environment is: ordered keys with values, each with a codec of ours. */

/** The part of an lmdb database that we use; its own types do not know keys with an encoder, such as bigints. */
export interface Table<Key, Value> {
  get(key: Key): Value | undefined;
  doesExist(key: Key): boolean;
  putSync(key: Key, value: Value): void;
  removeSync(key: Key): void;
  getRange(options: TableRange<Key>): Iterable<{ readonly key: Key; readonly value: Value }>;
  getKeys(options: TableRange<Key>): Iterable<Key>;
  getStats(): TableStats;
}

/** Pages of a table's tree, and those of values that need some of their own. */
export type TableStats = {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
};

/** The bytes of all pages that a table takes. */
export function tableBytes(table: Pick<Table<unknown, unknown>, 'getStats'>): number {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = table.getStats();
  return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
}

/** start <= key < end; in reverse start >= key > end. An `end` of undefined is no bound. */
export type TableRange<Key> = { readonly start: Key; readonly end: Key | undefined; readonly reverse?: boolean; readonly limit?: number };

/** How a table's keys become bytes; LMDB compares them as bytes. */
export type KeyCodec<Key> = {
  /** Writes the key at `offset` and returns the offset after it. */
  readonly writeKey: (key: Key, target: Buffer, offset: number) => number;
  readonly readKey: (source: Buffer, start: number, end: number) => Key;
};

/** How a table's values become bytes. What `decode` gets is overwritten by the next read of the thread; its `length` is right. */
export type ValueCodec<Value> = { readonly encode: (value: Value) => Uint8Array; readonly decode: (source: Buffer) => Value };

/** @param options.isLater stores of the first versions lack the table, and who opens one for writing makes it */
export type TableOpener = <Key, Value>(
  name: string,
  keys: KeyCodec<Key>,
  values: ValueCodec<Value>,
  options?: { readonly isLater?: boolean },
) => Table<Key, Value>;
