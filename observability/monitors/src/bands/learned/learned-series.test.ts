// SPDX-License-Identifier: Apache-2.0
import { type Random, seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { normal } from '../../anomaly-bench/chance.ts';
import type { SeriesTraits } from '../band.ts';
import { pastPointsBy } from '../past-points.ts';
import { DAY_MS, isWeekend } from './calendar.ts';
import { createLearnedBand } from './learned-band.ts';
import { LearnedSeries } from './learned-series.ts';
import { chancePerSeries } from './tail.ts';

const HOUR_MS = DAY_MS / 24;
const MONDAY_MS = Date.UTC(2026, 0, 5, 2);
const SINGLE = chancePerSeries(1);

/** A series with its clock: learns values one after another, and gives the band of the next. */
function series(stepMs = DAY_MS, limits: Omit<SeriesTraits, 'familySize'> = {}) {
  const learned = new LearnedSeries({ ...limits, familySize: 1 });
  let timeMs = MONDAY_MS;
  return {
    learn: (values: readonly number[]) => {
      for (const value of values) {
        learned.learn(timeMs, value);
        timeMs += stepMs;
      }
    },
    skip: (steps: number) => {
      timeMs += steps * stepMs;
    },
    band: () => {
      const band = learned.bandAt(timeMs, SINGLE);
      if (band === undefined) throw new Error('too early to speak');
      return band;
    },
    nowMs: () => timeMs,
  };
}

function noise(count: number, { mean = 100, deviation = 2, seed = 1 } = {}): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => mean + deviation * normal(random));
}

const widthOf = ({ lower, upper }: { lower: number; upper: number }) => upper - lower;
const isInside = ({ lower, upper }: { lower: number; upper: number }, value: number) => value >= lower && value <= upper;

describe('a bad delivery', () => {
  test('hardly widens the band, and hardly moves it', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const calm = series();
      calm.learn(noise(30, { seed }));
      const damaged = series();
      damaged.learn([...noise(29, { seed }), 20]);
      expect(widthOf(damaged.band())).toBeLessThan(1.3 * widthOf(calm.band()));
      expect(isInside(damaged.band(), 100)).toBe(true);
      expect(isInside(damaged.band(), 80)).toBe(false);
    }
  });

  test('that lasts three scans does not make the fourth one normal', () => {
    const damaged = series();
    damaged.learn([...noise(30), 20, 21, 19]);
    expect(isInside(damaged.band(), 20)).toBe(false);
    expect(isInside(damaged.band(), 100)).toBe(true);
  });

  test('that once lasted ten scans does not hide the next one', () => {
    const damaged = series(HOUR_MS);
    damaged.learn([...noise(200), ...noise(10, { mean: 150 }), ...noise(100)]);
    expect(isInside(damaged.band(), 150)).toBe(false);
  });
});

describe('a new level', () => {
  test.each([
    ['higher', 160],
    ['lower', 40],
  ])('that is %s and stays is learned within six scans', (_, mean) => {
    for (let seed = 0; seed < 20; seed += 1) {
      const moved = series();
      moved.learn([...noise(40, { seed }), ...noise(6, { mean, seed: seed + 100 })]);
      expect(isInside(moved.band(), mean)).toBe(true);
      expect(isInside(moved.band(), 100)).toBe(false);
    }
  });

  test('of a constant series is learned too', () => {
    const moved = series();
    moved.learn([...Array<number>(20).fill(7), ...Array<number>(6).fill(9)]);
    expect(isInside(moved.band(), 9)).toBe(true);
  });
});

describe('on a day of the week that a series has not come to', () => {
  const first = [2000, 1950, 2040, 2010, 1980, 2020];

  test('things may come in a batch, and none may be missing', () => {
    const rows = series(DAY_MS, { minimum: 0, isCount: true });
    rows.learn(first);
    expect(isInside(rows.band(), 50_000)).toBe(true);
    expect(isInside(rows.band(), 500)).toBe(false);
  });

  test('a number that counts nothing is judged', () => {
    const metric = series();
    metric.learn(first);
    expect(isInside(metric.band(), 50_000)).toBe(false);
  });

  test('a batch is judged from the second week on', () => {
    const rows = series(DAY_MS, { minimum: 0, isCount: true });
    rows.learn([...first, 1990, 2005]);
    expect(isInside(rows.band(), 50_000)).toBe(false);
  });
});

