// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { BitRuns, ByteRuns } from './byte-runs.ts';
import { type IntegerEncoding, IntegerRuns } from './integer-runs.ts';
import { OrcMemory } from './memory.ts';
import { OrcStream } from './stream.ts';

function streamOf(...bytes: readonly number[]): OrcStream {
  const content = Uint8Array.from(bytes);
  const read = (at: number, length: number) => content.subarray(at, at + length);
  return new OrcStream({ read, start: 0, length: content.length, packing: { unpack: undefined }, memory: new OrcMemory() });
}

function all<Value>(runs: { readonly next: () => Value; readonly isAtEnd: () => boolean }): readonly Value[] {
  const values: Value[] = [];
  while (!runs.isAtEnd()) values.push(runs.next());
  return values;
}

const integers = (bytes: readonly number[], encoding: IntegerEncoding) => all(new IntegerRuns(streamOf(...bytes), encoding));
const OLD = { version: 1, isSigned: false } as const;
const OLD_SIGNED = { version: 1, isSigned: true } as const;
const NEW = { version: 2, isSigned: false } as const;
const NEW_SIGNED = { version: 2, isSigned: true } as const;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;
const repeated = <Value>(value: Value, length: number): readonly Value[] => Array.from({ length }, () => value);
const FF = (length: number): readonly number[] => repeated(0xff, length);

/** Those that name no other source are examples of the specification. */
describe('runs of bytes', () => {
  test.each([
    [[0x61, 0x00], repeated(0, 100)],
    [
      [0xfe, 0x44, 0x45],
      [0x44, 0x45],
    ],
    [
      [0x00, 0x07, 0xff, 0x09],
      [7, 7, 7, 9],
    ],
  ])('%j', (bytes, expected) => expect(all(new ByteRuns(streamOf(...bytes)))).toEqual(expected));

  test('hold bits, the highest first', () => {
    const bits = new BitRuns(streamOf(0xff, 0x80));
    expect(Array.from({ length: 8 }, () => bits.next())).toEqual([true, false, false, false, false, false, false, false]);
    expect(bits.isAtEnd()).toBe(true);
  });

  test.each([[[0x61]], [[0xfe, 0x44]]])('that are cut are damaged: %j', (bytes) => {
    expect(() => all(new ByteRuns(streamOf(...bytes)))).toThrow('damaged or truncated');
  });
});

describe('runs of integers', () => {
  test.each([
    ['a run', OLD, [0x61, 0x00, 0x07], repeated(7, 100)],
    ['a run that falls', OLD, [0x61, 0xff, 0x64], Array.from({ length: 100 }, (_, index) => 100 - index)],
    ['literals', OLD, [0xfb, 0x02, 0x03, 0x06, 0x07, 0x0b], [2, 3, 6, 7, 11]],
    ['signed literals', OLD_SIGNED, [0xfd, 0x01, 0x02, 0x03], [-1, 1, -2]],
    ['the least integer', OLD_SIGNED, [0xff, ...FF(9), 0x01], [LONG_MIN]],
    ['a run beyond the greatest integer', OLD_SIGNED, [0x00, 0x01, 0xfe, ...FF(8), 0x01], [LONG_MAX, LONG_MIN, LONG_MIN + 1n]],
  ])('of the first version: %s', (_name, encoding, bytes, expected) => expect(integers(bytes, encoding)).toEqual(expected));

  test.each([
    ['short repeat', NEW, [0x0a, 0x27, 0x10], repeated(10_000, 5)],
    ['short repeat of eight bytes', NEW_SIGNED, [0x38, ...FF(8)], repeated(LONG_MIN, 3)],
    ['direct', NEW, [0x5e, 0x03, 0x5c, 0xa1, 0xab, 0x1e, 0xde, 0xad, 0xbe, 0xef], [23_713, 43_806, 57_005, 48_879]],
    ['direct of three bits', NEW, [0x44, 0x03, 0b001_010_01, 0b1_111_0000], [1, 2, 3, 7]],
    ['direct of 64 bits', NEW_SIGNED, [0x7e, 0x01, ...FF(7), 0xfe, 0, 0, 0, 0, 0, 0, 0, 3], [LONG_MAX, -2]],
    ['delta', NEW, [0xc6, 0x09, 0x02, 0x02, 0x22, 0x42, 0x42, 0x46], [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]],
    ['delta that falls', NEW_SIGNED, [0xc6, 0x03, 0x02, 0x01, 0x23], [1, 0, -2, -5]],
    ['delta of one step', NEW_SIGNED, [0xc0, 0x03, 0x01, 0x14], [-1, 9, 19, 29]],
    ['delta of one value', NEW, [0xc0, 0x00, 0x05, 0x02], [5]],
    [
      'patched base',
      NEW,
      [
        0x8e, 0x13, 0x2b, 0x21, 0x07, 0xd0, 0x1e, 0x00, 0x14, 0x70, 0x28, 0x32, 0x3c, 0x46, 0x50, 0x5a, 0x64, 0x6e, 0x78, 0x82, 0x8c, 0x96,
        0xa0, 0xaa, 0xb4, 0xbe, 0xfc, 0xe8,
      ],
      [2030, 2000, 2020, 1_000_000, ...Array.from({ length: 16 }, (_, index) => 2040 + 10 * index)],
    ],
    // Base -5 with its sign in front; the one patch is the second value's.
    ['patched base below zero', NEW_SIGNED, [0x82, 0x02, 0x00, 0x01, 0x85, 0b00_01_10_00, 0b1_1_000000], [-5, 0, -3]],
  ])('of the second version: %s', (_name, encoding, bytes, expected) => expect(integers(bytes, encoding)).toEqual(expected));

  test('patched base goes on behind a gap of more than 255', () => {
    // 301 values of one bit, all 0: a gap of 255 without a patch, then 45 more to the last value, whose patch is 1.
    const header = [0x80 | 1, 300 - 256, 0x00, 0xe2, 0x00];
    const entry = (gap: number, patch: number) => (gap << 1) | patch;
    const patches = (BigInt(entry(255, 0)) << 15n) | (BigInt(entry(45, 1)) << 6n);
    const bytes = [...header, ...repeated(0, 38), Number(patches >> 16n), Number((patches >> 8n) & 0xffn), Number(patches & 0xffn)];
    const values = integers(bytes, NEW);
    expect(values.flatMap((value, index) => (value === 0 ? [] : [[index, value]]))).toEqual([[300, 2]]);
    expect(values).toHaveLength(301);
  });

  test.each([
    ['cut in its header', NEW, [0x5e]],
    ['cut in its values', NEW, [0x5e, 0x03, 0x5c]],
    ['with a varint that never ends', OLD, [0xff, ...FF(12)]],
    ['with a varint of more than 64 bits', OLD, [0xff, ...FF(9), 0x02]],
    ['with a delta to a second value that is not there', NEW, [0xc6, 0x00, 0x02, 0x02]],
    ['with a patch behind its end', NEW, [0x80, 0x02, 0x00, 0xe1, 0x00, 0x00, 0b00000100, 0b1_0000000]],
    ['with a patch of more than 64 bits', NEW, [0x80, 0x00, 0x1f, 0xe1, 0x00, 0x00]],
  ])('%s are damaged', (_name, encoding, bytes) => {
    expect(() => integers(bytes, encoding)).toThrow('damaged or truncated');
  });
});
