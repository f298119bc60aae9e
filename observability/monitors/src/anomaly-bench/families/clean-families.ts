// SPDX-License-Identifier: Apache-2.0
/** Series with nothing wrong in them, of the kinds that a learned threshold has to leave in peace. */

import type { Random } from '@sextant/foundation-std';
import { exponential, normal, overdispersed, poisson, student } from '../chance.ts';
import { DAY_MS, type Family, HOUR_MS, type Source } from './family.ts';
import { isHoliday } from './holidays.ts';

const METRIC = { measured: { kind: 'metric' }, scans: 100, everyMs: DAY_MS } as const;
const ROWS = { ...METRIC, measured: { kind: 'rows' } } as const;
const HOURLY = { ...METRIC, scans: 24 * 42, everyMs: HOUR_MS } as const;
const FRESHNESS = { ...METRIC, measured: { kind: 'freshness' } } as const;

/** Share of the usual on each day of the week, from Sunday. */
const WEEK = [0.42, 1, 1.05, 0.98, 1.1, 0.9, 0.55];
/** The hours of a day, from midnight. */
const BUSY = [2, 1, 1, 1, 2, 4, 8, 14, 20, 24, 25, 24, 22, 24, 25, 24, 22, 18, 14, 10, 8, 6, 4, 3];
const RELEASE_SCANS = 50;
const ACCEPTED_AFTER = 8;

export const NORMAL: Family = { ...METRIC, name: 'normal noise', begin: (random) => () => 100 + 5 * normal(random) };
export const HEAVY: Family = { ...METRIC, name: 'heavy tails (t, 3 degrees)', begin: (random) => () => 100 + 5 * student(random, 3) };
export const ROW_COUNT: Family = {
  ...ROWS,
  name: 'row count, 2 % noise',
  begin: (random) => () => Math.round(10_000 * (1 + 0.02 * normal(random))),
};
export const PROFILE: Family = {
  ...METRIC,
  name: 'a level for each day of the week',
  begin: (random) => (timeMs) => 1000 * weekday(timeMs) + 20 * normal(random),
};
export const WEEKENDS: Family = {
  ...ROWS,
  name: 'row count, quiet weekends',
  begin: (random) => (timeMs) => Math.round((isWeekend(timeMs) ? 6000 : 10_000) * (1 + 0.02 * normal(random))),
};
export const GROWING_WEEKENDS: Family = {
  ...ROWS,
  name: 'quiet weekends, growing by 1 %',
  begin: (random) => {
    let scale = 1;
    return (timeMs) => {
      scale *= 1.01;
      return rows(random, scale * (isWeekend(timeMs) ? 6000 : 10_000));
    };
  },
};
export const ALWAYS: Family = { ...ROWS, name: 'the same row count', begin: () => () => 1000 };
export const GROWTH: Family = { ...ROWS, name: 'append-only growth by 1 %', begin: growth };
export const SPARSE: Family = { ...METRIC, name: 'counts that are mostly 0', begin: (random) => () => poisson(random, 0.2) };
export const COMPLETE: Family = {
  ...METRIC,
  name: 'completeness near 100 %',
  measured: { kind: 'completeness', records: 10_000 },
  begin: (random) => () => filled(random, { records: 10_000, chance: 0.0005 }),
};
export const INCOMPLETE: Family = {
  ...METRIC,
  name: 'completeness near 98 %',
  measured: { kind: 'completeness', records: 2000 },
  begin: (random) => () => filled(random, { records: 2000, chance: 0.02 }),
};
export const DAILY_AGE: Family = { ...FRESHNESS, name: 'age of a daily delivery', begin: (random) => () => 3 + 0.5 * normal(random) };
export const WEEKLY_AGE: Family = { ...FRESHNESS, name: 'age of a weekly delivery', begin: (random) => ageOfWeekly(random) };
export const HOURLY_WEEK: Family = {
  ...HOURLY,
  name: 'hour and weekday, hourly',
  begin: (random) => (timeMs) => hourOf(timeMs) * (isWeekend(timeMs) ? 0.4 : 1) * (1 + 0.05 * normal(random)) + normal(random),
};
const WEEKDAY_TABLE: Family = { ...ROWS, name: 'delivered on workdays', begin: (random) => delivered(random, isWeekend) };
const HOURLY_TABLE: Family = {
  ...HOURLY,
  measured: { kind: 'rows' },
  name: 'delivered daily, scanned hourly',
  begin: (random) => delivered(random, (timeMs) => new Date(timeMs).getUTCHours() !== 6),
};

