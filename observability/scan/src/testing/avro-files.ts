// SPDX-License-Identifier: Apache-2.0
/** Avro files, written by a library that is not the reader's own. */
import { once } from 'node:events';
import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';
import avsc from 'avsc';

type Pack = (bytes: Buffer) => Uint8Array;
const CODECS = {
  null: (bytes) => bytes,
  // Better packing of 136 MiB of zeros takes five times as long.
  deflate: (bytes) => deflateRawSync(bytes, { level: 1 }),
  zstandard: (bytes) => zstdCompressSync(bytes),
  snappy: packSnappy,
} satisfies { readonly [codec: string]: Pack };

/** Rows of a record with these fields, or of the type that is named. */
export async function avroFile(
  fields: 'string' | avsc.schema.RecordType['fields'],
  rows: readonly unknown[],
  codec: keyof typeof CODECS = 'null',
): Promise<Buffer> {
  const schema: avsc.Schema = typeof fields === 'string' ? fields : { type: 'record', name: 'row', namespace: 'org.example', fields };
  const pack = CODECS[codec];
  const encoder = new avsc.streams.BlockEncoder(schema, {
    codec,
    codecs: { [codec]: (bytes: Buffer, done: (error: Error | null, packed: Buffer) => void) => done(null, Buffer.from(pack(bytes))) },
    blockSize: 8192,
  });
  const chunks: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const row of rows) encoder.write(row);
  encoder.end();
  await once(encoder, 'end');
  return Buffer.concat(chunks);
}

/** One literal of less than 64 KiB, which needs no compression to be Snappy; behind it the checksum. */
function packSnappy(bytes: Buffer): Uint8Array {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(bytes));
  const length = bytes.length - 1;
  const size = [(bytes.length & 0x7f) | 0x80, ((bytes.length >> 7) & 0x7f) | 0x80, bytes.length >> 14];
  return Buffer.concat([Buffer.from([...size, 61 << 2, length & 0xff, length >> 8]), bytes, checksum]);
}

/** Another value of so many bytes before the end. */
export function flippedLast(bytes: Buffer, before = 1): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.length - before;
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

/** More than a block may hold. */
export function longZeros(): Buffer {
  return Buffer.alloc(136 * 2 ** 20);
}
