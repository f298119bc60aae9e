// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { normal } from '../../anomaly-bench/chance.ts';
import type { SeriesMemory, SeriesPoint, SeriesTraits } from '../band.ts';
import { createBandModel } from '../band-model.ts';
import { DenseSeries } from './dense-series.ts';
import { SERIES_BYTES } from './series-codec.ts';

const HOUR_MS = 3_600_000;
const MONDAY_MS = Date.UTC(2026, 0, 5);
const LEARNED = { threshold_type: 'ML', threshold1: null, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 } as const;
const TRAITS: SeriesTraits = { familySize: 1, isCount: false };

/** Hourly: higher by day than by night. */
function hourly(points: number, seed = 1): SeriesPoint[] {
  const random = seededRandom(seed);
  return Array.from({ length: points }, (_, hour) => {
    const byDay = hour % 24 >= 8 && hour % 24 < 20 ? 500 : 0;
    return { timeMs: MONDAY_MS + hour * HOUR_MS, value: 1000 + byDay + 10 * normal(random), isExcluded: false };
  });
}

/** A memory that counts how often it was used. */
function memory(): SeriesMemory & { kept: Uint8Array | undefined } {
  const own: SeriesMemory & { kept: Uint8Array | undefined } = {
    kept: undefined,
    keep: (state) => {
      own.kept = state;
    },
  };
  return own;
}

const boundsOf = (band: { readonly lower: number | null; readonly upper: number | null } | undefined) => [band?.lower, band?.upper];

describe('a series of every hour', () => {
  const history = hourly(24 * 40);
  const noonMs = MONDAY_MS + (24 * 40 + 12) * HOUR_MS;
  const taught = [...history, ...hourly(24 * 41).slice(24 * 40, 24 * 40 + 12)];
  const band = createBandModel(LEARNED, TRAITS).bandAt(taught, noonMs);
  const isInside = (value: number) => value >= (band?.lower ?? Number.NaN) && value <= (band?.upper ?? Number.NaN);

  test.each([
    ['as usual at noon', 1500, true],
    ['as usual by night, but at noon', 1000, false],
    ['five deviations less', 1450, false],
    ['five deviations more', 1550, false],
  ])('%s', (_, value, expected) => {
    expect(isInside(value)).toBe(expected);
    const surprise = band?.surpriseOf?.(value);
    expect((surprise?.score ?? 0) <= 3).toBe(expected);
  });

  test('says what spoke', () => {
    expect(band?.surpriseOf?.(1000).detector).toBe('season');
  });

  test('says of one value in a thousand at most that it is rare', () => {
    let alarms = 0;
    let judged = 0;
    for (let seed = 0; seed < 20; seed += 1) {
      const fresh = new DenseSeries();
      for (const [index, { timeMs, value }] of hourly(24 * 60, seed).entries()) {
        if (index >= 300) {
          judged += 1;
          if (fresh.surpriseOf(timeMs, value ?? 0).score > 3) alarms += 1;
        }
        fresh.learn(timeMs, value ?? 0);
      }
    }
    expect(judged).toBeGreaterThan(20_000);
    expect(alarms / judged).toBeLessThanOrEqual(0.002);
  });
});

test('of an amount that grows by 1 % a day hours differ by more, and vary more, which is no surprise', () => {
  const START_DAYS = 90;
  let alarms = 0;
  for (let seed = 0; seed < 6; seed += 1) {
    const random = seededRandom(seed);
    const series = new DenseSeries({ isAmount: true });
    for (let hour = 0; hour < 24 * 120; hour += 1) {
      const timeMs = MONDAY_MS + hour * HOUR_MS;
      const usual = 1000 * 1.01 ** (hour / 24) * (1.1 + Math.sin((2 * Math.PI * hour) / 24));
      const value = usual * (1 + 0.05 * normal(random));
      if (hour >= 24 * START_DAYS && series.surpriseOf(timeMs, value).score > 3) alarms += 1;
      series.learn(timeMs, value);
    }
  }
  expect(alarms).toBeLessThanOrEqual(6 * 24 * 30 * 0.002);
});