export const CLEAN_FAMILIES: readonly Family[] = [
  NORMAL,
  { ...METRIC, name: 'noise around zero', begin: (random) => () => normal(random) },
  HEAVY,
  { ...METRIC, name: 'heavy tails (t, 5 degrees)', begin: (random) => () => 100 + 5 * student(random, 5) },
  { ...METRIC, name: 'skewed metric (lognormal, 0.5)', begin: (random) => () => Math.exp(4 + 0.5 * normal(random)) },
  { ...ROWS, name: 'skewed row count (lognormal, 0.5)', begin: (random) => () => Math.round(Math.exp(8 + 0.5 * normal(random))) },
  { ...METRIC, name: 'waiting times (exponential)', begin: (random) => () => exponential(random) },
  ROW_COUNT,
  PROFILE,
  WEEKENDS,
  GROWING_WEEKENDS,
  { ...ROWS, name: 'weekly season with holidays', scans: 500, begin: withHolidays },
  { ...ROWS, name: 'weekly batch', begin: (random) => (timeMs) => rows(random, dayOf(timeMs) === 1 ? 50_000 : 2000) },
  { ...ROWS, name: 'monthly batch', scans: 250, begin: (random) => (timeMs) => rows(random, dateOf(timeMs) === 1 ? 50_000 : 2000) },
  { ...ROWS, name: 'month ends', scans: 250, begin: (random) => (timeMs) => rows(random, dateOf(timeMs + DAY_MS) === 1 ? 9000 : 3000) },
  { ...METRIC, name: 'benign bursts, 3 %', scans: 200, begin: bursts },
  SPARSE,
  { ...METRIC, name: 'counts around 3', begin: (random) => () => poisson(random, 3) },
  { ...METRIC, name: 'overdispersed counts', begin: (random) => () => overdispersed(random, { mean: 6, shape: 1 }) },
  { ...ROWS, name: 'trend', begin: trend },
  GROWTH,
  { ...ROWS, name: 'retention window of 60 days', scans: 150, begin: retention },
  { ...METRIC, name: 'random walk', begin: walk },
  { ...METRIC, name: 'correlated noise (0.7)', begin: correlated },
  { ...METRIC, name: 'constant', begin: () => () => 42 },
  ALWAYS,
  WEEKDAY_TABLE,
  COMPLETE,
  INCOMPLETE,
  {
    ...ROWS,
    name: 'missing scans',
    begin: (random) => (timeMs) => (random.next() < 0.25 ? undefined : rows(random, 1000 * weekday(timeMs))),
  },
  {
    ...ROWS,
    name: 'releases that move the level',
    scans: 200,
    begin: releases,
    isNews: (scan) => scan >= RELEASE_SCANS && scan % RELEASE_SCANS < ACCEPTED_AFTER,
  },
  DAILY_AGE,
  WEEKLY_AGE,
  HOURLY_WEEK,
  HOURLY_TABLE,
  { ...HOURLY, measured: { kind: 'rows' }, name: 'hourly rows, growing by 1 % a day', scans: 24 * 150, begin: growingHours },
  { ...HOURLY, name: 'hourly counts', begin: (random) => (timeMs) => poisson(random, hourOf(timeMs)) },
  {
    ...HOURLY,
    name: 'hourly, with daylight saving',
    startMs: Date.UTC(2026, 2, 2, 2),
    begin: (random) => (timeMs) => hourOf(local(timeMs)) * (1 + 0.05 * normal(random)),
  },
];

