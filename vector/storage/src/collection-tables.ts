/**
 * The tables of a collection's environment, beside `documents`:
 *
 *   ids       point id                    -> row u32
 *   points    row u32                     -> record (point-record.ts)
 *   vectors   space u16, row u32          -> version f64, the vector's float32s, format u32 = 1
 *   postings  key and chunk (posting-key) -> rows of the chunk (container.ts)
 *   rows      chunk, as a list of the empty key -> live rows of the chunk
 *
 * Keys are big-endian, so that byte order is number order; values are little-endian.
 */
import type { PointId } from '@sextant/contracts-vector';
import { readPointId, writePointId } from './point-id.ts';
import { decodePoint, encodePoint } from './point-record.ts';
import type { StoredPoint } from './storage.ts';
import { StorageError } from './storage-error.ts';
import type { KeyCodec, Table, TableOpener, TableRange, ValueCodec } from './table.ts';

export type CollectionTables = {
  readonly ids: Table<PointId, number>;
  readonly points: Table<number, StoredPoint>;
  readonly vectors: Table<number, StoredVector>;
  readonly postings: Table<Buffer, Uint8Array>;
  readonly rows: Table<Buffer, Uint8Array>;
};

/** As read, `vector` lies in memory that the thread's next read overwrites. */
export type StoredVector = { readonly version: number; readonly vector: Float32Array };

export const SPACE_MAX = 2 ** 16 - 1;
const ROWS_PER_SPACE = 2 ** 32;
/** At the end, so that it also tells a record from the zeros that a cut file reads as. */
const VECTOR_FORMAT = 1;
const VECTOR_OFFSET = 8;
const FORMAT_BYTES = 4;

/** The key of a vector; keys of one space lie together, rows ascending. */
export function vectorKey(space: number, row: number): number {
  return space * ROWS_PER_SPACE + row;
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
    vectors: openTable('vectors', vectorKeys, vectorValues),
    postings: openTable('postings', byteKeys, byteValues),
    rows: openTable('rows', byteKeys, byteValues),
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

const pointValues: ValueCodec<StoredPoint> = { encode: encodePoint, decode: decodePoint };

const byteValues: ValueCodec<Uint8Array> = { encode: (bytes) => bytes, decode: (source) => source };

/** LMDB copies the bytes before a put returns, so one record serves all vectors of a length. */
let vectorScratch = newVectorRecord(0);

function newVectorRecord(dimension: number) {
  const formatOffset = VECTOR_OFFSET + dimension * Float32Array.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(formatOffset + FORMAT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(formatOffset, VECTOR_FORMAT, true);
  return { bytes, view, vector: new Float32Array(bytes.buffer, VECTOR_OFFSET, dimension) };
}

const vectorValues: ValueCodec<StoredVector> = {
  encode: ({ version, vector }) => {
    if (vectorScratch.vector.length !== vector.length) vectorScratch = newVectorRecord(vector.length);
    vectorScratch.view.setFloat64(0, version, true);
    vectorScratch.vector.set(vector);
    return vectorScratch.bytes;
  },
  decode: (source) => {
    const formatOffset = source.length - FORMAT_BYTES;
    if (source.readUInt32LE(formatOffset) !== VECTOR_FORMAT) throw new StorageError('a stored vector is damaged, or of another format');
    return {
      version: source.readDoubleLE(0),
      // lmdb-js reads into the start of a buffer of its own, so the floats are aligned.
      vector: new Float32Array(source.buffer, source.byteOffset + VECTOR_OFFSET, (formatOffset - VECTOR_OFFSET) / 4),
    };
  },
};
