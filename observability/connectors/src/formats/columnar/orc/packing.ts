// SPDX-License-Identifier: Apache-2.0
/** How the bytes of an ORC file are packed: https://orc.apache.org/specification/ORCv1/#compression */
import { lz4UnpackBlock } from '../lz4-frame.ts';
import { snappyUnpack } from '../snappy.ts';
import { TableError } from '../table.ts';
import { inflated, zstdUnpacked } from '../unpack.ts';

export type OrcPacking = {
  /** Undefined where bytes stand as they are. */
  readonly unpack: ((packed: Uint8Array) => Uint8Array) | undefined;
};

/** In the order of their numbers. */
const CODECS = ['none', 'zlib', 'snappy', 'lzo', 'lz4', 'zstd', 'brotli'] as const;
type Codec = (typeof CODECS)[number];
const UNPACKERS: { readonly [codec in Codec]?: (packed: Uint8Array, bytesMax: number) => Uint8Array } = {
  zlib: inflated,
  snappy: snappyUnpack,
  lz4: lz4UnpackBlock,
  zstd: zstdUnpacked,
};
/** The header of a chunk has 23 bits for its length, which no writer goes beyond. */
const CHUNK_BYTES_MAX = 2 ** 23;

/** @throws TableError for what is not unpacked, by its name */
export function packingOf(kind: number, chunkBytes: number): OrcPacking {
  const codec = CODECS[kind];
  if (codec === 'none') return { unpack: undefined };
  const unpacker = codec && UNPACKERS[codec];
  if (unpacker === undefined)
    throw new TableError(
      `is packed with the codec ${codec ?? kind}, which is not supported; expected none, ${Object.keys(UNPACKERS).join(', ')}`,
    );
  if (chunkBytes > CHUNK_BYTES_MAX) throw new TableError(`packs ${chunkBytes} bytes at a time; the limit is ${CHUNK_BYTES_MAX}`);
  return { unpack: (packed) => unpacker(packed, chunkBytes) };
}