function isWeekend(timeMs: number): boolean {
  return dayOf(timeMs) % 6 === 0;
}

function dayOf(timeMs: number): number {
  return new Date(timeMs).getUTCDay();
}

function dateOf(timeMs: number): number {
  return new Date(timeMs).getUTCDate();
}

function weekday(timeMs: number): number {
  return WEEK[dayOf(timeMs)] ?? 1;
}

function hourOf(timeMs: number): number {
  return BUSY[new Date(timeMs).getUTCHours()] ?? 1;
}

/** An hour is skipped three weeks after the first Monday of the year: the series that begin in its first week all see it. */
/** Of Central Europe in 2026. */
function local(timeMs: number): number {
  return timeMs < Date.UTC(2026, 2, 29, 1) ? timeMs : timeMs + HOUR_MS;
}

function rows(random: Random, mean: number): number {
  return Math.round(mean * (1 + 0.03 * normal(random)));
}

function withHolidays(random: Random): Source {
  return (timeMs) => rows(random, isWeekend(timeMs) || isHoliday(timeMs) ? 4000 : 10_000);
}

function bursts(random: Random): Source {
  return () => (random.next() < 0.03 ? 300 + 30 * normal(random) : 100 + 5 * normal(random));
}

function trend(random: Random): Source {
  let scan = 0;
  return () => {
    scan += 1;
    return Math.round(10_000 + 100 * scan + 100 * normal(random));
  };
}

function growth(random: Random): Source {
  let count = 10_000;
  return () => {
    count *= 1.01 * Math.exp(0.003 * normal(random));
    return Math.round(count);
  };
}

/** Of 2,000 rows at night to 25,000 at noon when it begins. */
function growingHours(random: Random): Source {
  let scale = 1000;
  return (timeMs) => {
    scale *= 1.01 ** (1 / 24);
    return Math.round(scale * hourOf(timeMs) * (1 + 0.05 * normal(random)));
  };
}

/** What is older than sixty days is deleted: the table grows by a day's rows, and then stays as it is. */
function retention(random: Random): Source {
  const days: number[] = [];
  return (timeMs) => {
    days.push(rows(random, 1000 * weekday(timeMs)));
    if (days.length > 60) days.shift();
    return days.reduce((sum, day) => sum + day, 0);
  };
}

function walk(random: Random): Source {
  let value = 100;
  return () => {
    value += normal(random);
    return value;
  };
}

function correlated(random: Random): Source {
  let error = 0;
  return () => {
    error = 0.7 * error + normal(random);
    return 100 + error;
  };
}

function releases(random: Random): Source {
  let level = 10_000;
  let scan = 0;
  return () => {
    if (scan > 0 && scan % RELEASE_SCANS === 0) level *= random.next() < 0.5 ? 0.7 : 1.4;
    scan += 1;
    return rows(random, level);
  };
}

/** Delivered every seventh day, two hours before the scan. */
function ageOfWeekly(random: Random): Source {
  let deliveredMs = 0;
  let scan = 0;
  return (timeMs) => {
    if (scan % 7 === 0) deliveredMs = timeMs - (2 + 0.3 * normal(random)) * HOUR_MS;
    scan += 1;
    return (timeMs - deliveredMs) / HOUR_MS;
  };
}

/** Between two deliveries scans find what they found before. */
function delivered(random: Random, isBetween: (timeMs: number) => boolean): Source {
  let count = rows(random, 10_000);
  return (timeMs) => {
    if (!isBetween(timeMs)) count = rows(random, 10_000);
    return count;
  };
}

function filled(random: Random, { records, chance }: { readonly records: number; readonly chance: number }): number {
  return 100 * (1 - Math.min(records, poisson(random, records * chance)) / records);
}
