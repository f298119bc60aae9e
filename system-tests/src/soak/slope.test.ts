// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { slopeOf } from './slope.ts';

describe('the slope of a series', () => {
  test('is that of a line, without doubt', () => {
    expect(slopeOf([1, 3, 5, 7, 9])).toEqual({ perStep: 2, low: 2, high: 2 });
  });

  test('is not moved by outliers', () => {
    const values = Array.from({ length: 30 }, (_, minute) => 100 + minute);
    expect(slopeOf(values.with(3, 900).with(20, 0).with(27, 5000)).perStep).toBeCloseTo(1, 1);
  });

  test('of noise holds zero in its interval, and of noise that grows does not', () => {
    const random = seededRandom(1);
    const noise = Array.from({ length: 40 }, () => random.next() * 10);
    const { low, high } = slopeOf(noise);
    expect([low < 0, high > 0]).toEqual([true, true]);
    expect(slopeOf(noise.map((value, minute) => value + minute)).low).toBeGreaterThan(0.5);
  });

  test('of seven values that rise has the 11th of its 21 slopes, between the 2nd and the 20th', () => {
    // Between 1 and 6, 21 slopes: 1, 1.5, 2, 2, ..., 5, 5.5, 6. Sen's interval is 2.576 times the root of 7 x 6 x 19 / 18, so 17.2 slopes, wide.
    expect(slopeOf([1, 2, 4, 7, 11, 16, 22])).toEqual({ perStep: 3.5, low: 1.5, high: 6 });
  });
});
