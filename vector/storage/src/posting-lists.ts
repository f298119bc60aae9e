// SPDX-License-Identifier: Apache-2.0
/** Posting lists in one table: for each key of the caller, a set of rows in chunks of 65 536. */
import { addStoredContainer, Container, countStoredContainer } from './container.ts';
import { decodeChunk, decodePostingKey, encodePostingBound, encodePostingKey, sameList, setChunk } from './posting-key.ts';
import { RowSet } from './row-set.ts';
import type { Table } from './table.ts';

export type PostingTable = Table<Buffer, Uint8Array>;
export type PostingRange = { readonly start: Uint8Array; readonly end: Uint8Array; readonly reverse?: boolean };
export type PostingCount = { readonly key: Uint8Array; readonly count: number };
export type PostingList = { readonly key: Uint8Array; readonly rows: RowSet };

const CHUNK_BITS = 16;
const ROWS_PER_CHUNK = 2 ** CHUNK_BITS;
const LOW_MASK = 0xffff;

/** The rows of one list; empty when there is none. */
export function readPosting(table: PostingTable, key: Uint8Array): RowSet {
  const rows = new RowSet();
  const start = encodePostingKey(key);
  for (const { key: stored, value } of table.getRange({ start, end: undefined })) {
    if (!sameList(stored, start)) break;
    addStoredContainer(value, baseRow(stored), rows);
  }
  return rows;
}

/** The lists with start <= key < end, in byte order or in reverse. */
export function* readPostings(table: PostingTable, range: PostingRange): Generator<PostingList> {
  let list: { readonly stored: Buffer; readonly rows: RowSet } | undefined;
  for (const { key: stored, value } of table.getRange(boundsOf(range))) {
    const before = list;
    const current = before !== undefined && sameList(before.stored, stored) ? before : { stored, rows: new RowSet() };
    // Before the yield: what the caller reads meanwhile overwrites the value.
    addStoredContainer(value, baseRow(stored), current.rows);
    list = current;
    if (before !== undefined && before !== current) yield { key: decodePostingKey(before.stored), rows: before.rows };
  }
  if (list !== undefined) yield { key: decodePostingKey(list.stored), rows: list.rows };
}

/** The rows of all lists with start <= key < end together, or undefined when there are more than `listsMax` lists. */
export function unionPostings(
  table: PostingTable,
  { listsMax, ...range }: PostingRange & { readonly listsMax: number },
): RowSet | undefined {
  const rows = new RowSet();
  let lists = 0;
  let last: Buffer | undefined;
  for (const { key: stored, value } of table.getRange(boundsOf(range))) {
    if (last === undefined || !sameList(last, stored)) lists += 1;
    if (lists > listsMax) return undefined;
    addStoredContainer(value, baseRow(stored), rows);
    last = stored;
  }
  return rows;
}

/** The lists with start <= key < end, with how many of their rows are in `within`, also those with none; all rows when it is absent. */
export function* countPostings(
  table: PostingTable,
  { within, ...range }: PostingRange & { readonly within?: RowSet },
): Generator<PostingCount> {
  let list: { readonly stored: Buffer; count: number } | undefined;
  for (const { key: stored, value } of table.getRange(boundsOf(range))) {
    const before = list;
    const current = before !== undefined && sameList(before.stored, stored) ? before : { stored, count: 0 };
    current.count += countStoredContainer(value, baseRow(stored), within);
    list = current;
    if (before !== undefined && before !== current) yield { key: decodePostingKey(before.stored), count: before.count };
  }
  if (list !== undefined) yield { key: decodePostingKey(list.stored), count: list.count };
}

/** The end of the last chunk that a list of the range has; 0 where there is none. */
export function rowBound(table: PostingTable, range: Omit<PostingRange, 'reverse'>): number {
  const [last] = table.getKeys({ ...boundsOf({ ...range, reverse: true }), limit: 1 });
  return last === undefined ? 0 : baseRow(last) + ROWS_PER_CHUNK;
}

function baseRow(stored: Buffer): number {
  return decodeChunk(stored) * ROWS_PER_CHUNK;
}

function boundsOf({ start, end, reverse = false }: PostingRange) {
  const low = encodePostingBound(start);
  const high = encodePostingBound(end);
  // A bound lacks a chunk and so is never a stored key: whether the range includes its ends does not matter.
  return reverse ? { start: high, end: low, reverse } : { start: low, end: high };
}

/**
 * Changes of one transaction, kept in memory and written once at its end: a batch of a thousand points in the same ten lists
 * would otherwise write a container of up to 8 KiB a thousand times.
 */
export class PostingChanges {
  readonly #table: PostingTable;
  readonly #lists = new Map<string, PendingList>();
  #containers = 0;

  constructor(table: PostingTable) {
    this.#table = table;
  }

  add(key: Uint8Array, row: number): void {
    const pending = this.#pending(key, row >>> CHUNK_BITS);
    if (pending.container.add(row & LOW_MASK)) pending.changed = true;
  }

  delete(key: Uint8Array, row: number): void {
    const pending = this.#pending(key, row >>> CHUNK_BITS);
    if (pending.container.delete(row & LOW_MASK)) pending.changed = true;
  }

  /** Removes every list with start <= key < end. */
  clear(range: PostingRange): void {
    this.flush();
    for (;;) {
      const keys = [...this.#table.getKeys({ ...boundsOf(range), limit: CLEAR_BATCH })];
      for (const stored of keys) this.#table.removeSync(stored);
      if (keys.length < CLEAR_BATCH) return;
    }
  }

  /** Writes what changed, so that the table can be read. */
  flush(): void {
    for (const { stored, chunks } of this.#lists.values()) {
      for (const [chunk, { container, changed }] of chunks) {
        if (!changed) continue;
        setChunk(stored, chunk);
        if (container.count === 0) this.#table.removeSync(stored);
        else this.#table.putSync(stored, container.encode());
      }
    }
    this.#lists.clear();
    this.#containers = 0;
  }

  #pending(key: Uint8Array, chunk: number): PendingContainer {
    if (this.#containers === PENDING_CONTAINERS_MAX) this.flush();
    const name = Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
    let list = this.#lists.get(name);
    if (list === undefined) {
      list = { stored: encodePostingKey(key), chunks: new Map() };
      this.#lists.set(name, list);
    }
    return list.chunks.get(chunk) ?? this.#load(list, chunk);
  }

  #load(list: PendingList, chunk: number): PendingContainer {
    setChunk(list.stored, chunk);
    const value = this.#table.get(list.stored);
    const pending = { container: value === undefined ? Container.empty() : Container.decode(value), changed: false };
    list.chunks.set(chunk, pending);
    this.#containers += 1;
    return pending;
  }
}

/** At most 8 KiB each, so 64 MiB. */
const PENDING_CONTAINERS_MAX = 8192;
const CLEAR_BATCH = 1000;

type PendingContainer = { readonly container: Container; changed: boolean };
type PendingList = { readonly stored: Buffer; readonly chunks: Map<number, PendingContainer> };
