// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { snappyUnpack } from './snappy.ts';

const LIMIT = 100_000;

/** The length in front, then elements. */
function packed(length: number, ...elements: readonly (readonly number[])[]): Uint8Array {
  const stated = length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
  return Uint8Array.from([...stated, ...elements.flat()]);
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const literal = (value: string): readonly number[] => [(value.length - 1) << 2, ...Buffer.from(value, 'latin1')];

describe('a Snappy block', () => {
  test.each([
    ['nothing', packed(0), ''],
    ['a literal', packed(3, literal('abc')), 'abc'],
    ['a literal whose length has a byte of its own', packed(70, [60 << 2, 69, ...Buffer.alloc(70, 'x')]), 'x'.repeat(70)],
    ['a literal whose length has two bytes', packed(300, [61 << 2, 43, 1, ...Buffer.alloc(300, 'y')]), 'y'.repeat(300)],
    ['a copy with a distance of one byte', packed(8, literal('abcd'), [1 | (0 << 2), 4]), 'abcdabcd'],
    ['a copy that overlaps what it makes', packed(11, literal('a'), [1 | (6 << 2), 1]), 'a'.repeat(11)],
    ['a copy with a distance of two bytes', packed(6, literal('abc'), [2 | (2 << 2), 3, 0]), 'abcabc'],
    ['a copy with a distance of four bytes', packed(6, literal('abc'), [3 | (2 << 2), 3, 0, 0, 0]), 'abcabc'],
  ])('of %s becomes what was packed', (_kind, bytes, expected) => {
    expect(text(snappyUnpack(bytes, LIMIT))).toBe(expected);
  });

  test.each([
    ['that is cut in its length', Uint8Array.from([0x80])],
    ['whose length never ends', Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
    ['that is cut in a literal', packed(3, [2 << 2, 97])],
    ['that holds less than it says', packed(4, literal('abc'))],
    ['that holds more than it says', packed(2, literal('abc'))],
    ['that copies what was not written', packed(8, literal('abcd'), [1, 5])],
    ['that copies from no distance', packed(8, literal('abcd'), [1, 0])],
    ['that copies from beyond 2 GiB', packed(6, literal('abc'), [3 | (2 << 2), 3, 0, 0, 0x80])],
    ['whose literal has a negative length', packed(100, literal('abcd'), [63 << 2, 0xfa, 0xff, 0xff, 0xff])],
  ])('%s is refused', (_kind, bytes) => {
    expect(() => snappyUnpack(bytes, LIMIT)).toThrow('is damaged: its Snappy data cannot be decompressed');
  });

  test('that unpacks to more than the limit is refused before it is unpacked', () => {
    expect(() => snappyUnpack(packed(8, literal('abcd'), [1, 4]), 7)).toThrow('unpacks to more than the limit of 7 bytes');
  });
});
