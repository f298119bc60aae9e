// SPDX-License-Identifier: Apache-2.0
/**
 * The inverted index of sparse vectors in one table: for each space and index, which rows have a component there, and its value.
 * A list is cut into blocks of 4096 rows, so that a write touches little of it and a search meets rows in order; its head says how many
 * rows it has in all, without which their weight would not be known before the list is read.
 *
 *   space u16, index u32, 0          -> rows in all u32
 *   space u16, index u32, block + 1  -> values f32 | rows u16, counted from the block's first, ascending | format u16 = 1
 *
 * Keys are big-endian, so that byte order is number order; values are little-endian.
 */
import { assert } from '@sextant/foundation-std';
import type { RowRange, SparseBlock } from './storage.ts';
import { StorageError } from './storage-error.ts';
import type { KeyCodec, Table } from './table.ts';

/** Rows of one block; searches go through blocks whole. */
export const SPARSE_BLOCK_ROWS = 4096;

export type SparseListKey = { readonly space: number; readonly index: number; readonly slot: number };
export type SparseListTable = Table<SparseListKey, Uint8Array>;

const HEAD = 0;
const FORMAT = 1;
const FORMAT_BYTES = 2;
const VALUE_BYTES = 4;
const ENTRY_BYTES = VALUE_BYTES + 2;
/** Changes that a transaction keeps before it writes them: some tens of megabytes. */
const PENDING_MAX = 250_000;
/** More than blocks of a list; an index and a slot together are an exact number. */
const SLOTS = 2 ** 21;

export const sparseListKeys: KeyCodec<SparseListKey> = {
  writeKey: ({ space, index, slot }, target, offset) => {
    target.writeUInt16BE(space, offset);
    target.writeUInt32BE(index, offset + 2);
    return target.writeUInt32BE(slot, offset + 6);
  },
  readKey: (source, start) => ({
    space: source.readUInt16BE(start),
    index: source.readUInt32BE(start + 2),
    slot: source.readUInt32BE(start + 6),
  }),
};

/** How many rows have a component at the index. */
export function countSparse(table: SparseListTable, space: number, index: number): number {
  const head = table.get({ space, index, slot: HEAD });
  return head === undefined ? 0 : viewOf(head).getUint32(0, true);
}

/** The blocks of a list that have rows of the range; rows beside it may be among theirs. */
export function visitSparse(
  table: SparseListTable,
  { space, index, fromRow, toRow }: RowRange & { readonly space: number; readonly index: number },
  visit: (block: SparseBlock) => void,
): void {
  const start = { space, index, slot: slotOf(fromRow) };
  const end = { space, index, slot: slotOf(toRow + SPARSE_BLOCK_ROWS - 1) };
  for (const { key, value } of table.getRange({ start, end })) {
    visit({ fromRow: (key.slot - 1) * SPARSE_BLOCK_ROWS, ...decodeBlock(value) });
  }
}

function slotOf(row: number): number {
  return Math.floor(row / SPARSE_BLOCK_ROWS) + 1;
}

type Entries = Pick<SparseBlock, 'rows' | 'values'>;

/** The arrays lie in the record. */
function decodeBlock(record: Uint8Array): Entries {
  const count = (record.length - FORMAT_BYTES) / ENTRY_BYTES;
  if (!Number.isInteger(count) || viewOf(record).getUint16(record.length - FORMAT_BYTES, true) !== FORMAT) {
    throw new StorageError('a list of sparse components is damaged, or of another format');
  }
  return {
    // lmdb-js reads into the start of a buffer of its own, so the floats are aligned.
    values: new Float32Array(record.buffer, record.byteOffset, count),
    rows: new Uint16Array(record.buffer, record.byteOffset + count * VALUE_BYTES, count),
  };
}

