import { seededRandom } from '@sextant/foundation-std';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confidenceOf, shareTolerance } from './tolerance.ts';

describe('[E11] the tolerance of a share', () => {
  test('holds what sampling does to it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.double({ min: 0, max: 1, noNaN: true }), fc.integer(), (records, share, seed) => {
        const random = seededRandom(seed);
        let hits = 0;
        for (let record = 0; record < records; record += 1) if (random.next() < share) hits += 1;
        expect(Math.abs(hits / records - share)).toBeLessThanOrEqual(shareTolerance(share, records, confidenceOf(100)));
      }),
    );
  });

  test('shrinks with more records, down to the least effect that matters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0, max: 1, noNaN: true }), (records, share) => {
        const few = shareTolerance(share, records, confidenceOf(1));
        const many = shareTolerance(share, 2 * records, confidenceOf(1));
        expect(many).toBeLessThanOrEqual(few);
        expect(many).toBeGreaterThan(0);
      }),
    );
  });

  test.each([
    [0.5, 0.025],
    [0.98, 0.0076],
    [1, 0.0006],
  ])('of %f is about %f for many records', (share, tolerance) => {
    expect(shareTolerance(share, 1e9, confidenceOf(1))).toBeCloseTo(tolerance, 4);
  });
});
