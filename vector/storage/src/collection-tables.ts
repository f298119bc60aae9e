/**
 * The tables of a collection's environment, beside `documents`:
 *
 *   ids       point id                    -> row u32
 *   points    row u32                     -> record (point-record.ts)
 *   vectors   space u16, row u32          -> version f64, then the vector's float32s
 *   postings  key and chunk (posting-key) -> rows of the chunk (container.ts)
 *   rows      chunk, as a list of the empty key -> live rows of the chunk
 *
 * Keys are big-endian, so that byte order is number order; values are little-endian.
 */
import type { PointId } from '@sextant/contracts-vector';
import type { KeyCodec, Table, TableOpener, ValueCodec } from './environment.ts';
import { readPointId, writePointId } from './point-id.ts';
import { decodePoint, encodePoint } from './point-record.ts';
import type { StoredPoint } from './storage.ts';

export type CollectionTables = {
  readonly ids: Table<PointId, number>;
  readonly points: Table<number, StoredPoint>;
  readonly vectors: Table<number, StoredVector>;
  readonly postings: Table<Buffer, Uint8Array>;
  readonly rows: Table<Buffer, Uint8Array>;
};

/** As read, `vector` lies in memory that the thread's next read overwrites. */
export type StoredVector = { readonly version: number; readonly vector: Float32Array };

const ROWS_PER_SPACE = 2 ** 32;
const VERSION_BYTES = 8;

/** The key of a vector; keys of one space lie together, rows ascending. */
export function vectorKey(space: number, row: number): number {
  return space * ROWS_PER_SPACE + row;
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

const pointValues: ValueCodec<StoredPoint> = { encode: encodePoint, decode: (source) => decodePoint(source, source.length) };

const byteValues: ValueCodec<Uint8Array> = { encode: (bytes) => bytes, decode: (source) => source };

/** LMDB copies the bytes before a put returns, so one buffer serves all. */
let vectorScratch = new Float32Array(0);
let vectorScratchBytes = new Uint8Array(0);
let vectorScratchVersion = new DataView(vectorScratch.buffer);

const vectorValues: ValueCodec<StoredVector> = {
  encode: ({ version, vector }) => {
    const floats = vector.length + VERSION_BYTES / 4;
    if (vectorScratch.length !== floats) {
      vectorScratch = new Float32Array(floats);
      vectorScratchBytes = new Uint8Array(vectorScratch.buffer);
      vectorScratchVersion = new DataView(vectorScratch.buffer);
    }
    vectorScratchVersion.setFloat64(0, version, true);
    vectorScratch.set(vector, VERSION_BYTES / 4);
    return vectorScratchBytes;
  },
  // lmdb-js reads into the start of a buffer of its own, so the floats are aligned.
  decode: (source) => ({
    version: source.readDoubleLE(0),
    vector: new Float32Array(source.buffer, source.byteOffset + VERSION_BYTES, (source.length - VERSION_BYTES) / 4),
  }),
};
