import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LargestValues } from './largest-values.ts';

test('the largest values are those of the sorted stream', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: 0 }), { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (values, capacity) => {
      const largest = new LargestValues(capacity);
      for (const value of values) largest.add(value);
      const expected = values.toSorted((a, b) => b - a).slice(0, capacity);
      expect(expected.map((_, rank) => largest.at(rank))).toEqual(expected);
    }),
  );
});
