// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pooledFloat32, pooledUint32 } from './pooled-arrays.ts';

const length = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 5000 }));

test('arrays begin as zeros and never share an element', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), length), { maxLength: 60 }), (wanted) => {
      const arrays = wanted.map(([isFloat, count], index) => {
        const array = isFloat ? pooledFloat32(count) : pooledUint32(count);
        expect(array).toHaveLength(count);
        expect(array.every((value) => value === 0)).toBe(true);
        return array.fill(index + 1);
      });
      for (const [index, array] of arrays.entries()) expect(array.every((value) => value === index + 1)).toBe(true);
    }),
  );
});

test('short arrays share a buffer, long ones have their own', () => {
  const buffers = new Set(Array.from({ length: 100 }, () => pooledFloat32(100).buffer));
  expect(buffers.size).toBeLessThanOrEqual(2);
  expect(pooledUint32(4096).byteLength).toBe(pooledUint32(4096).buffer.byteLength);
});