test('what the first values leave open widens the band, and no more than that after thirty', () => {
  const half = (count: number) => {
    const widths = Array.from({ length: 40 }, (_, seed) => {
      const noisy = series();
      noisy.learn(noise(count, { seed, deviation: 1 }));
      const { lower, upper } = noisy.band();
      return (upper - lower) / 2;
    });
    return widths.toSorted((one, other) => one - other)[20] ?? Number.NaN;
  };
  // Student's t with 29 degrees of freedom reaches 3.7 deviations at one in a thousand; what tails may be like adds the rest.
  expect(half(30)).toBeLessThan(4.5);
  expect(half(8)).toBeGreaterThan(half(30));
});

test('a trend is followed, and its end noticed', () => {
  const rising = series();
  rising.learn(noise(40, { mean: 0 }).map((value, scan) => 1000 + 50 * scan + value));
  expect(isInside(rising.band(), 3000)).toBe(true);
  expect(isInside(rising.band(), 2550)).toBe(false);
});

/** 1000 on workdays and 600 on weekends, by the time. */
function weekly(random: Random): (timeMs: number) => number {
  return (timeMs) => (isWeekend(timeMs) ? 600 : 1000) + 20 * normal(random);
}

describe('a season', () => {
  test('of the week is learned in two of them: a quiet weekend is normal, a quiet Tuesday not', () => {
    const rows = series();
    const next = weekly(seededRandom(3));
    for (let day = 0; day < 22; day += 1) rows.learn([next(rows.nowMs())]);
    expect(isInside(rows.band(), 1000)).toBe(true);
    expect(isInside(rows.band(), 600)).toBe(false);
    for (let day = 22; day < 26; day += 1) rows.learn([next(rows.nowMs())]);
    expect(isInside(rows.band(), 600)).toBe(true);
    expect(isInside(rows.band(), 150)).toBe(false);
  });

  test.each([60, 150, 400])(
    'of an amount grows with it: after %d scans of growth by one per cent each, half of a workday and a full weekend are not normal',
    (days) => {
      const rows = series(DAY_MS, { minimum: 0 });
      const next = weekly(seededRandom(4));
      const grown = (day: number) => next(rows.nowMs()) * 1.01 ** day;
      for (let day = 0; day < days; day += 1) rows.learn([grown(day)]);
      for (let day = days; day < days + 7; day += 1) {
        const value = grown(day);
        expect(isInside(rows.band(), value)).toBe(true);
        const isQuiet = isWeekend(rows.nowMs());
        expect(isInside(rows.band(), isQuiet ? value / 0.6 : 0.5 * value)).toBe(false);
        rows.learn([value]);
      }
    },
  );

  test('of a country has its holidays, until the series has worked on some of them', () => {
    const daysToArmistice = (Date.UTC(2026, 10, 11, 2) - MONDAY_MS) / DAY_MS;
    const bandAfter = (days: number) => {
      const rows = series();
      const next = weekly(seededRandom(6));
      rows.skip(daysToArmistice - days);
      for (let day = 0; day < days; day += 1) rows.learn([next(rows.nowMs())]);
      return rows.band();
    };
    expect(isInside(bandAfter(40), 600)).toBe(true);
    expect(isInside(bandAfter(daysToArmistice), 600)).toBe(false);
    expect(isInside(bandAfter(daysToArmistice), 1000)).toBe(true);
  });

  test('of the day is learned from hourly scans', () => {
    const random = seededRandom(4);
    const load = (timeMs: number) => (new Date(timeMs).getUTCHours() < 6 ? 20 : 100) + normal(random);
    const hourly = series(HOUR_MS);
    while (hourly.nowMs() < MONDAY_MS + 7 * DAY_MS) hourly.learn([load(hourly.nowMs())]);
    expect(new Date(hourly.nowMs()).getUTCHours()).toBe(2);
    expect(isInside(hourly.band(), 20)).toBe(true);
    expect(isInside(hourly.band(), 100)).toBe(false);
    hourly.skip(8);
    expect(isInside(hourly.band(), 100)).toBe(true);
    expect(isInside(hourly.band(), 20)).toBe(false);
  });
});

