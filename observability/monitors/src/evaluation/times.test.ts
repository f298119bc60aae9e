// SPDX-License-Identifier: Apache-2.0
import type { MetricPoint } from '@sextant/contracts-observability';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { bounds, DAY_MS, point, predefined, TIME_ATTRIBUTE, WatchedAsset } from './testing/watched-asset.ts';

const SEED = 20_260_101;
/** Of what comes behind the scans that tests share. */
const LATER_SEED = SEED + 1;
/** When the first scan is. */
const START_MS = Date.UTC(2026, 0, 1);
/** Scans before a damage. */
const SCANS = 40;
/** Over which nothing may be raised. */
const QUIET_SCANS = 70;
/** The quick run looks at every third of them, the scans at which the data of a month come among them. */
const LOOKED_AT = roundsOf({ quick: 3, long: 1 });
const ROWS = 1000;
const place = { attribute: TIME_ATTRIBUTE };
const YEAR = 365;

/** What a scan measures of dates, given in days before or after the first scan. */
function measured(days: readonly number[]): readonly MetricPoint[] {
  const times = days.map((day) => START_MS + day * DAY_MS).sort((first, second) => first - second);
  const quantile = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0;
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const deviation = Math.sqrt(times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (times.length - 1));
  return [
    point('RECORD_COUNT', 'count', times.length),
    point('DISTINCT_COUNT', 'count', new Set(times).size, place),
    point('MIN', 'min', quantile(0), place),
    point('MAX', 'max', quantile(1), place),
    point('MEAN', 'mean', mean, place),
    point('STDDEV', 'stddev', deviation, place),
    point('MEDIAN', 'median', quantile(0.5), place),
    ...[5, 25, 75, 95].map((percent) => point('QUANTILE', `p${String(percent).padStart(2, '0')}`, quantile(percent / 100), place)),
  ];
}

/** Dates of the scan of a day. */
type Shape = (today: number, random: Random) => readonly number[];

const evenly = (count: number, from: number, to: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + ((to - from) * index) / (count - 1));
const sampled = (days: readonly number[], random: Random): readonly number[] => days.filter(() => random.next() < 0.95);
const byChance = (count: number, from: number, to: number): readonly number[] => {
  const random = seededRandom(SEED);
  return Array.from({ length: count }, () => from + (to - from) * random.next());
};
const whole = (days: readonly number[]): readonly number[] => days.map(Math.floor);
const lastMultiple = (today: number, of: number, offset: number): number => Math.floor((today - offset) / of) * of + offset;

const FOUR_YEARS = byChance(ROWS, -4 * YEAR, 0);
const OLD = byChance(ROWS, -20 * YEAR, -10 * YEAR);

const SHAPES: { readonly [name: string]: Shape } = {
  'a window of 90 days that ends today': (today, random) => sampled(evenly(ROWS, today - 90, today), random),
  'a window of a week whose dates have no time': (today) => whole(evenly(ROWS, today - 7, today - 0.01)),
  'the day before, and nothing else': (today) => evenly(ROWS, today - 1, today - 1),
  'four years of dates that all move along': (today, random) => sampled(FOUR_YEARS, random).map((day) => day + today),
  'reference data that never changes': () => OLD,
  'reference data of which each delivery has most': (_, random) => sampled(OLD, random),
  'reference data with one date in the future': (_, random) => sampled([...OLD, 20 * YEAR], random),
  'data that is appended': (today, random) => evenly(ROWS + 20 * today, -YEAR, today).filter(() => random.next() < 0.99),
  'a year of data that comes every month': (today) => {
    const newest = lastMultiple(today, 30, 17);
    return evenly(ROWS, newest - YEAR, newest);
  },
  'data that comes every month and is appended': (today) => {
    const newest = lastMultiple(today, 30, 11);
    return evenly(ROWS + 20 * newest, -YEAR, newest);
  },
  'data that comes every week': (today) => {
    const newest = lastMultiple(today, 7, 3);
    return evenly(ROWS, newest - 90, newest);
  },
  'data that comes on working days': (today) => {
    const newest = Math.min(today, lastMultiple(today, 7, 2) + 4);
    return evenly(ROWS, newest - 90, newest);
  },
};

