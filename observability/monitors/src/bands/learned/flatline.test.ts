// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { poisson } from '../../anomaly-bench/chance.ts';
import { Flatline } from './flatline.ts';
import { KeptNumbers } from './kept-numbers.ts';
import { FAMILY_ALARM_CHANCE } from './tail.ts';

const DAY_MS = 86_400_000;
/** A new value at each scan. */
const MOVING = Array.from({ length: 40 }, (_, scan) => scan);
/** Delivered by the day, scanned by the hour, but at weekends. */
const DAILY_BY_HOUR = Array.from({ length: 24 * 42 }, (_, hour) => {
  const day = Math.floor(hour / 24);
  return day % 7 > 4 ? day - (day % 7) + 4 : day;
});

/** A day after the scan before, an hour after it, and on a day on which nothing may come. */
const DAY = { timeMs: Date.UTC(2026, 1, 4), lastMs: Date.UTC(2026, 1, 3), spacingMs: DAY_MS };
const SOON = { ...DAY, lastMs: DAY.timeMs - DAY_MS / 24 };
const CHRISTMAS = { timeMs: Date.UTC(2026, 11, 25), lastMs: Date.UTC(2026, 11, 24), spacingMs: DAY_MS };

function taught(values: readonly number[]): Flatline {
  const flatline = new Flatline();
  for (const value of values) flatline.learn(value, DAY);
  return flatline;
}

/** Scans, counted from the first, at which it says something. */
function found(values: readonly number[], chance = FAMILY_ALARM_CHANCE): readonly number[] {
  const flatline = new Flatline();
  return values.flatMap((value, scan) => {
    const surprise = flatline.surpriseOf(value, DAY, chance);
    flatline.learn(value, DAY);
    return surprise === undefined ? [] : [scan];
  });
}

const standing = (length: number, value = 7) => Array.from({ length }, () => value);

describe('a value that always varied and stands still', () => {
  test('is found at the eleventh equal value, and until it moves', () => {
    const scans = found([...MOVING, ...standing(20, 100), ...MOVING]);
    expect(scans[0]).toBe(MOVING.length + 10);
    expect(scans.at(-1)).toBe(MOVING.length + 19);
    expect(scans).toHaveLength(MOVING.length + 20 - (scans[0] ?? 0));
  });

  test('is found later where many series are watched', () => {
    const [of1 = 0] = found([...MOVING, ...standing(20, 100)]);
    const [of100 = 0] = found([...MOVING, ...standing(25, 100)], FAMILY_ALARM_CHANCE / 100);
    expect(of100).toBeGreaterThan(of1);
    expect(of100).toBeLessThanOrEqual(MOVING.length + 20);
  });

  test('is found again after it was found once, and is less of a surprise after the second time', () => {
    const once = [...MOVING, ...standing(20, 100), ...MOVING];
    const inPart = (values: readonly number[], from: number) => found(values).filter((scan) => scan >= from).length;
    const twice = [...once, ...standing(20, 200), ...MOVING];
    expect(inPart(twice, once.length)).toBeGreaterThanOrEqual(found(once).length);
    expect(inPart([...twice, ...standing(20, 300)], twice.length)).toBeLessThan(found(once).length / 2);
  });

  test('says how unlikely so long a run was', () => {
    const [first, next] = [12, 13].map((length) => taught([...MOVING, ...standing(length, 100)]).surpriseOf(100, DAY, 0.001));
    expect(first).toMatchObject({ detector: 'flatline' });
    expect(first?.score).toBeGreaterThan(3);
    expect(next?.score).toBeGreaterThan(first?.score ?? 0);
  });
});

describe('nothing is said', () => {
  test.each([
    ['of what never moved', standing(500)],
    ['of what has moved less than twenty times', [...MOVING.slice(0, 19), ...standing(60, 100)]],
    ['of a few equal values in a row', [...MOVING, ...standing(4, 100), ...MOVING]],
    ['of a table that is delivered by the day and scanned by the hour', DAILY_BY_HOUR],
    ['of a number that changes each month', Array.from({ length: 1000 }, (_, day) => Math.floor(day / 30))],
  ])('%s', (_, values) => {
    expect(found(values)).toEqual([]);
  });

  test('of small counts, which repeat by chance, but for a few in ten thousand', () => {
    for (const mean of [0.5, 1, 3]) {
      const random = seededRandom(1);
      const counts = Array.from({ length: 20_000 }, () => poisson(random, mean));
      expect(found(counts).length / counts.length).toBeLessThan(0.0005);
    }
  });

  test.each([
    ['data that is scanned again and again by hand', SOON],
    ['a holiday', CHRISTMAS],
  ])('of %s, of which nothing is learned', (_, moment) => {
    const flatline = taught(MOVING);
    const before = kept(flatline);
    for (let scan = 0; scan < 30; scan += 1) {
      expect(flatline.surpriseOf(39, moment, FAMILY_ALARM_CHANCE)).toBeUndefined();
      flatline.learn(39, moment);
    }
    expect(kept(flatline)).toEqual(before);
  });
});

test('a table that is delivered by the day is found when it stands still for two weeks', () => {
  const [first = 0] = found([...DAILY_BY_HOUR, ...standing(24 * 14, 1000)]);
  expect(first).toBeGreaterThan(DAILY_BY_HOUR.length + 72);
});

test('what is kept goes on as it was', () => {
  const values = [...MOVING, ...standing(20, 100), ...MOVING, ...standing(12, 200)];
  const whole = taught(values);
  const again = new Flatline();
  again.keep(new KeptNumbers(kept(whole), { from: 0, isReading: true }));
  for (const each of [whole, again]) for (let scan = 0; scan < 3; scan += 1) each.learn(200, DAY);
  expect(again.surpriseOf(200, DAY, 0.001)).toEqual(whole.surpriseOf(200, DAY, 0.001));
  expect(kept(again)).toEqual(kept(whole));
});

function kept(flatline: Flatline): Uint8Array {
  const bytes = new Uint8Array(Flatline.BYTES);
  flatline.keep(new KeptNumbers(bytes, { from: 0, isReading: false }));
  return bytes;
}
