// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { assetId, hexId } from './ids.ts';

test('ids have their documented shapes', () => {
  expect(hexId((count) => new Uint8Array(count).fill(0xab), 'a')).toBe(`a${'ab'.repeat(16)}`);
  expect(assetId((count) => Uint8Array.from({ length: count }, (_, index) => index))).toBe('abcdefghijkl');
});

test('bytes that would favour some characters are drawn again', () => {
  let draws = 0;
  const id = assetId((count) => {
    draws += 1;
    return new Uint8Array(count).fill(draws === 1 ? 255 : 35);
  });
  expect([id, draws]).toEqual(['999999999999', 2]);
});
