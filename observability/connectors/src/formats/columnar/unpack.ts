// SPDX-License-Identifier: Apache-2.0
/** Unpacks what Node can, up to a limit: a few bytes may say that they become gigabytes. */
import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { TableError } from './table.ts';

export function inflated(packed: Uint8Array, bytesMax: number): Uint8Array {
  return unpacked(inflateRawSync, packed, bytesMax);
}

export function zstdUnpacked(packed: Uint8Array, bytesMax: number): Uint8Array {
  return unpacked(zstdDecompressSync, packed, bytesMax);
}

type Unpacker = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

function unpacked(unpack: Unpacker, packed: Uint8Array, bytesMax: number): Uint8Array {
  try {
    return unpack(packed, { maxOutputLength: Math.max(1, bytesMax) });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new TableError(
      isTooLarge ? `unpacks to more than the limit of ${bytesMax} bytes` : 'is damaged: its data cannot be decompressed',
      {
        cause: error,
      },
    );
  }
}