test('hourly nights and weekends raise nothing after the first two days', () => {
  let evaluated = 0;
  let alarms = 0;
  for (let seed = 0; seed < 40; seed += 1) {
    const random = seededRandom(seed);
    const hourly = new LearnedSeries({ familySize: 1 });
    for (let hour = 0; hour < 24 * 21; hour += 1) {
      const timeMs = MONDAY_MS + (seed % 7) * DAY_MS + hour * HOUR_MS;
      const busy = 100 + 50 * Math.sin((2 * Math.PI * timeMs) / DAY_MS);
      const value = (isWeekend(timeMs) ? 0.5 : 1) * busy + 3 * normal(random);
      const score = hourly.score(timeMs, value);
      hourly.learn(timeMs, value);
      if (hour < 48) continue;
      evaluated += 1;
      if (score > 1) alarms += 1;
    }
  }
  expect(alarms / evaluated).toBeLessThan(0.002);
});

describe('scans', () => {
  test('may be missing, and come at any time', () => {
    const random = seededRandom(5);
    const irregular = series(HOUR_MS);
    for (let scan = 0; scan < 60; scan += 1) {
      irregular.learn([100 + 2 * normal(random)]);
      irregular.skip(random.integer(40));
    }
    expect(isInside(irregular.band(), 100)).toBe(true);
    expect(isInside(irregular.band(), 130)).toBe(false);
    irregular.skip(1000);
    expect(isInside(irregular.band(), 100)).toBe(true);
  });

  test('may all have the same time', () => {
    const still = series(0);
    still.learn(noise(10));
    expect(isInside(still.band(), 100)).toBe(true);
  });
});

describe('what never varied', () => {
  test.each([
    ['of 100 % may not fall to 95', 100, { minimum: 0, maximum: 100 }, 95, false],
    ['of 100 % may fall to 99.99', 100, { minimum: 0, maximum: 100 }, 99.99, true],
    ['of 0 % may rise to 0.01', 0, { minimum: 0, maximum: 100 }, 0.01, true],
    ['of 0 % may not rise to 5', 0, { minimum: 0, maximum: 100 }, 5, false],
    ['of 1000 rows may be one more', 1000, { minimum: 0 }, 1001, true],
    ['of 1000 rows may not be 800', 1000, { minimum: 0 }, 800, false],
    ['of no duplicates may be one', 0, { minimum: 0 }, 1, true],
    ['of no duplicates may not be 10', 0, { minimum: 0 }, 10, false],
    ['of 12.5 may differ in the last digits', 12.5, {}, 12.500000001, true],
    ['of 12.5 may not be 15', 12.5, {}, 15, false],
  ])('%s', (_, value, limits, next, expected) => {
    for (const scans of [5, 7, 14, 60, 200]) {
      const constant = series(HOUR_MS, limits);
      constant.learn(Array<number>(scans).fill(value));
      expect(isInside(constant.band(), next)).toBe(expected);
    }
  });
});

test('a history replayed gives the band of the stream', () => {
  const traits = { minimum: 0, familySize: 50 };
  const values = noise(80, { seed: 9 });
  const history = values.map((value, scan) => ({ timeMs: MONDAY_MS + scan * DAY_MS, value, isExcluded: false }));
  const model = createLearnedBand(traits, { pastPoints: pastPointsBy({ strategy: 'IGNORE', limit: 80 }), latestPoints: undefined });
  const learned = new LearnedSeries(traits);
  for (const [scan, { timeMs, value }] of history.entries()) {
    const { lower, upper } = model.bandAt(history.slice(0, scan), timeMs) ?? {};
    expect({ lower, upper }).toEqual({ lower: undefined, upper: undefined, ...learned.bandAt(timeMs, chancePerSeries(50)) });
    learned.learn(timeMs, value);
  }
});

test('a value scores above 1 where it is outside the band, and below where it is inside', () => {
  const learned = new LearnedSeries({ familySize: 1 });
  for (const [scan, value] of noise(40).entries()) learned.learn(MONDAY_MS + scan * DAY_MS, value);
  const timeMs = MONDAY_MS + 40 * DAY_MS;
  const { lower, upper } = learned.bandAt(timeMs, 0.001) ?? { lower: 0, upper: 0 };
  for (const inside of [lower + 1e-9, 100, upper - 1e-9]) expect(learned.score(timeMs, inside)).toBeLessThanOrEqual(1);
  for (const outside of [lower - 0.01, upper + 0.01, 0, 1e9]) expect(learned.score(timeMs, outside)).toBeGreaterThan(1);
});
