// SPDX-License-Identifier: Apache-2.0
/** What goes wrong, by how much, after how many good scans. */

import {
  ALWAYS,
  COMPLETE,
  DAILY_AGE,
  GROWING_WEEKENDS,
  GROWTH,
  HEAVY,
  HOURLY_WEEK,
  INCOMPLETE,
  NORMAL,
  PROFILE,
  ROW_COUNT,
  SPARSE,
  WEEKENDS,
  WEEKLY_AGE,
} from './clean-families.ts';
import type { Damage, Family } from './family.ts';

/** Of the noise of `NORMAL`, `HEAVY` and `PROFILE`. */
const SIGMA = 5;
const PROFILE_SIGMA = 20;
const MONTH = 30;
/** Before a drift has moved six deviations, or a table has lost a part of its rows. */
const scansTo = (whole: number, step: number) => Math.ceil(whole / step);

export const DAMAGES: readonly Damage[] = [
  ...each([3, 5, 8], (by) => spike(NORMAL, `one value off by ${by} sigma`, (value) => value + by * SIGMA)),
  ...each([3, 5, 8], (by) => spike(PROFILE, `weekly profile, one value off by ${by} sigma`, (value) => value + by * PROFILE_SIGMA)),
  ...each([10, 20, 40], (by) => spike(HEAVY, `heavy tails, one value off by ${by} scales`, (value) => value + by * SIGMA)),
  ...each([2, 3, 5], (by) => lasting(NORMAL, { name: `a shift of ${by} sigma, within 7 scans`, within: 7 }, (value) => value + by * SIGMA)),
  ...each([0.05, 0.1, 0.2], (by) =>
    lasting(
      NORMAL,
      { name: `drift of ${by} sigma a scan, before 6 sigma`, within: Math.min(60, scansTo(6, by)) },
      (value, { scan }) => value + by * SIGMA * (scan + 1),
    ),
  ),
  ...each([1, 2, 5], (by) =>
    lasting(ROW_COUNT, { name: `rows fall by ${by} % a scan, before 70 %`, within: scansTo(30, by) }, (value, { scan }) =>
      Math.round(value * (1 - by / 100) ** (scan + 1)),
    ),
  ),
  ...each([10, 20, 50], (by) => spike(ROW_COUNT, `${by} % of the rows missing`, (value) => Math.round(value * (1 - by / 100)))),
  spike(ROW_COUNT, 'an empty delivery', () => 0),
  spike(ROW_COUNT, 'everything twice', (value) => 2 * value),
  ...each([20, 50], (by) => spike(WEEKENDS, `quiet weekends, ${by} % missing`, (value) => Math.round(value * (1 - by / 100)))),
  spike(GROWING_WEEKENDS, 'quiet weekends, growing by 1 %, 50 % missing', (value) => Math.round(0.5 * value)),
  spike(ALWAYS, 'the same row count, 20 % missing', (value) => 0.8 * value),
  ...each([10, 30], (by) => spike(GROWTH, `growth, ${by} % missing`, (value) => Math.round(value * (1 - by / 100)))),
  ...each([0.3, 1, 5], (by) => spike(COMPLETE, `completeness of 100 %, ${by} points less`, (value) => value - by)),
  ...each([2, 5, 10], (by) => spike(INCOMPLETE, `completeness of 98 %, ${by} points less`, (value) => value - by)),
  ...each([3, 6, 12], (count) => spike(SPARSE, `mostly 0, ${count}`, () => count)),
  ...each([2, 4], (times) =>
    lasting(NORMAL, { name: `noise ${times} times as wide, within 14 scans`, within: 14 }, (value) => 100 + times * (value - 100)),
  ),
  lasting(NORMAL, { name: 'the same value for 14 scans', within: 14 }, () => 101),
  lasting(ROW_COUNT, { name: 'the same file for 14 scans', within: 14 }, (_, { last }) => last),
  ...each([6, 12, 27], (hours) => spike(DAILY_AGE, `a daily delivery ${hours} h old`, () => hours)),
  {
    name: 'a weekly delivery stops, within 2 days',
    family: WEEKLY_AGE,
    after: 56,
    within: 2,
    damaged: (_, { scan, last }) => last + 24 * (scan + 1),
  },
  ...each([0.5, 0], (share) => ({
    ...lasting(HOURLY_WEEK, { name: `hourly, ${100 - 100 * share} % missing for 6 hours`, within: 6 }, (value) => share * value),
    after: 24 * 28 + 8,
  })),
];

/** What is looked for in monitors of many series. */
const IN_MONITORS = [
  'one value off by 5 sigma',
  'one value off by 8 sigma',
  '20 % of the rows missing',
  'the same row count, 20 % missing',
  'quiet weekends, 50 % missing',
  'quiet weekends, growing by 1 %, 50 % missing',
  'completeness of 100 %, 5 points less',
];
export const MONITOR_DAMAGES: readonly Damage[] = DAMAGES.filter(({ name }) => IN_MONITORS.includes(name));

function each<T>(strengths: readonly T[], damageOf: (strength: T) => Damage): readonly Damage[] {
  return strengths.map(damageOf);
}

function spike(family: Family, name: string, damaged: Damage['damaged']): Damage {
  return lasting(family, { name, within: 1 }, damaged);
}

function lasting(family: Family, { name, within }: Pick<Damage, 'name' | 'within'>, damaged: Damage['damaged']): Damage {
  return { name, family, after: MONTH, within, damaged };
}
