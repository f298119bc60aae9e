// SPDX-License-Identifier: Apache-2.0
/** How files are packed, and how they are unpacked: wholly or not at all. */
import { Readable, type Transform } from 'node:stream';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { SourceError } from '../connector.ts';

export type Compression = 'none' | 'gzip' | 'zstd';

const UNPACKED_SAMPLE_BYTES = 1_048_576;
const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

export function compressionOf(head: Uint8Array): Compression {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return ZSTD_MAGIC.every((byte, index) => head[index] === byte) ? 'zstd' : 'none';
}

/** A file that ends too early fails; some readers take it for a shorter file. */
export function unpacker(compression: Exclude<Compression, 'none'>): Transform {
  return compression === 'gzip' ? createGunzip() : createZstdDecompress();
}

/** The beginning of what a packed file holds; the file may be cut, and may unpack to a thousand times its size. */
export async function unpackedSample(head: Uint8Array, compression: Compression, name: string): Promise<Uint8Array> {
  if (compression === 'none') return head;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const lenient =
    compression === 'gzip'
      ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
      : createZstdDecompress({ finishFlush: constants.ZSTD_e_flush });
  try {
    for await (const chunk of Readable.from([head]).pipe(lenient) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= UNPACKED_SAMPLE_BYTES) break;
    }
  } catch (cause) {
    throw new SourceError(`${name} begins like a ${compression} file but cannot be decompressed`, { cause, member: 'payload.path' });
  }
  return Buffer.concat(chunks);
}
