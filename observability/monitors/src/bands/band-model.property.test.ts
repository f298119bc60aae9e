// SPDX-License-Identifier: Apache-2.0
import type { Threshold } from '@sextant/contracts-observability';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SeriesPoint, SeriesTraits } from './band.ts';
import { createBandModel } from './band-model.ts';

const LEARNED: Threshold = { threshold_type: 'ML', threshold1: null, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 };
const HOUR_MS = 3_600_000;

const threshold = fc.record<Threshold>({
  threshold_type: fc.constantFrom('ML', 'RELATIVE'),
  threshold1: fc.constantFrom(null, -100, -50, 0),
  threshold2: fc.constantFrom(null, 0, 50),
  extrapolation_strategy: fc.constantFrom('IGNORE', 'ZERO', 'AVERAGE'),
  history_limit: fc.constantFrom(0, 7, 1000),
});

const RARELY = fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0);

/** Times rise or stand still; values are anything that a double can be. */
const history = (value: fc.Arbitrary<number>) =>
  fc
    .array(fc.record({ waitMs: fc.nat(100 * HOUR_MS), value: fc.option(value, { freq: 10 }), isExcluded: RARELY }), {
      minLength: 2,
      maxLength: 60,
    })
    .map((steps) => {
      let timeMs = Date.UTC(2026, 0, 1);
      return steps.map(({ waitMs, ...point }): SeriesPoint => {
        timeMs += waitMs;
        return { ...point, timeMs };
      });
    });

const ANY_NUMBER = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -0, 1e308, -1e308, 5e-324));
const MEASURED = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.double({ min: -1000, max: 1000, noNaN: true }));

const endOf = (points: readonly SeriesPoint[]) => (points.at(-1)?.timeMs ?? 0) + HOUR_MS;

test('a band is a band, whatever was measured', () => {
  fc.assert(
    fc.property(threshold, history(ANY_NUMBER), fc.boolean(), (of, points, isShare) => {
      const limits = isShare ? { minimum: 0, maximum: 100 } : {};
      const band = createBandModel(of, { ...limits, familySize: 10 }).bandAt(points, endOf(points));
      if (band === undefined) return;
      const { lower, upper } = band;
      expect(lower).not.toBeNaN();
      expect(upper).not.toBeNaN();
      if (lower !== null && upper !== null) expect(lower).toBeLessThanOrEqual(upper);
      if (isShare && of.threshold_type === 'ML')
        expect([lower, upper].every((bound) => bound !== null && bound >= 0 && bound <= 100)).toBe(true);
    }),
    { numRuns: roundsOf({ quick: 500 }) },
  );
});

test('an excluded point changes nothing, whatever its value', () => {
  fc.assert(
    fc.property(threshold, history(MEASURED), ANY_NUMBER, (of, points, other) => {
      const model = createBandModel(of, { familySize: 1 });
      const replaced = points.map((point) => (point.isExcluded ? { ...point, value: other } : point));
      const without = points.filter(({ isExcluded }) => !isExcluded);
      const boundsAt = (past: readonly SeriesPoint[]) => {
        const { lower, upper } = model.bandAt(past, endOf(points)) ?? {};
        return { lower, upper };
      };
      expect(boundsAt(replaced)).toEqual(boundsAt(points));
      expect(boundsAt(without)).toEqual(boundsAt(points));
    }),
  );
});

test('more series in the family never make a band narrower', () => {
  fc.assert(
    fc.property(history(MEASURED), (points) => {
      const [single, family] = [1, 300].map((familySize) => createBandModel(LEARNED, { familySize }).bandAt(points, endOf(points)));
      if (single === undefined || family === undefined) {
        expect(family).toBe(single);
        return;
      }
      expect(family.lower).toBeLessThanOrEqual(single.lower ?? Number.NaN);
      expect(family.upper).toBeGreaterThanOrEqual(single.upper ?? Number.NaN);
    }),
  );
});

test('a series measured in another unit has the same band in that unit', () => {
  const traits: SeriesTraits = { familySize: 1, isCount: false };
  fc.assert(
    fc.property(history(fc.double({ min: 10, max: 1000, noNaN: true })), fc.constantFrom(8, 1024), (points, factor) => {
      const scaled = points.map((point) => ({ ...point, value: point.value === null ? null : point.value * factor }));
      const model = createBandModel(LEARNED, traits);
      const [band, other] = [model.bandAt(points, endOf(points)), model.bandAt(scaled, endOf(points))];
      expect(other?.lower).toBe(band === undefined ? undefined : (band.lower ?? 0) * factor);
      expect(other?.upper).toBe(band === undefined ? undefined : (band.upper ?? 0) * factor);
    }),
  );
});
