// SPDX-License-Identifier: Apache-2.0
import type { Threshold } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import type { SeriesPoint } from './band.ts';
import { createBandModel } from './band-model.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 5);

/** One point a day; a value in brackets is excluded. */
function daily(...values: readonly (number | null | readonly [number])[]): SeriesPoint[] {
  return values.map((value, day) => ({
    timeMs: START_MS + day * DAY_MS,
    value: Array.isArray(value) ? (value[0] ?? null) : (value as number | null),
    isExcluded: Array.isArray(value),
  }));
}

function band(threshold: Partial<Threshold>, history: readonly SeriesPoint[], limits: { minimum?: number; maximum?: number } = {}) {
  const whole: Threshold = {
    threshold_type: 'ML',
    threshold1: null,
    threshold2: null,
    extrapolation_strategy: 'IGNORE',
    history_limit: 0,
    ...threshold,
  };
  return createBandModel(whole, { familySize: 1, ...limits }).bandAt(history, START_MS + history.length * DAY_MS);
}

describe('a static threshold', () => {
  test.each([
    [10, 20],
    [null, 20],
    [10, null],
  ])('%s to %s is its own band, with or without a history', (threshold1, threshold2) => {
    const threshold = { threshold_type: 'STATIC', threshold1, threshold2 } as const;
    expect(band(threshold, [])).toEqual({ lower: threshold1, upper: threshold2 });
    expect(band(threshold, daily(1, 2, 3))).toEqual({ lower: threshold1, upper: threshold2 });
  });
});

describe('a relative threshold', () => {
  const drift = (history: readonly SeriesPoint[], more: Partial<Threshold> = {}) =>
    band({ threshold_type: 'RELATIVE', threshold1: -10, threshold2: 20, ...more }, history);

  test.each([
    ['a positive mean', daily(90, 110), { lower: 90, upper: 120 }],
    ['a negative mean, of which a higher drift is a lower value', daily(-90, -110), { lower: -120, upper: -90 }],
    ['nothing but zeros, from which anything else has drifted', daily(0, 0, 0), { lower: 0, upper: 0 }],
    ['an excluded point, which does not count', daily(90, [5000], 110), { lower: 90, upper: 120 }],
    ['a gap, which does not count', daily(90, null, 110), { lower: 90, upper: 120 }],
  ])('of %s', (_, history, expected) => {
    expect(drift(history)).toEqual(expected);
  });

  test.each([
    ['no point', daily()],
    ['one point', daily(100)],
    ['two of which one is excluded', daily(100, [100])],
    ['a mean that is zero by chance', daily(-5, 5)],
  ])('of %s says nothing', (_, history) => {
    expect(drift(history)).toBeUndefined();
  });

  test('may be open on one side', () => {
    expect(drift(daily(100, 100), { threshold1: null })).toEqual({ lower: null, upper: 120 });
    expect(drift(daily(-100, -100), { threshold1: null })).toEqual({ lower: -120, upper: null });
  });

  test('averages the newest 20 points, or as many as the limit says', () => {
    const history = daily(...Array<number>(10).fill(1000), ...Array<number>(20).fill(100));
    expect(drift(history)).toEqual({ lower: 90, upper: 120 });
    expect(drift(history, { history_limit: 30 })).toEqual({ lower: 360, upper: 480 });
  });

  test.each([
    ['IGNORE', { lower: 90, upper: 120 }],
    ['ZERO', { lower: 60, upper: 80 }],
    ['AVERAGE', { lower: 90, upper: 120 }],
  ] as const)('with %s where a scan gave no value', (extrapolation_strategy, expected) => {
    expect(drift(daily(100, null, 100), { extrapolation_strategy })).toEqual(
      expect.objectContaining({ lower: expect.closeTo(expected.lower), upper: expect.closeTo(expected.upper) }),
    );
  });
});

describe('a learned threshold', () => {
  test.each([
    ['no history', daily()],
    ['four points', daily(1, 2, 3, 4)],
    ['five points of which one is excluded', daily(1, 2, 3, [4], 5)],
    ['five points of which one is a gap', daily(1, 2, 3, null, 5)],
    ['nothing but gaps', daily(null, null, null, null, null, null)],
  ])('says nothing after %s', (_, history) => {
    expect(band({}, history)).toBeUndefined();
  });

  test('evaluates no weekend before it has seen one, and no weekday either', () => {
    const monday = START_MS;
    const model = createBandModel(
      { threshold_type: 'ML', threshold1: null, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 },
      { familySize: 1 },
    );
    const week = daily(1000, 1010, 990, 1005, 995);
    expect(model.bandAt(week, monday + 5 * DAY_MS)).toBeUndefined();
    expect(model.bandAt([...daily(1000, 1010, 990, 1005, 995, 400)], monday + 6 * DAY_MS)).toBeDefined();
  });

  test('does not let an excluded point teach', () => {
    const values = [100, 103, 98, 101, 97, 102, 99, 100];
    const expected = band({}, daily(...values));
    const times = daily(...values).map(({ timeMs }) => timeMs);
    const excluded = { timeMs: (times[3] ?? 0) + 1, value: 1e6, isExcluded: true };
    const history = daily(...values);
    expect(
      band(
        {},
        [...history.slice(0, 4), excluded, ...history.slice(4)].filter(({ timeMs }) => timeMs >= START_MS),
      )?.upper,
    ).toBeCloseTo(expected?.upper ?? Number.NaN, -2);
  });

  test('considers as many past points as the limit says', () => {
    const history = daily(...Array<number>(20).fill(5000), ...Array<number>(8).fill(100));
    expect(band({ history_limit: 8 }, history)?.upper).toBeLessThan(150);
    expect(band({ history_limit: 4 }, history)).toBeUndefined();
  });

  test('takes a gap for zero, or for the average, as the strategy says', () => {
    const gappy = daily(100, 101, null, 99, null, 100, 101, null, 99, 100, 101);
    const width = (extrapolation_strategy: Threshold['extrapolation_strategy']) => {
      const { lower, upper } = band({ extrapolation_strategy }, gappy) ?? {};
      return (upper ?? Number.NaN) - (lower ?? Number.NaN);
    };
    expect(width('ZERO')).toBeGreaterThan(100);
    expect(width('IGNORE')).toBeLessThan(40);
    expect(width('AVERAGE')).toBeLessThan(40);
  });

  test('keeps inside what values there can be', () => {
    const noisy = daily(90, 99, 95, 88, 97, 92, 99, 90, 94, 98);
    const { lower, upper } = band({}, noisy, { minimum: 0, maximum: 100 }) ?? {};
    expect(lower).toBeGreaterThanOrEqual(0);
    expect(upper).toBe(100);
  });

  test('widens with the number of series that are evaluated together', () => {
    const history = daily(100, 103, 98, 101, 97, 102, 99, 100, 104, 96);
    const widths = [1, 10, 100, 1000].map((familySize) => {
      const { lower, upper } =
        createBandModel(
          { threshold_type: 'ML', threshold1: null, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 },
          { familySize },
        ).bandAt(history, START_MS + 10 * DAY_MS) ?? {};
      return (upper ?? 0) - (lower ?? 0);
    });
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
    expect(new Set(widths).size).toBe(4);
  });
});