function encodeBlock({ rows, values }: Entries): Uint8Array {
  const record = new Uint8Array(rows.length * ENTRY_BYTES + FORMAT_BYTES);
  new Float32Array(record.buffer, 0, values.length).set(values);
  new Uint16Array(record.buffer, values.length * VALUE_BYTES, rows.length).set(rows);
  viewOf(record).setUint16(record.length - FORMAT_BYTES, FORMAT, true);
  return record;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Of one block, by row within it; undefined is a row that leaves it. */
type BlockChanges = Map<number, number | undefined>;

/** Changes of one transaction, kept in memory and written together: a batch has many rows of the same few blocks. */
export class SparseListChanges {
  readonly #table: SparseListTable;
  /** By space, then by index and slot. */
  readonly #spaces = new Map<number, Map<number, BlockChanges>>();
  #pending = 0;

  constructor(table: SparseListTable) {
    this.#table = table;
  }

  put(space: number, index: number, row: number, value: number): void {
    this.#change(space, index, row, value);
  }

  delete(space: number, index: number, row: number): void {
    this.#change(space, index, row, undefined);
  }

  /** Writes what changed, so that the table can be read. */
  flush(): void {
    for (const [space, blocks] of this.#spaces) this.#write(space, blocks);
    this.#spaces.clear();
    this.#pending = 0;
  }

  #change(space: number, index: number, row: number, value: number | undefined): void {
    if (this.#pending === PENDING_MAX) this.flush();
    const blocks = memberOf(this.#spaces, space);
    memberOf(blocks, index * SLOTS + slotOf(row)).set(row % SPARSE_BLOCK_ROWS, value);
    this.#pending++;
  }

  /** In the order of the keys, so that pages are met one after the other. */
  #write(space: number, blocks: ReadonlyMap<number, BlockChanges>): void {
    let index = -1;
    let added = 0;
    for (const place of Float64Array.from(blocks.keys()).sort()) {
      const next = Math.floor(place / SLOTS);
      if (next !== index) this.#writeHead(space, index, added);
      if (next !== index) added = 0;
      index = next;
      added += this.#writeBlock({ space, index, slot: place % SLOTS }, blocks.get(place) ?? new Map());
    }
    this.#writeHead(space, index, added);
  }

  #writeHead(space: number, index: number, added: number): void {
    if (added === 0) return;
    const count = countSparse(this.#table, space, index) + added;
    assert(count >= 0, 'a list never has fewer rows than none');
    const key = { space, index, slot: HEAD };
    if (count === 0) this.#table.removeSync(key);
    else this.#table.putSync(key, new Uint8Array(Uint32Array.of(count).buffer));
  }

  /** Answers how many rows the block has more. */
  #writeBlock(key: SparseListKey, changes: BlockChanges): number {
    const stored = this.#table.get(key);
    const before = stored === undefined ? NO_ENTRIES : decodeBlock(stored);
    const after = changed(before, changes);
    const added = after.rows.length - before.rows.length;
    if (after.rows.length > 0) this.#table.putSync(key, encodeBlock(after));
    else if (stored !== undefined) this.#table.removeSync(key);
    return added;
  }
}

function memberOf<Key, Value>(maps: Map<number, Map<Key, Value>>, key: number): Map<Key, Value> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<Key, Value>();
  maps.set(key, made);
  return made;
}

const NO_ENTRIES: Entries = { rows: new Uint16Array(0), values: new Float32Array(0) };

function changed({ rows, values }: Entries, changes: BlockChanges): Entries {
  const changedRows = Uint16Array.from(changes.keys()).sort();
  const mergedRows = new Uint16Array(rows.length + changedRows.length);
  const mergedValues = new Float32Array(mergedRows.length);
  let count = 0;
  let at = 0;
  const keep = (row: number, value: number) => {
    mergedRows[count] = row;
    mergedValues[count++] = value;
  };
  for (const row of changedRows) {
    while (at < rows.length && (rows[at] ?? 0) < row) keep(rows[at] ?? 0, values[at++] ?? 0);
    if (rows[at] === row) at++;
    const value = changes.get(row);
    if (value !== undefined) keep(row, value);
  }
  while (at < rows.length) keep(rows[at] ?? 0, values[at++] ?? 0);
  return { rows: mergedRows.subarray(0, count), values: mergedValues.subarray(0, count) };
}
