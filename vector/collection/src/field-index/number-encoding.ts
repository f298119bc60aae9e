// SPDX-License-Identifier: Apache-2.0
/**
 * Numbers as bytes whose order is the numbers' order, integers exact beyond 2^53:
 *
 *   f64 big-endian of the nearest double, all bits flipped if below 0, else the sign bit set (so -0 is 0)
 *   80                              the value is that double
 *   7F | i63 big-endian + 2^63      below it by so much
 *   81 | u63 big-endian             above it by so much
 *
 * Integers that differ from their double by 2^63 and more (from about 2^116 on) share the outermost key of their double.
 */
import { canonicalNumber } from '../filter/clause.ts';

const EXACT = 0x80;
const BELOW = 0x7f;
const ABOVE = 0x81;
const REACH = 2n ** 63n;

export type EncodedNumber = {
  readonly bytes: Uint8Array;
  /** False where other numbers have the same bytes. */
  readonly exact: boolean;
};

export function encodeNumber(value: number | bigint): EncodedNumber {
  const double = Number(value);
  const difference = typeof value === 'bigint' && Number.isFinite(double) ? value - BigInt(double) : 0n;
  const outOfReach = !Number.isFinite(double) || difference >= REACH || difference <= -REACH;
  if (difference === 0n && !outOfReach) return { bytes: withDouble(9, double, EXACT), exact: true };
  const below = outOfReach ? value < 0 : difference < 0n;
  const distance = outOfReach ? REACH - 1n : difference < 0n ? -difference : difference;
  const bytes = withDouble(17, double, below ? BELOW : ABOVE);
  new DataView(bytes.buffer).setBigUint64(9, below ? REACH - distance : distance);
  return { bytes, exact: !outOfReach };
}

/** Undefined for an integer that no double comes near. An integer of 64 bits that is not safe is a bigint: the text of such a number is rounded. */
export function decodeNumber(bytes: Uint8Array): number | bigint | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const bits = view.getBigUint64(0);
  SCRATCH.setBigUint64(0, bits >> 63n === 1n ? bits ^ SIGN : bits ^ ALL);
  const double = SCRATCH.getFloat64(0);
  if (bytes[8] === EXACT) return Math.abs(double) <= INTEGERS_END ? canonicalNumber(double) : double;
  if (!Number.isFinite(double)) return undefined;
  const distance = view.getBigUint64(9);
  return canonicalNumber(BigInt(double) + (bytes[8] === BELOW ? distance - REACH : distance));
}

/** Beyond it there are no integers of 64 bits, signed or not. */
const INTEGERS_END = 2 ** 64;

const SIGN = 1n << 63n;
const ALL = (1n << 64n) - 1n;

const SCRATCH = new DataView(new ArrayBuffer(8));

function withDouble(length: number, double: number, kind: number): Uint8Array<ArrayBuffer> {
  SCRATCH.setFloat64(0, double);
  const flipped = double < 0 ? 0xff : 0;
  const bytes = new Uint8Array(length);
  for (let index = 0; index < 8; index++) bytes[index] = SCRATCH.getUint8(index) ^ flipped;
  if (double >= 0) bytes[0] = (bytes[0] ?? 0) | 0x80;
  bytes[8] = kind;
  return bytes;
}
