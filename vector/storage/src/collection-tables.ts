// SPDX-License-Identifier: Apache-2.0
/**
 * The tables of a collection's environment, beside `documents`:
 *
 *   ids       point id                    -> row u32
 *   points    row u32                     -> record (point-record.ts)
 *   vectors   space u16, row u32          -> version f64, the vector's components, their format u32
 *   postings  key and chunk (posting-key) -> rows of the chunk (container.ts)
 *   rows      chunk, as a list of the empty key -> live rows of the chunk
 *             chunk, as a list of space u16     -> rows with a sparse vector that has components
 *   sparse    space u16, row u32                -> a sparse vector (sparse-vector.ts)
 *   sparse-lists  space u16, index u32, block   -> components of the block's rows (sparse-lists.ts)
 *   changes   rows / 256 u32                    -> number of the last operation that put or deleted a vector of them f64
 *
 * Keys are big-endian, so that byte order is number order; values are little-endian.
 */
import type { PointId } from '@sextant/contracts-vector';
import { readPointId, writePointId } from './point-id.ts';
import { decodePoint, decodePointHead, encodePoint } from './point-record.ts';
import { type SparseListTable, sparseListKeys } from './sparse-lists.ts';
import { decodeSparseVector, encodeSparseVector } from './sparse-vector.ts';
import type { Components, PointHead, SparseComponents, StoredPoint } from './storage.ts';
import { StorageError } from './storage-error.ts';
import type { KeyCodec, Table, TableOpener, TableRange, ValueCodec } from './table.ts';

export type CollectionTables = {
  readonly ids: Table<PointId, number>;
  readonly points: Table<number, StoredPoint>;
  /** The same records, of which only the head is read. */
  readonly pointHeads: Table<number, PointHead>;
  readonly vectors: Table<number, StoredVector>;
  readonly postings: Table<Buffer, Uint8Array>;
  readonly rows: Table<Buffer, Uint8Array>;
  readonly sparse: Table<number, SparseComponents>;
  readonly sparseLists: SparseListTable;
  readonly changes: Table<number, number>;
};

/** As read, `vector` lies in memory that the thread's next read overwrites. */
export type StoredVector = { readonly version: number; readonly vector: Components };

export const SPACE_MAX = 2 ** 16 - 1;
/** Few enough that a delete makes few rows suspect, and enough that all of the table is read in no time. */
export const ROWS_PER_CHANGE = 256;
const ROWS_PER_SPACE = 2 ** 32;
/**
 * What the components are. It stands at the end of a record, so that it also tells one from the zeros that a cut file reads as.
 */
const FLOAT32 = 1;
const FLOAT16 = 2;
const UINT8 = 3;
const VECTOR_OFFSET = 8;
const FORMAT_BYTES = 4;

/** The key of a vector; keys of one space lie together, rows ascending. */
export function vectorKey(space: number, row: number): number {
  return space * ROWS_PER_SPACE + row;
}

/** The keys of rows from `fromRow` to below `toRow` of one space. */
export function vectorsOfRows(space: number, { fromRow, toRow }: { readonly fromRow: number; readonly toRow: number }): TableRange<number> {
  return { start: vectorKey(space, fromRow), end: vectorKey(space, toRow) };
}

/** The keys of one space. The last space has no key after it that 6 bytes could hold. */
export function vectorsOfSpace(space: number): TableRange<number> {
  return { start: vectorKey(space, 0), end: space === SPACE_MAX ? undefined : vectorKey(space + 1, 0) };
}

export function rowOfVectorKey(key: number): number {
  return key % ROWS_PER_SPACE;
}

export function openCollectionTables(openTable: TableOpener): CollectionTables {
  return {
    ids: openTable('ids', idKeys, rowValues),
    points: openTable('points', rowKeys, pointValues),
    pointHeads: openTable('points', rowKeys, pointHeadValues),
    vectors: openTable('vectors', vectorKeys, vectorValues),
    postings: openTable('postings', byteKeys, byteValues),
    rows: openTable('rows', byteKeys, byteValues),
    sparse: openTable('sparse', vectorKeys, sparseValues, { isLater: true }),
    sparseLists: openTable('sparse-lists', sparseListKeys, byteValues, { isLater: true }),
    changes: openTable('changes', rowKeys, sequenceValues),
  };
}

