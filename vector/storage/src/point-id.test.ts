// SPDX-License-Identifier: Apache-2.0
import { AssertionError } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { comparePointIds, POINT_ID_BYTES_MAX, readPointId, writePointId } from './point-id.ts';

function roundTrip(id: number | bigint | string) {
  const bytes = Buffer.alloc(POINT_ID_BYTES_MAX);
  writePointId(id, bytes, 0);
  return readPointId(bytes, 0);
}

describe('point ids', () => {
  test.each([
    [0, 0],
    [2 ** 32, 2 ** 32],
    [2 ** 53 - 1, 2 ** 53 - 1],
    [2n ** 53n, 2n ** 53n],
    [2n ** 64n - 1n, 2n ** 64n - 1n],
    [7n, 7],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ])('[S7] %s is stored as %s: a number up to 2^53 - 1, a bigint above', (id, stored) => {
    expect(roundTrip(id)).toBe(stored);
  });

  test.each([-1, 1.5, 2 ** 53, Number.NaN, -1n, 2n ** 64n, 'FFFFFFFF-ffff-ffff-ffff-ffffffffffff', 'ffffffffffffffffffffffffffffffff', ''])(
    '%s is refused',
    (id) => {
      expect(() => roundTrip(id)).toThrow(AssertionError);
    },
  );

  test('[S7] numbers come before UUIDs, and a number equals its bigint', () => {
    const ids = ['00000000-0000-0000-0000-000000000000', 2n ** 63n, 5, 'a0000000-0000-0000-0000-000000000000', 0];
    expect(ids.sort(comparePointIds)).toEqual([
      0,
      5,
      2n ** 63n,
      '00000000-0000-0000-0000-000000000000',
      'a0000000-0000-0000-0000-000000000000',
    ]);
    expect(comparePointIds(7, 7n)).toBe(0);
  });
});
