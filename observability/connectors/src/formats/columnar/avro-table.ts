// SPDX-License-Identifier: Apache-2.0
/** Avro object container files, block after block: https://avro.apache.org/docs/1.12.0/specification/#object-container-files */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type AvroRecord, avroRecord } from './avro-schema.ts';
import { AvroCursor, columnReader, damagedAvro } from './avro-values.ts';
import { snappyUnpack } from './snappy.ts';
import { CHUNK_ROWS, namedColumns, SCHEMA_BYTES_MAX, type StoredValue, type Table, type TableColumn, TableError, textOf } from './table.ts';
import { inflated, zstdUnpacked } from './unpack.ts';

const MAGIC_BYTES = 4;
const SYNC_BYTES = 16;
/** Before a block stand two numbers, of ten bytes at most. */
const COUNTS_BYTES = 20;
/** Writers close a block at some kilobytes, and none at so many. */
const BLOCK_BYTES_MAX = 128 * 2 ** 20;

type Unpack = (packed: Uint8Array) => Uint8Array;
const CODECS: { readonly [codec: string]: Unpack } = {
  null: (packed) => packed,
  deflate: (packed) => inflated(packed, BLOCK_BYTES_MAX),
  zstandard: (packed) => zstdUnpacked(packed, BLOCK_BYTES_MAX),
  snappy: unpackSnappy,
};

type Header = { readonly schema: string; readonly unpack: Unpack; readonly sync: Buffer; readonly bytes: number };

/** Of the beginning of a file. */
export function avroColumns({ head }: { readonly head: Uint8Array }): readonly TableColumn[] {
  return columnsOf(avroRecord(headerOf(head).schema));
}

export async function openAvro(file: FileHandle): Promise<Table> {
  const header = headerOf(await readAt(file, 0, SCHEMA_BYTES_MAX));
  const record = avroRecord(header.schema);
  const { fields } = record;
  return {
    columns: columnsOf(record),
    chunks: async function* () {
      const readers = fields.map(({ type }) => columnReader(type));
      const { size } = await file.stat();
      let values: StoredValue[][] = fields.map(() => []);
      for (let at = header.bytes; at < size; ) {
        const { rows, cursor, end } = await readBlock(file, at, header);
        for (let row = 0; row < rows; row += 1) {
          for (const [index, read] of readers.entries()) values[index]?.push(read(cursor));
          if ((values[0]?.length ?? 0) < CHUNK_ROWS) continue;
          yield values;
          values = fields.map(() => []);
        }
        if (cursor.remaining > 0) throw damagedAvro();
        at = end;
      }
      yield values;
    },
  };
}

function columnsOf({ fields }: AvroRecord): readonly TableColumn[] {
  return namedColumns(fields.map(({ name, type }) => ({ name, type: type.column })));
}

function headerOf(bytes: Uint8Array): Header {
  const cursor = new AvroCursor(bytes);
  cursor.take(MAGIC_BYTES);
  const members = new Map<string, Uint8Array>();
  for (let count = cursor.int(); count !== 0; count = cursor.int()) {
    if (count < 0) cursor.int();
    for (let index = 0; index < Math.abs(count); index += 1) members.set(textOf(cursor.sized()), cursor.sized());
  }
  const codec = textOf(members.get('avro.codec') ?? Buffer.from('null'));
  const unpack = Object.hasOwn(CODECS, codec) ? CODECS[codec] : undefined;
  if (unpack === undefined)
    throw new TableError(
      `is packed with the codec ${JSON.stringify(codec)}, which is not supported; expected ${Object.keys(CODECS).join(', ')}`,
    );
  return {
    schema: textOf(members.get('avro.schema') ?? Buffer.alloc(0)),
    unpack,
    sync: Buffer.from(cursor.take(SYNC_BYTES)),
    bytes: cursor.at,
  };
}

async function readBlock(file: FileHandle, at: number, { unpack, sync }: Header) {
  const counts = new AvroCursor(await readAt(file, at, COUNTS_BYTES));
  const [rows, bytes] = [counts.int(), counts.int()];
  if (rows < 0 || bytes < 0) throw damagedAvro();
  if (bytes > BLOCK_BYTES_MAX) throw new TableError(`holds a block of ${bytes} bytes; the limit is ${BLOCK_BYTES_MAX}`);
  const start = at + counts.at;
  const packed = await readAt(file, start, bytes + SYNC_BYTES);
  if (packed.length < bytes + SYNC_BYTES || !packed.subarray(bytes).equals(sync)) throw damagedAvro();
  const block = unpack(packed.subarray(0, bytes));
  // Rows of nothing but nulls of the type null take no bytes; nobody has a million of them.
  if (rows > block.byteLength) throw damagedAvro();
  return { rows, cursor: new AvroCursor(block), end: start + bytes + SYNC_BYTES };
}

/** Behind the packed bytes stands the checksum of what they were. */
function unpackSnappy(packed: Uint8Array): Uint8Array {
  const output = snappyUnpack(packed.subarray(0, -4), BLOCK_BYTES_MAX);
  const checksum = Buffer.from(packed.subarray(-4));
  if (checksum.length < 4 || checksum.readUInt32BE() !== crc32(output)) throw damagedAvro();
  return output;
}

/** Fewer where the file ends. */
async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, Math.min(length, size - at))), 0, undefined, at);
  return buffer.subarray(0, bytesRead);
}