const idKeys: KeyCodec<PointId> = { writeKey: writePointId, readKey: readPointId };

const rowKeys: KeyCodec<number> = {
  writeKey: (row, target, offset) => target.writeUInt32BE(row, offset),
  readKey: (source, start) => source.readUInt32BE(start),
};

const vectorKeys: KeyCodec<number> = {
  writeKey: (key, target, offset) => target.writeUIntBE(key, offset, 6),
  readKey: (source, start) => source.readUIntBE(start, 6),
};

const byteKeys: KeyCodec<Buffer> = {
  writeKey: (key, target, offset) => {
    target.set(key, offset);
    return offset + key.length;
  },
  readKey: (source, start, end) => Buffer.from(source.subarray(start, end)),
};

const rowScratch = Buffer.alloc(4);
const rowValues: ValueCodec<number> = {
  encode: (row) => {
    rowScratch.writeUInt32LE(row);
    return rowScratch;
  },
  decode: (source) => source.readUInt32LE(0),
};

const sequenceScratch = Buffer.alloc(8);
const sequenceValues: ValueCodec<number> = {
  encode: (sequence) => {
    sequenceScratch.writeDoubleLE(sequence);
    return sequenceScratch;
  },
  decode: (source) => source.readDoubleLE(0),
};

const pointValues: ValueCodec<StoredPoint> = { encode: encodePoint, decode: decodePoint };

const pointHeadValues: ValueCodec<PointHead> = { encode: unwritten, decode: decodePointHead };

function unwritten(): never {
  throw new Error('points are written whole');
}

const byteValues: ValueCodec<Uint8Array> = { encode: (bytes) => bytes, decode: (source) => source };

const sparseValues: ValueCodec<SparseComponents> = { encode: encodeSparseVector, decode: decodeSparseVector };

/** LMDB copies the bytes before a put returns, so one record serves all vectors of a length. */
let vectorScratch = newVectorRecord(0);

function newVectorRecord(componentBytes: number) {
  const bytes = new Uint8Array(VECTOR_OFFSET + componentBytes + FORMAT_BYTES);
  return { bytes, view: new DataView(bytes.buffer), formatOffset: VECTOR_OFFSET + componentBytes };
}

const vectorValues: ValueCodec<StoredVector> = {
  encode: ({ version, vector }) => {
    if (vectorScratch.formatOffset !== VECTOR_OFFSET + vector.byteLength) vectorScratch = newVectorRecord(vector.byteLength);
    const { bytes, view, formatOffset } = vectorScratch;
    view.setFloat64(0, version, true);
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), VECTOR_OFFSET);
    view.setUint32(formatOffset, formatOf(vector), true);
    return bytes;
  },
  decode: (source) => {
    const formatOffset = source.length - FORMAT_BYTES;
    return { version: source.readDoubleLE(0), vector: componentsOf(source, source.readUInt32LE(formatOffset)) };
  },
};

/** lmdb-js reads into the start of a buffer of its own, so the floats are aligned. */
function componentsOf({ buffer, byteOffset, length }: Buffer, format: number): Components {
  const start = byteOffset + VECTOR_OFFSET;
  const bytes = length - VECTOR_OFFSET - FORMAT_BYTES;
  if (format === FLOAT32) return new Float32Array(buffer, start, bytes / Float32Array.BYTES_PER_ELEMENT);
  if (format === FLOAT16) return new Float16Array(buffer, start, bytes / Float16Array.BYTES_PER_ELEMENT);
  if (format === UINT8) return new Uint8Array(buffer, start, bytes);
  throw new StorageError('a stored vector is damaged, or of another format');
}

function formatOf(vector: Components): number {
  if (vector instanceof Float32Array) return FLOAT32;
  return vector instanceof Float16Array ? FLOAT16 : UINT8;
}
