// SPDX-License-Identifier: Apache-2.0
import type { PointId } from '@sextant/contracts-vector';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparePointIds, POINT_ID_BYTES_MAX, pointIdBytes, readPointId, writePointId } from './point-id.ts';

const smallId = fc.maxSafeNat();
const largeId = fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n });
const uuid = fc.uuid();
const anyPointId: fc.Arbitrary<PointId> = fc.oneof(smallId, largeId, uuid);

function encode(id: PointId): Buffer {
  const target = Buffer.alloc(POINT_ID_BYTES_MAX + 3);
  return Buffer.from(target.subarray(3, writePointId(id, target, 3)));
}

describe('point ids as bytes', () => {
  test('[S7] come back exact', () => {
    fc.assert(
      fc.property(anyPointId, (id) => {
        const bytes = encode(id);
        expect(readPointId(bytes, 0)).toBe(id);
        expect(bytes.length).toBe(pointIdBytes(bytes[0]));
      }),
    );
  });

  test('[S7] are ordered as the ids are', () => {
    fc.assert(
      fc.property(anyPointId, anyPointId, (left, right) => {
        expect(Math.sign(comparePointIds(left, right))).toBe(encode(left).compare(encode(right)));
      }),
    );
  });
});
