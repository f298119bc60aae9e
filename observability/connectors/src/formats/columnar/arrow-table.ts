// SPDX-License-Identifier: Apache-2.0
/** Arrow IPC files (Feather) and streams, batch after batch: https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc */
import type { FileHandle } from 'node:fs/promises';
import { CompressionType, compressionRegistry, type RecordBatch, RecordBatchReader, type Schema } from 'apache-arrow';
import { Footer } from 'apache-arrow/ipc/metadata/file';
import { typeOfField } from './arrow-types.ts';
import { damaged, valuesOf } from './arrow-values.ts';
import { lz4Unpack } from './lz4-frame.ts';
import { CHUNK_ROWS, namedColumns, type StoredValue, type Table, type TableColumn, TableError } from './table.ts';
import { zstdUnpacked } from './unpack.ts';

/** What one batch may unpack to, and what all dictionaries may hold. */
const UNPACKED_BYTES_MAX = 256 * 2 ** 20;
/** Of a file or stream as it is stored. */
const BATCH_BYTES_MAX = 256 * 2 ** 20;
/** How long the footer is, and the mark. */
const FOOTER_END_BYTES = 10;
let unpackedBytes = 0;

/** The registry is the library's own, one for the thread. */
compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: (packed) => counted(lz4Unpack(packed, UNPACKED_BYTES_MAX - unpackedBytes)) });
compressionRegistry.set(CompressionType.ZSTD, {
  decode: (packed) => counted(zstdUnpacked(packed, UNPACKED_BYTES_MAX - unpackedBytes)),
});

function counted(bytes: Uint8Array): Uint8Array {
  unpackedBytes += bytes.byteLength;
  return bytes;
}

/** Of a stream by its beginning, and of a file by its end: only there must a file have its schema. */
export function arrowColumns({ head, tail }: { readonly head: Uint8Array; readonly tail: Uint8Array }): readonly TableColumn[] {
  return columnsOf(isFile(head) ? schemaOfFooter(tail) : RecordBatchReader.from(head).open().schema);
}

function schemaOfFooter(tail: Uint8Array): Schema {
  const bytes = Buffer.from(tail);
  const end = bytes.length - FOOTER_END_BYTES;
  const start = end < 0 ? end : end - bytes.readInt32LE(end);
  if (start < 0 || start > end) throw new TableError('is damaged: its footer cannot be read');
  return Footer.decode(bytes.subarray(start, end)).schema;
}

export async function openArrow(file: FileHandle): Promise<Table> {
  const reader = await RecordBatchReader.from(bounded(file));
  await reader.open();
  const { schema } = reader;
  return {
    columns: columnsOf(schema),
    chunks: async function* () {
      for await (const batch of reader) {
        unpackedBytes = 0;
        yield* chunksOf(batch, schema.fields.length);
      }
    },
  };
}

function columnsOf(schema: Schema | undefined): readonly TableColumn[] {
  if (schema === undefined) throw new TableError('is damaged: it has no schema');
  return namedColumns(schema.fields.map((field) => ({ name: field.name, type: typeOfField(field) })));
}

function* chunksOf(batch: RecordBatch, width: number): Generator<readonly (readonly StoredValue[])[]> {
  const held = [...batch.dictionaries.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (held > UNPACKED_BYTES_MAX) throw new TableError(`holds dictionaries of ${held} bytes; the limit is ${UNPACKED_BYTES_MAX}`);
  const readers = Array.from({ length: width }, (_, index) => {
    const [data, ...others] = batch.getChildAt(index)?.data ?? [];
    if (data === undefined || others.length > 0 || data.length < batch.numRows) throw damaged();
    return valuesOf(data);
  });
  for (let from = 0; from < batch.numRows; from += CHUNK_ROWS) {
    const rows = Math.min(CHUNK_ROWS, batch.numRows - from);
    yield readers.map((value) => Array.from({ length: rows }, (_, row) => value(from + row)));
  }
}

/** The library reads as much at a time as the file says. */
function bounded(file: FileHandle): FileHandle {
  const read = (buffer: Uint8Array, offset: number, length: number, position: number) => {
    if (length > BATCH_BYTES_MAX)
      throw new TableError(`holds a batch of ${length} bytes; the limit is ${BATCH_BYTES_MAX}: write it in smaller batches, or as Parquet`);
    return file.read(buffer, offset, length, position);
  };
  return Object.create(file, {
    read: { value: read },
    stat: { value: () => file.stat() },
    close: { value: () => file.close() },
    fd: { value: file.fd },
  });
}

function isFile(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 6)).toString('latin1') === 'ARROW1';
}
