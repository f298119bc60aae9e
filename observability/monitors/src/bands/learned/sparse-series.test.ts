// SPDX-License-Identifier: Apache-2.0

import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normal } from '../../anomaly-bench/chance.ts';
import type { SeriesMemory, SeriesPoint, SeriesTraits } from '../band.ts';
import { createBandModel } from '../band-model.ts';
import { DAILY_SERIES_BYTES } from './series-codec.ts';
import { SparseSeries } from './sparse-series.ts';

const DAY_MS = 86_400_000;
const MONDAY_MS = Date.UTC(2026, 0, 5, 2);
const LEARNED = { threshold_type: 'ML', threshold1: null, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 } as const;
/** Of so many hourly scans the quick run compares one with the whole history: what is kept goes on from scan to scan, and so does what is wrong in it. */
const COMPARED_AT = roundsOf({ quick: 5, long: 1 });
const TRAITS: SeriesTraits = { familySize: 1, minimum: 0, isCount: true };

type Memory = SeriesMemory & { kept: Uint8Array | undefined };

function memory(): Memory {
  const own: Memory = {
    kept: undefined,
    keep: (state) => {
      own.kept = state;
    },
  };
  return own;
}

/** Quiet weekends, a batch on the first of the month, a new level at the end. */
function rows(scans: number): SeriesPoint[] {
  const random = seededRandom(7);
  return Array.from({ length: scans }, (_, scan) => {
    const timeMs = MONDAY_MS + scan * DAY_MS;
    const date = new Date(timeMs);
    const level = (date.getUTCDay() % 6 === 0 ? 400 : 1000) * (scan > 0.8 * scans ? 1.5 : 1) + (date.getUTCDate() === 1 ? 9000 : 0);
    return { timeMs, value: Math.round(level * (1 + 0.03 * normal(random))), isExcluded: false };
  });
}

const boundsOf = (band: { readonly lower: number | null; readonly upper: number | null } | undefined) => [band?.lower, band?.upper];

describe('what is kept of a daily series', () => {
  test('is less than two kilobytes', () => {
    expect(DAILY_SERIES_BYTES).toBeLessThanOrEqual(2048);
  });

  test('says at every scan what the whole history says', () => {
    const model = createBandModel(LEARNED, TRAITS);
    const points = rows(220);
    const own = memory();
    points.forEach(({ timeMs, value }, scan) => {
      const past = points.slice(0, scan);
      const [kept, learned] = [model.bandAt(past, timeMs, own), model.bandAt(past, timeMs)];
      expect(boundsOf(kept)).toEqual(boundsOf(learned));
      expect(kept?.surpriseOf?.(value ?? 0)).toEqual(learned?.surpriseOf?.(value ?? 0));
    });
    expect(own.kept?.byteLength).toBe(DAILY_SERIES_BYTES);
  });

  test('is used: of a history that nobody has seen it still says what it learned', () => {
    const model = createBandModel(LEARNED, TRAITS);
    const points = rows(60);
    const own = memory();
    model.bandAt(points, MONDAY_MS + 60 * DAY_MS, own);
    const others = points.map((point) => ({ ...point, value: 5 }));
    const band = model.bandAt(others, MONDAY_MS + 60 * DAY_MS, own);
    expect(boundsOf(band)).toEqual(boundsOf(model.bandAt(points, MONDAY_MS + 60 * DAY_MS)));
  });

  test.each<readonly [string, (points: readonly SeriesPoint[]) => readonly SeriesPoint[], Partial<SeriesTraits>]>([
    ['a point that a person excluded', (points) => points.map((point, scan) => ({ ...point, isExcluded: scan === 20 })), {}],
    ['an older point that came later', (points) => [...points.slice(0, 9), ...points.slice(10)], {}],
    ['another range', (points) => points, { minimum: -1 }],
    ['more series in the monitor', (points) => points, { familySize: 50 }],
  ])('is learned again after %s', (_, changed, traits) => {
    const points = rows(90);
    const atMs = MONDAY_MS + 90 * DAY_MS;
    const own = memory();
    createBandModel(LEARNED, TRAITS).bandAt(points, atMs, own);
    const model = createBandModel(LEARNED, { ...TRAITS, ...traits });
    expect(boundsOf(model.bandAt(changed(points), atMs, own))).toEqual(boundsOf(model.bandAt(changed(points), atMs)));
  });

  test('is learned again after a point was excluded long after its scan, and kept from then on', () => {
    const model = createBandModel(LEARNED, TRAITS);
    const points = rows(300);
    const atMs = MONDAY_MS + 300 * DAY_MS;
    const own = memory();
    model.bandAt(points, atMs, own);
    const excluded = points.map((point, scan) => ({ ...point, isExcluded: scan === 3 }));
    expect(boundsOf(model.bandAt(excluded, atMs, own))).toEqual(boundsOf(model.bandAt(excluded, atMs)));
    const again = own.kept;
    const others = excluded.map((point) => ({ ...point, value: 5 }));
    expect(boundsOf(model.bandAt(others, atMs, own))).toEqual(boundsOf(model.bandAt(excluded, atMs)));
    expect(own.kept).toEqual(again);
  });

  test('gives way to that of a series of many points a day', () => {
    const daily = rows(40);
    const from = MONDAY_MS + 40 * DAY_MS;
    const hourly = Array.from(
      { length: 240 },
      (_, hour): SeriesPoint => ({ timeMs: from + hour * 3_600_000, value: 1000 + (hour % 24), isExcluded: false }),
    );
    const model = createBandModel(LEARNED, TRAITS);
    const own = memory();
    for (let scan = 0; scan < 240; scan += 1) {
      const past = [...daily, ...hourly.slice(0, scan)];
      const kept = model.bandAt(past, from + scan * 3_600_000, own);
      if (scan % COMPARED_AT === 0) expect(boundsOf(kept)).toEqual(boundsOf(model.bandAt(past, from + scan * 3_600_000)));
    }
  });
});

test('what is kept says what the history says, whatever was measured', () => {
  const value = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -100, max: 100 }));
  fc.assert(
    fc.property(fc.array(fc.record({ days: fc.integer({ min: 1, max: 9 }), value }), { minLength: 6, maxLength: 40 }), (steps) => {
      const model = createBandModel(LEARNED, { familySize: 3 });
      const own = memory();
      const past: SeriesPoint[] = [];
      let timeMs = MONDAY_MS;
      for (const step of steps) {
        timeMs += step.days * DAY_MS;
        expect(boundsOf(model.bandAt(past, timeMs, own))).toEqual(boundsOf(model.bandAt(past, timeMs)));
        past.push({ timeMs, value: step.value, isExcluded: false });
      }
    }),
    { numRuns: roundsOf({ quick: 50 }) },
  );
});

test('after a year of quiet weekends and little noise there is a band on every day', () => {
  const random = seededRandom(1);
  const series = new SparseSeries(TRAITS);
  for (let scan = 0; scan < 400; scan += 1) {
    const timeMs = MONDAY_MS + scan * DAY_MS;
    const level = new Date(timeMs).getUTCDay() % 6 === 0 ? 400 : 10_000;
    if (scan >= 20) expect(series.bandAt(timeMs, 0.001)).toBeDefined();
    series.learn(timeMs, Math.round(level * (1 + 0.005 * normal(random))));
  }
});