/** The scans before a damage. */
function scansOf(shape: Shape, random: Random): readonly (readonly MetricPoint[])[] {
  return Array.from({ length: SCANS }, (_, today) => measured(shape(today, random)));
}

function watched(scans: readonly (readonly MetricPoint[])[]): WatchedAsset {
  const asset = new WatchedAsset([predefined('NUMERIC_VALUE_DRIFTS')]);
  asset.repeat(scans.length, (today) => scans[today] ?? []);
  return asset;
}

/** Where the newest date is an outlier, its age says nothing, and the others have to move by a share of their spread. */
const STALE_DAYS = Object.entries(SHAPES).map(([name, shape]) => ({ name, shape, staleDays: name.includes('future') ? 2 * YEAR : 60 }));

describe.each(STALE_DAYS)('$name', ({ shape, staleDays }) => {
  const before = scansOf(shape, seededRandom(SEED));

  test(`[E21] raises nothing by itself (seed ${SEED})`, () => {
    const random = seededRandom(LATER_SEED);
    const asset = new WatchedAsset([predefined('NUMERIC_VALUE_DRIFTS')]);
    for (let today = 0; today < QUIET_SCANS; today += 1) {
      const points = before[today] ?? measured(shape(today, random));
      if (today % LOOKED_AT !== LOOKED_AT - 1) {
        asset.repeat(1, () => points);
        continue;
      }
      const { violations } = asset.evaluate(points);
      expect(violations.map(({ sentence }) => `scan ${today}: ${sentence}`)).toEqual([]);
    }
  });

  test('[E21] is reported when it is too old, until it is repaired', () => {
    const random = seededRandom(LATER_SEED);
    const asset = watched(before);
    const stale: Shape = (today) => shape(today, random).map((day) => day - staleDays);
    expect([0, 1, 2].map((later) => asset.evaluate(measured(stale(SCANS + later, random))).outcome)).toEqual([
      'violated',
      'violated',
      'violated',
    ]);
    expect(asset.evaluate(measured(shape(SCANS + 3, random))).outcome).toBe('clear');
  });

  test('[E21] is reported when its dates lie half a year too far ahead', () => {
    const asset = watched(before);
    expect(asset.evaluate(measured(shape(SCANS, seededRandom(LATER_SEED)).map((day) => day + 180))).outcome).toBe('violated');
  });

  test('[E21] is reported when one date is of the year 9999', () => {
    const [violation] = watched(before).evaluate(measured([...shape(SCANS, seededRandom(LATER_SEED)), 8000 * YEAR])).violations;
    expect(violation?.attribute).toBe(TIME_ATTRIBUTE);
  });
});

test('[E22] data of each day that stops is reported after some days', () => {
  const asset = watched(scansOf((today) => evenly(ROWS, today - 30, today), seededRandom(SEED)));
  const outcomes = [0, 1, 2, 3, 4].map(() => asset.evaluate(measured(evenly(ROWS, SCANS - 31, SCANS - 1))).outcome);
  expect(outcomes.slice(0, 2)).toEqual(['clear', 'clear']);
  expect(outcomes.at(-1)).toBe('violated');
});

test('a violated date is reported as a date, with how far it is off', () => {
  const asset = watched(scansOf((today) => evenly(ROWS, today - 1, today - 1), seededRandom(SEED)));
  const { violations } = asset.evaluate(measured(evenly(ROWS, SCANS - 31, SCANS - 31)));
  expect(violations[0]?.sentence).toBe('minimum of `born` is 2026-01-10 00:00, expected at least 2026-02-06 12:00, 27.5 days too early');
});

test('a static threshold is compared with the dates as they are', () => {
  const threshold = bounds(START_MS, START_MS + 10 * DAY_MS);
  const asset = new WatchedAsset([predefined('MAX', { attributes: [TIME_ATTRIBUTE], threshold })]);
  expect(asset.evaluate(measured([0, 10])).outcome).toBe('clear');
  expect(asset.evaluate(measured([0, 10.5])).violations[0]?.sentence).toMatch(/2026-01-11 12:00, .* 2026-01-11 00:00, 12 hours too late$/);
});
