// SPDX-License-Identifier: Apache-2.0
/**
 * Unpacks Snappy, which Node has not: https://github.com/google/snappy/blob/main/format_description.txt. The function of the library that reads
 * Parquet takes a literal of a negative length, which leads back to itself for ever.
 */
import { TableError } from './table.ts';
import { UnpackedBytes } from './unpacked-bytes.ts';

/** The lowest two bits of what an element begins with. */
const LITERAL = 0;
const COPY_OF_ONE_BYTE = 1;
const COPY_OF_TWO_BYTES = 2;
/** A literal of up to 60 bytes has its length in its first byte, a longer one in the one to four bytes behind it. */
const SHORT_LITERAL_MAX = 60;
/** How long it becomes takes five bytes at most. */
const LENGTH_BYTES_MAX = 5;

export function snappyUnpack(packed: Uint8Array, bytesMax: number): Uint8Array {
  let at = 0;
  const number = (bytes: number): number => {
    if (at + bytes > packed.length) throw damaged();
    let value = 0;
    for (let index = 0; index < bytes; index += 1) value += (packed[at++] ?? 0) * 256 ** index;
    return value;
  };
  const stated = (): number => {
    let length = 0;
    for (let index = 0; index < LENGTH_BYTES_MAX; index += 1) {
      const byte = number(1);
      length += (byte & 0x7f) * 128 ** index;
      if (byte < 0x80) return length;
    }
    throw damaged();
  };
  const length = stated();
  if (length > bytesMax) throw new TableError(`unpacks to more than the limit of ${bytesMax} bytes`);
  const output = new UnpackedBytes(length);
  while (at < packed.length) {
    const tag = number(1);
    const kind = tag & 3;
    const short = tag >> 2;
    if (kind === LITERAL) {
      const literal = 1 + (short < SHORT_LITERAL_MAX ? short : number(short - SHORT_LITERAL_MAX + 1));
      if (at + literal > packed.length || output.length + literal > length) throw damaged();
      output.append(packed.subarray(at, at + literal));
      at += literal;
    } else {
      const copied = kind === COPY_OF_ONE_BYTE ? 4 + (short & 7) : 1 + short;
      const distance = kind === COPY_OF_ONE_BYTE ? (tag >> 5) * 256 + number(1) : number(kind === COPY_OF_TWO_BYTES ? 2 : 4);
      if (output.length + copied > length || !output.repeat(distance, copied)) throw damaged();
    }
  }
  if (output.length !== length) throw damaged();
  return output.bytes();
}

function damaged(): TableError {
  return new TableError('is damaged: its Snappy data cannot be decompressed');
}
