// SPDX-License-Identifier: Apache-2.0
/** Integers of 64 bits and more. Most are small, and a thousand times cheaper as numbers: a bigint is what a number does not hold exactly. */
import { damagedOrc } from './message.ts';
import type { OrcStream } from './stream.ts';

export type OrcInteger = number | bigint;

/** Of seven bits: a number adds up as many without a loss. */
const SMALL_VARINT_BYTES = 7;
const VARINT_BYTES_MAX = 10;
const UINT64_END = 2n ** 64n;

/** https://orc.apache.org/specification/ORCv1/#base-128-varint */
export function varint(stream: OrcStream): OrcInteger {
  const value = longVarint(stream, VARINT_BYTES_MAX);
  if (value >= UINT64_END) throw damagedOrc();
  return value;
}

/** Of as many bytes as a decimal needs. */
export function longVarint(stream: OrcStream, bytesMax: number): OrcInteger {
  let small = 0;
  for (let index = 0; index < SMALL_VARINT_BYTES; index += 1) {
    const byte = stream.byte();
    small += (byte & 0x7f) * 128 ** index;
    if (byte < 0x80) return small;
  }
  let value = BigInt(small);
  for (let index = SMALL_VARINT_BYTES; index < bytesMax; index += 1) {
    const byte = stream.byte();
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return normal(value);
  }
  throw damagedOrc();
}

/** The sign stands in the lowest bit. */
export function unzigzag(value: OrcInteger): OrcInteger {
  if (typeof value === 'number') return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  return normal((value >> 1n) ^ -(value & 1n));
}

/** Beyond 64 bits it begins again at the other end, as with the integers of who wrote it. */
export function add(one: OrcInteger, other: OrcInteger): OrcInteger {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return normal(BigInt.asIntN(64, BigInt(one) + BigInt(other)));
}

export function negated(value: OrcInteger): OrcInteger {
  return value === 0 ? 0 : -value;
}

export function normal(value: bigint): OrcInteger {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** What must be a length, a count or an index. */
export function countOf(value: OrcInteger): number {
  if (typeof value === 'bigint' || value < 0) throw damagedOrc();
  return value;
}

export function int32Of(value: OrcInteger): number {
  if (typeof value === 'bigint' || value !== (value | 0)) throw damagedOrc();
  return value;
}
