// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { CLEAN_FAMILIES, NORMAL, WEEKLY_AGE } from './clean-families.ts';
import { DAMAGES } from './damages.ts';
import { type Damage, type Family, timeOf } from './family.ts';
import { isHoliday } from './holidays.ts';
import { wilson } from './interval.ts';
import { type Competitor, competitor, falseAlarms, PRODUCT, powerOf } from './measure.ts';
import { RIVALS } from './rivals.ts';

const ALARMS_ABOVE = (limit: number): Competitor => ({
  name: 'above',
  begin: () => ({ judge: (_, value) => value > limit, learn: () => undefined }),
});

/** 0, 1, 2 and so on. */
const COUNTING: Family = {
  ...NORMAL,
  name: 'counting',
  scans: 10,
  begin: () => {
    let scan = -1;
    return () => {
      scan += 1;
      return scan;
    };
  },
};

describe('the families', () => {
  test('are many, and no two of a name', () => {
    for (const all of [CLEAN_FAMILIES, DAMAGES]) {
      const names = new Set(all.map(({ name }) => name));
      expect(names.size).toBe(all.length);
    }
    expect(CLEAN_FAMILIES.length).toBeGreaterThanOrEqual(20);
    expect(DAMAGES.length).toBeGreaterThanOrEqual(30);
  });

  test.each(CLEAN_FAMILIES)('$name can be measured: numbers that its metric can have, the same from the same seed', (family) => {
    const valuesOf = (seed: number) => {
      const next = family.begin(seededRandom(seed));
      return Array.from({ length: 100 }, (_, scan) => next(timeOf(family, { series: 3, scan })));
    };
    for (const value of valuesOf(7)) {
      if (value === undefined) continue;
      expect(Number.isFinite(value)).toBe(true);
      if (family.measured.kind !== 'metric') expect(value).toBeGreaterThanOrEqual(0);
      if (family.measured.kind === 'rows') expect(Number.isInteger(value)).toBe(true);
    }
    expect(valuesOf(7)).toEqual(valuesOf(7));
  });
});

describe('false alarms', () => {
  test('are counted of whole series, until enough values are judged', () => {
    expect(falseAlarms(COUNTING, ALARMS_ABOVE(7), { seeds: 'development', values: 15 })).toEqual({
      judged: 20,
      alarms: 4,
      alarmedSeries: 2,
      series: 2,
      designEffect: 1,
    });
  });

  test('that come together in one series tell as little as few values', () => {
    // Every second series is called wrong throughout: ten values tell what one does, and a pair of series less.
    let begun = 0;
    const everySecond: Competitor = {
      name: 'every second',
      begin: () => {
        begun += 1;
        const isAlarm = begun % 2 === 0;
        return { judge: () => isAlarm, learn: () => undefined };
      },
    };
    const { judged, alarms, designEffect } = falseAlarms(COUNTING, everySecond, { seeds: 'page', values: 400 });
    expect([judged, alarms]).toEqual([400, 200]);
    expect(designEffect).toBeCloseTo(10 * (40 / 39), 10);
  });

  test('are none where something does change', () => {
    const family: Family = { ...COUNTING, isNews: (scan) => scan >= 8 };
    expect(falseAlarms(family, ALARMS_ABOVE(7), { seeds: 'page', values: 8 })).toEqual({
      judged: 8,
      alarms: 0,
      alarmedSeries: 0,
      series: 1,
      designEffect: 1,
    });
  });

  test('of the page come from other series than those of development', () => {
    const seen: number[] = [];
    const keeping: Competitor = {
      name: 'keeping',
      begin: () => ({ judge: (_, value) => !seen.includes(value), learn: (_, value) => seen.push(value) }),
    };
    for (const seeds of ['development', 'page'] as const) {
      const { judged, alarms } = falseAlarms({ ...NORMAL, scans: 20 }, keeping, { seeds, values: 200 });
      expect(alarms).toBe(judged);
    }
  });
});

test('a damage is found with the number of scans that it takes', () => {
  const damage: Damage = {
    name: 'rises',
    family: COUNTING,
    after: 4,
    within: 4,
    damaged: (value, { scan, last }) => 100 * value + 10 * last + scan,
  };
  const delayWith = (limit: number) => powerOf(damage, ALARMS_ABOVE(limit), { seeds: 'page', series: 3 });
  expect(delayWith(429)).toEqual({ found: 3, series: 3, delay: 1 });
  expect(delayWith(631)).toEqual({ found: 3, series: 3, delay: 3 });
  expect(delayWith(1000)).toEqual({ found: 0, series: 3, delay: undefined });
});

test('the product judges as it does in the service: a jump after thirty scans', () => {
  const { judge, learn } = PRODUCT.begin(NORMAL);
  const next = NORMAL.begin(seededRandom(1));
  expect(judge(timeOf(NORMAL, { series: 0, scan: 0 }), 100)).toBeUndefined();
  for (let scan = 0; scan < 30; scan += 1) {
    const timeMs = timeOf(NORMAL, { series: 0, scan });
    learn(timeMs, next(timeMs) ?? Number.NaN);
  }
  expect([100, 200].map((value) => judge(timeOf(NORMAL, { series: 0, scan: 30 }), value))).toEqual([false, true]);
});

test.each(RIVALS)('$name says nothing of a new series, and finds a jump in noise', (rival) => {
  const { judge, learn } = competitor(rival).begin(NORMAL);
  const next = NORMAL.begin(seededRandom(2));
  expect(judge(timeOf(NORMAL, { series: 0, scan: 0 }), 100)).toBeUndefined();
  for (let scan = 0; scan < 70; scan += 1) {
    const timeMs = timeOf(NORMAL, { series: 0, scan });
    learn(timeMs, next(timeMs) ?? Number.NaN);
  }
  expect([100, 200].map((value) => judge(timeOf(NORMAL, { series: 0, scan: 70 }), value))).toEqual([false, true]);
});

test('a weekly delivery is as old as the scans since it came', () => {
  const next = WEEKLY_AGE.begin(seededRandom(3));
  const ages = Array.from({ length: 8 }, (_, scan) => Math.round((next(timeOf(WEEKLY_AGE, { series: 0, scan })) ?? 0) / 24));
  expect(ages).toEqual([0, 1, 2, 3, 4, 5, 6, 0]);
});

test.each([
  ['2026-12-25', true],
  ['2026-12-24', false],
  ['2026-05-25', true],
  ['2026-05-18', false],
  ['2026-11-26', true],
  ['2026-11-19', false],
  ['2026-09-07', true],
])('%s is a holiday: %s', (day, expected) => {
  expect(isHoliday(Date.parse(`${day}T02:00:00Z`))).toBe(expected);
});

test.each([
  [0, 100, 0, 0.037],
  [1, 1000, 0.00018, 0.0056],
  [100, 100, 0.963, 1],
  [0, 0, 0, 1],
])('%i of %i lie between %f and %f', (hits, count, lower, upper) => {
  const [least, most] = wilson(hits, count);
  expect(least).toBeCloseTo(lower, 3);
  expect(most).toBeCloseTo(upper, 3);
});
