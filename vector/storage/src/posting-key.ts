// SPDX-License-Identifier: Apache-2.0
/**
 * Keys of posting lists. A list is stored in chunks of 65 536 rows, so a chunk number follows the caller's key, and
 * one caller's key may start another ("a", "ab"): plainly joined, the chunks of "a" would lie among those of "ab".
 * As in FoundationDB's tuple layer a zero byte of the key is therefore written as 00 FF and two zero bytes end it, which
 * keeps byte order and makes no stored key the start of another:
 *
 *   key with 00 -> 00 FF | 00 00 | chunk u16 big-endian
 */
import { assert } from '@sextant/foundation-std';

/** lmdb-js's limit for pages of 4 KiB, and what it keeps to on every machine. */
const LMDB_KEY_BYTES_MAX = 1978;
const END_BYTES = 2;
const CHUNK_BYTES = 2;
const ESCAPE = 0xff;

/** Longest key of a posting list that always fits, even when all its bytes are zero. Hash values that are longer. */
export const POSTING_KEY_BYTES_MAX = (LMDB_KEY_BYTES_MAX - END_BYTES - CHUNK_BYTES) / 2;

/** The stored key without its chunk: no key, but a bound. Between two of them lie exactly the chunks of the keys between. */
export function encodePostingBound(key: Uint8Array): Buffer {
  return escapeKey(key, 0);
}

/** The stored key with room for its chunk, to be filled by `setChunk`. */
export function encodePostingKey(key: Uint8Array): Buffer {
  return escapeKey(key, CHUNK_BYTES);
}

export function setChunk(stored: Buffer, chunk: number): void {
  stored.writeUInt16BE(chunk, stored.length - CHUNK_BYTES);
}

export function decodeChunk(stored: Buffer): number {
  return stored.readUInt16BE(stored.length - CHUNK_BYTES);
}

/** The caller's key of a stored one. */
export function decodePostingKey(stored: Buffer): Uint8Array {
  const end = stored.length - END_BYTES - CHUNK_BYTES;
  const key = new Uint8Array(end);
  let bytes = 0;
  for (let index = 0; index < end; index++) {
    const byte = stored[index] ?? 0;
    key[bytes++] = byte;
    if (byte === 0) index += 1;
  }
  return bytes === end ? key : key.slice(0, bytes);
}

/** Whether two stored keys are chunks of one list. */
export function sameList(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && left.compare(right, 0, right.length - CHUNK_BYTES, 0, left.length - CHUNK_BYTES) === 0;
}

function escapeKey(key: Uint8Array, room: number): Buffer {
  assert(key.length <= POSTING_KEY_BYTES_MAX, `a posting key has at most ${POSTING_KEY_BYTES_MAX} bytes, longer values are hashed`);
  let zeros = 0;
  for (const byte of key) if (byte === 0) zeros += 1;
  const stored = Buffer.alloc(key.length + zeros + END_BYTES + room);
  let next = 0;
  for (const byte of key) {
    stored[next++] = byte;
    if (byte === 0) stored[next++] = ESCAPE;
  }
  return stored;
}
