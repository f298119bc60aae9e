// SPDX-License-Identifier: Apache-2.0
/** MurmurHash3 of 32 bits (Austin Appleby, public domain; https://github.com/aappleby/smhasher, MurmurHash3_x86_32). */

const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

/** @returns an unsigned 32-bit integer */
export function murmur3(bytes: Uint8Array, seed = 0): number {
  let hash = seed;
  const blocksEnd = bytes.length - (bytes.length % 4);
  for (let at = 0; at < blocksEnd; at += 4) {
    hash = rotl32(hash ^ mixK1(wordAt(bytes, at)), 13);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  if (blocksEnd < bytes.length) hash ^= mixK1(wordAt(bytes, blocksEnd));
  return fmix32(hash ^ bytes.length) >>> 0;
}

/** Four bytes, little-endian; those beyond the end are zero. */
function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

function mixK1(word: number): number {
  return Math.imul(rotl32(Math.imul(word, C1), 15), C2);
}

function rotl32(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function fmix32(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
