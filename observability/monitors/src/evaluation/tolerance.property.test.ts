// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confidenceOf, rareShareTolerance, shareTolerance } from './tolerance.ts';

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

describe('the tolerance of a share of few', () => {
  const shares = fc.double({ min: 0.0005, max: 0.01, noNaN: true });

  test('holds what sampling does to it', () => {
    const random = seededRandom(3);
    fc.assert(
      fc.property(shares, fc.integer({ min: 200, max: 3000 }), (share, records) => {
        let found = 0;
        for (let record = 0; record < records; record += 1) if (random.next() < share) found += 1;
        expect(found / records - share).toBeLessThanOrEqual(rareShareTolerance(share, records, confidenceOf(10)));
      }),
    );
  });

  test('is narrower than the one of any share, and lets the tenfold of one of a thousand pass in no sample of a thousand', () => {
    fc.assert(
      fc.property(shares, fc.integer({ min: 1000, max: 20_000 }), fc.integer({ min: 1, max: 20 }), (share, records, family) => {
        const confidence = confidenceOf(family);
        expect(rareShareTolerance(share, records, confidence)).toBeLessThanOrEqual(shareTolerance(share, records, confidence));
        expect(rareShareTolerance(0.001, records, confidence)).toBeLessThan(0.01);
      }),
    );
  });

  test('of a share that was never seen is that of one record', () => {
    expect(rareShareTolerance(0, 4000, confidenceOf(8))).toBeCloseTo(rareShareTolerance(1 / 4000, 4000, confidenceOf(8)) + 1 / 4000, 12);
  });
});
