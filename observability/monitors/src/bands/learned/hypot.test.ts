// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hypot } from './hypot.ts';

test('is that of the language to the last bit, of any two numbers', () => {
  fc.assert(
    fc.property(fc.double(), fc.double(), (one, other) => {
      expect(hypot(one, other)).toBe(Math.hypot(one, other));
    }),
    { numRuns: roundsOf({ quick: 2000 }) },
  );
});
