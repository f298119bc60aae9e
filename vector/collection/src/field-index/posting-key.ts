// SPDX-License-Identifier: Apache-2.0
/**
 * Keys of posting lists. One index owns the keys that start with its ordinal:
 *
 *   ordinal   length byte, then so many bytes big-endian: short for the first indexes, ordered, and no start of another
 *   tag       what the rest says
 *   rest      by tag:
 *     count         u8 1 where the point has a value of the index's type, else 0 | u32 big-endian: elements of one value at the path
 *     null          nothing: a value at the path is null
 *     null-element  nothing: a value at the path is an array that holds null
 *     value         an element in the encoding of the index's type, ordered as the values are
 *     bucket        the first 3 bytes of such an element, where the type is ordered: numbers, datetimes, places
 *
 * A point without anything at the path has no entry. Byte order is value order, so a range of values is a range of keys. A wide range
 * reads buckets, and values only at its ends: half of a million distinct numbers are then some thousand lists, not half a million.
 */
import { assert } from '@sextant/foundation-std';

export const TAG = { count: 1, null: 2, nullElement: 3, value: 4, bucket: 5 } as const;
export type Tag = (typeof TAG)[keyof typeof TAG];

/** Keys k with start <= k < end. */
export type KeyRange = { readonly start: Uint8Array; readonly end: Uint8Array };

/** For a double: sign, exponent and 12 bits of mantissa, so 4096 buckets between a number and its double. */
const BUCKET_BYTES = 3;
const NOTHING = new Uint8Array(0);
const ORDINAL_MAX = 2 ** 32 - 1;

export function postingKey(ordinal: number, tag: Tag, rest: Uint8Array = NOTHING): Uint8Array {
  const prefix = encodeOrdinal(ordinal);
  // Buffers share a pool, which makes the many small keys of a write cheap; the bytes are all written here.
  const key = Buffer.allocUnsafe(prefix.length + 1 + rest.length);
  key.set(prefix);
  key[prefix.length] = tag;
  key.set(rest, prefix.length + 1);
  return key;
}

/** The rest of a key, after ordinal and tag. */
export function restOf(key: Uint8Array): Uint8Array {
  return key.subarray(2 + (key[0] ?? 0));
}

/** Every key of an index. */
export function postingRangeOf(ordinal: number): KeyRange {
  const start = encodeOrdinal(ordinal);
  return { start, end: after(start) };
}

/** Every key of an index with this tag, and with a rest that starts with `restPrefix`. */
export function prefixRange(ordinal: number, tag: Tag, restPrefix: Uint8Array = NOTHING): KeyRange {
  const start = postingKey(ordinal, tag, restPrefix);
  return { start, end: after(start) };
}

/** The bucket of an encoded value. */
export function bucketOf(encoding: Uint8Array): Uint8Array {
  return encoding.subarray(0, BUCKET_BYTES);
}

/** The lowest key above `key`. */
export function successor(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}

export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}

/** The lowest key above all that start with `prefix`. */
function after(prefix: Uint8Array): Uint8Array {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length--;
  assert(length > 0, 'a prefix holds the tag or the length of the ordinal, neither of which is 255');
  // Not `slice`, which shares memory where the prefix is a Buffer.
  const end = Uint8Array.from(prefix.subarray(0, length));
  end[length - 1] = (end[length - 1] ?? 0) + 1;
  return end;
}

function encodeOrdinal(ordinal: number): Uint8Array {
  const common = COMMON_ORDINALS[ordinal];
  if (common !== undefined) return common;
  assert(Number.isInteger(ordinal) && ordinal >= 0 && ordinal <= ORDINAL_MAX, 'ordinals are 32-bit');
  return bytesOfOrdinal(ordinal);
}

function bytesOfOrdinal(ordinal: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = ordinal; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from([bytes.length, ...bytes]);
}

const COMMON_ORDINALS = Array.from({ length: 64 }, (_, ordinal) => bytesOfOrdinal(ordinal));