describe('the local clock', () => {
  /** Alarms by the day from that on which the clock is put forward or back by so many hours, after five weeks. */
  function alarmsAfter(changedMs: number, hours: number, seed: number): readonly number[] {
    const random = seededRandom(seed);
    const fresh = new DenseSeries();
    const alarms = [0, 0, 0, 0, 0, 0, 0];
    for (let hour = 0; hour < 24 * 42; hour += 1) {
      const timeMs = changedMs + (hour - 35 * 24) * HOUR_MS;
      const day = Math.floor(hour / 24) - 35;
      const local = hour + (day < 0 ? 0 : hours);
      const value = 1000 + 500 * Math.sin((2 * Math.PI * local) / 24) + 10 * normal(random);
      if (day >= 0 && fresh.surpriseOf(timeMs, value).score > 3) alarms[day] = (alarms[day] ?? 0) + 1;
      fresh.learn(timeMs, value);
    }
    return alarms;
  }

  test.each([
    ['forward', 1, Date.UTC(2026, 2, 29)],
    ['back', -1, Date.UTC(2026, 9, 25)],
  ])('that is put %s is followed within the day', (_, hours, changedMs) => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const [first = 0, ...later] = alarmsAfter(changedMs, hours, seed);
      expect(first).toBeLessThanOrEqual(8);
      expect(later.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1);
    }
  });

  test('is not what moved where no country changes it', () => {
    const [first = 0, second = 0] = alarmsAfter(Date.UTC(2026, 6, 15), 1, 1);
    expect(first + second).toBeGreaterThan(8);
  });
});

describe('what is kept of a series', () => {
  test('takes less than two kilobytes', () => {
    expect(SERIES_BYTES).toBeLessThanOrEqual(2048);
  });

  test.each([
    ['', hourly(24 * 20)],
    [
      ', surprises in a row among them',
      hourly(24 * 20).map((point, at) => (at < 440 ? point : { ...point, value: 100 * (at - 400) ** 2 })),
    ],
  ])('gives the same bands as all of its points do%s', (_, history) => {
    const own = memory();
    const model = createBandModel(LEARNED, TRAITS);
    for (let scan = 210; scan < history.length; scan += 1) {
      const past = history.slice(0, scan);
      const timeMs = history[scan]?.timeMs ?? 0;
      const bounds = boundsOf(model.bandAt(past, timeMs, own));
      if (scan % 9 === 0) expect(bounds).toEqual(boundsOf(model.bandAt(past, timeMs)));
    }
    expect(own.kept?.byteLength).toBe(SERIES_BYTES);
  });

  test('remembers seasons longer than the points are read', () => {
    const history = hourly(24 * 20);
    const own = memory();
    const model = createBandModel(LEARNED, TRAITS);
    for (let scan = 210; scan <= history.length; scan += 1) model.bandAt(history.slice(0, scan), MONDAY_MS + scan * HOUR_MS, own);
    const timeMs = MONDAY_MS + history.length * HOUR_MS;
    expect(boundsOf(model.bandAt(history.slice(-200), timeMs, own))).toEqual(boundsOf(model.bandAt(history, timeMs)));
  });

  test.each([
    [
      'a point was excluded',
      (past: readonly SeriesPoint[]) => past.map((point, at) => (at === past.length - 5 ? { ...point, isExcluded: true } : point)),
    ],
    ['an older point came', (past: readonly SeriesPoint[]) => past.filter((_, at) => at !== past.length - 5)],
  ])('is learned again where %s', (_, changed) => {
    const history = hourly(24 * 20);
    const own = memory();
    const model = createBandModel(LEARNED, TRAITS);
    const timeMs = MONDAY_MS + history.length * HOUR_MS;
    model.bandAt(history, timeMs, own);
    expect(boundsOf(model.bandAt(changed(history), timeMs, own))).toEqual(boundsOf(model.bandAt(changed(history), timeMs)));
  });

  test.each([
    ['of another version', (state: Uint8Array) => state.fill(99, 0, 2)],
    ['cut off', (state: Uint8Array) => state.subarray(0, 100)],
  ])('is learned again if it is %s', (_, damaged) => {
    const history = hourly(24 * 20);
    const own = memory();
    const model = createBandModel(LEARNED, TRAITS);
    const timeMs = MONDAY_MS + history.length * HOUR_MS;
    const expected = boundsOf(model.bandAt(history, timeMs, own));
    own.kept = own.kept && damaged(own.kept);
    expect(boundsOf(model.bandAt(history, timeMs, own))).toEqual(expected);
  });
});

test('on a night in which clocks change, the values of an hour earlier are as usual, and on another one they are not', () => {
  const sundayMs = Date.UTC(2026, 2, 29);
  const byHour = (timeMs: number) => 1000 + (new Date(timeMs).getUTCHours() >= 8 ? 500 : 0);
  const random = seededRandom(4);
  const alarmsAt = (nightMs: number) => {
    const history = Array.from({ length: 24 * 40 }, (_, hour) => {
      const timeMs = nightMs - (24 * 40 - 7 - hour) * HOUR_MS;
      return { timeMs, value: byHour(timeMs) + 10 * normal(random), isExcluded: false };
    });
    const nowMs = nightMs + 7 * HOUR_MS;
    return (
      (createBandModel(LEARNED, TRAITS)
        .bandAt(history, nowMs)
        ?.surpriseOf?.(byHour(nowMs + HOUR_MS)).score ?? 0) > 3
    );
  };
  expect(alarmsAt(sundayMs)).toBe(false);
  expect(alarmsAt(sundayMs - 14 * 24 * HOUR_MS)).toBe(true);
});
