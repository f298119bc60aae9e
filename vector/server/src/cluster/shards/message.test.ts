// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMessage, encodeMessage } from './message.ts';

test('vectors stay vectors, lists of numbers lists, and integers exact', () => {
  const message = {
    vector: Float32Array.of(0.1, 2, -3),
    list: [0.5, 1, 2, 3, 4],
    digits: [0.1, 0.2, 0.3, 0.4],
    id: 18446744073709551615n,
    none: null,
    nested: [{ vectors: [Float32Array.of(1), Float32Array.of(2, 3)] }],
  };
  expect(decodeMessage(encodeMessage(message))).toEqual(message);
});

test('components do not travel as digits', () => {
  const vector = Array.from({ length: 768 }, (_, at) => Math.fround(Math.sin(at)));
  expect(encodeMessage({ vector }).length).toBeLessThan(768 * 4 + 64);
});

test('members that are called as marks are stay what they are', () => {
  const payload = { '\u0000vector': 3, '\u0000\u0000numbers': { '\u0000numbers': 1 } };
  expect(decodeMessage(encodeMessage({ payload }))).toEqual({ payload });
});

test('any JSON arrives as it was sent', () => {
  const plain = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  fc.assert(
    fc.property(plain, (value) => {
      expect(decodeMessage(encodeMessage({ value }))).toEqual({ value });
    }),
  );
});
