// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { normal } from '../../anomaly-bench/chance.ts';
import type { SeriesTraits, Surprise } from '../band.ts';
import { SparseSeries } from './sparse-series.ts';
import { FAMILY_ALARM_CHANCE } from './tail.ts';

const DAY_MS = 86_400_000;
const MONDAY_MS = Date.UTC(2026, 0, 5, 2);
const TRAITS: SeriesTraits = { familySize: 1, isCount: false };

type Judged = { readonly scan: number; readonly isAlarm: boolean; readonly surprise: Surprise | undefined };

/** Each value by what the ones before it have taught. */
function judged(values: readonly number[]): readonly Judged[] {
  const series = new SparseSeries(TRAITS);
  return values.map((value, scan) => {
    const timeMs = MONDAY_MS + scan * DAY_MS;
    const band = series.bandAt(timeMs, FAMILY_ALARM_CHANCE);
    const isAlarm = band !== undefined && (value < band.lower || value > band.upper);
    const surprise = band && series.surpriseOf(timeMs, value, band);
    series.learn(timeMs, value);
    return { scan, isAlarm, surprise };
  });
}

/** Scans, counted from the first, that are outside their band. */
function alarms(values: readonly number[]): readonly number[] {
  return judged(values).flatMap(({ scan, isAlarm }) => (isAlarm ? [scan] : []));
}

/** The scan since which the first alarm about a drift says that it goes on. */
function begunAt(values: readonly number[]): number | undefined {
  for (const { surprise } of judged(values)) if (surprise?.sinceMs !== undefined) return (surprise.sinceMs - MONDAY_MS) / DAY_MS;
  return undefined;
}

/** Noise of one deviation around 100, moved from the fortieth scan on. */
function moved(seed: number, by: (scan: number) => number): readonly number[] {
  const random = seededRandom(seed);
  return Array.from({ length: 100 }, (_, scan) => 100 + normal(random) + (scan < 40 ? 0 : by(scan - 39)));
}

/** Steps of one deviation. */
function walk(seed: number): readonly number[] {
  const random = seededRandom(seed);
  let value = 100;
  return Array.from({ length: 60 }, () => {
    value += normal(random);
    return value;
  });
}

/** The most scans in a row that are outside their band. */
function longestAlarm(values: readonly number[]): number {
  let row = 0;
  let longest = 0;
  for (const { isAlarm } of judged(values)) {
    row = isAlarm ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return longest;
}

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);
const shareOf = (isSo: (seed: number) => boolean) => SEEDS.filter(isSo).length / SEEDS.length;

describe('what each value alone leaves plausible', () => {
  test.each([
    ['a drift of a tenth of a deviation a scan', (scan: number) => 0.1 * scan],
    ['a fall of a fifth of a deviation a scan', (scan: number) => -0.2 * scan],
    ['a shift by two deviations that stays', () => 2],
  ])('%s is found', (_, by) => {
    expect(shareOf((seed) => alarms(moved(seed, by)).some((scan) => scan >= 40))).toBeGreaterThanOrEqual(0.8);
  });

  test('is found in nothing that stays', () => {
    expect(SEEDS.flatMap((seed) => alarms(moved(seed, () => 0))).length).toBeLessThanOrEqual(2);
  });

  test('is found in no random walk, which has no level to drift from', () => {
    const lasting = Array.from({ length: 300 }, (_, seed) => longestAlarm(walk(seed))).filter((scans) => scans >= 7);
    expect(lasting).toEqual([]);
  });

  test('says since when', () => {
    const begun = SEEDS.flatMap((seed) => begunAt(moved(seed, (scan) => -0.2 * scan)) ?? []).sort((one, other) => one - other);
    expect(begun.length).toBeGreaterThanOrEqual(10);
    expect(begun[begun.length >> 1]).toBeGreaterThan(30);
    expect(begun[begun.length >> 1]).toBeLessThan(50);
  });

  test('is accepted when it lasts', () => {
    const values = moved(3, () => 5);
    const found = alarms([
      ...values,
      ...moved(4, () => 0)
        .map((value) => value + 5)
        .slice(0, 40),
    ]);
    expect(found.filter((scan) => scan >= 100)).toEqual([]);
  });
});
