// SPDX-License-Identifier: Apache-2.0
/** Unpacks LZ4, the usual packing of Feather files, which Node has not: https://github.com/lz4/lz4/tree/dev/doc (frame and block format). */
import { TableError } from './table.ts';
import { UnpackedBytes } from './unpacked-bytes.ts';

const MAGIC = 0x184d2204;
const HAS_BLOCK_CHECKSUM = 0x10;
const HAS_CONTENT_SIZE = 0x08;
const HAS_DICTIONARY = 0x01;
const IS_STORED = 0x80000000;
const MATCH_BYTES_MIN = 4;
/** A length of 15 goes on in the bytes behind it, as long as they are 255. */
const LONG_LENGTH = 15;

export function lz4Unpack(packed: Uint8Array, bytesMax: number): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (packed.byteLength < 7 || view.getUint32(0, true) !== MAGIC) throw damaged();
  const flags = view.getUint8(4);
  if ((flags & HAS_DICTIONARY) !== 0) throw damaged();
  let at = 7 + ((flags & HAS_CONTENT_SIZE) === 0 ? 0 : 8);
  const output = new UnpackedBytes(bytesMax);
  for (;;) {
    if (at + 4 > packed.byteLength) throw damaged();
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) return output.bytes();
    const length = size & ~IS_STORED;
    if (at + length > packed.byteLength) throw damaged();
    const block = packed.subarray(at, at + length);
    if ((size & IS_STORED) === 0) unpackBlock(block, output);
    else output.append(block);
    at += length + ((flags & HAS_BLOCK_CHECKSUM) === 0 ? 0 : 4);
  }
}

/** One block without a frame around it. */
export function lz4UnpackBlock(block: Uint8Array, bytesMax: number): Uint8Array {
  const output = new UnpackedBytes(bytesMax);
  unpackBlock(block, output);
  return output.bytes();
}

function unpackBlock(block: Uint8Array, output: UnpackedBytes): void {
  let at = 0;
  const next = (): number => {
    const byte = block[at++];
    if (byte === undefined) throw damaged();
    return byte;
  };
  const lengthOf = (short: number): number => {
    let length = short;
    if (short === LONG_LENGTH) for (let more = 255; more === 255; length += more) more = next();
    return length;
  };
  while (at < block.length) {
    const token = next();
    const literals = lengthOf(token >> 4);
    if (at + literals > block.length) throw damaged();
    output.append(block.subarray(at, at + literals));
    at += literals;
    // The last sequence has literals alone.
    if (at === block.length) return;
    const distance = next() | (next() << 8);
    if (!output.repeat(distance, lengthOf(token & 0x0f) + MATCH_BYTES_MIN)) throw damaged();
  }
}

function damaged(): TableError {
  return new TableError('is damaged: its LZ4 data cannot be decompressed');
}
