// SPDX-License-Identifier: Apache-2.0
/** How often a detector is wrong about clean series, and how often and how soon it finds what is wrong. */

import { seededRandom } from '@sextant/foundation-std';
import { productJudge } from '../product-judge.ts';
import { type Damage, type Family, timeOf } from './family.ts';
import type { Judge, Rival } from './rivals.ts';

/** Series of one set never come from the seeds of the other: what is chosen on the first is reported on the second. */
export type SeedSet = 'development' | 'page';

/** Of the first series of a set. */
export const SEEDS: { readonly [Set in SeedSet]: number } = { development: 1, page: 50_000_001 };

export type AlarmCount = {
  readonly judged: number;
  readonly alarms: number;
  /** Series with an alarm, of so many. */
  readonly alarmedSeries: number;
  readonly series: number;
  /** How many times the variance of the share is that of independent values: alarms of one series come together. At least 1. */
  readonly designEffect: number;
};

export type Found = {
  readonly found: number;
  readonly series: number;
  /** Median number of damaged scans up to the alarm, of the series in which it was found. */
  readonly delay: number | undefined;
};

/** The service itself, as one of the detectors; a judge of a kind of family. */
export type Competitor = { readonly name: string; readonly begin: (family: Family) => Judge };

export const PRODUCT: Competitor = {
  name: 'learned',
  begin: ({ measured }) => {
    const { judge, learn } = productJudge(measured);
    return {
      judge: (timeMs, value) => {
        const { isKnown, isViolation } = judge(timeMs, value);
        return isKnown ? isViolation : undefined;
      },
      learn,
    };
  },
};

export function competitor({ name, begin }: Rival): Competitor {
  return { name, begin: () => begin() };
}

/** Judges whole series until so many values are judged. */
export function falseAlarms(
  family: Family,
  { begin }: Competitor,
  { seeds, values }: { readonly seeds: SeedSet; readonly values: number },
): AlarmCount {
  const count = { judged: 0, alarms: 0, alarmedSeries: 0, series: 0 };
  const ofSeries: SeriesCount[] = [];
  // What never says anything ends too.
  for (let series = 0; count.judged < values && series < values; series += 1) {
    const { judge, learn } = begin(family);
    const next = family.begin(seededRandom(SEEDS[seeds] + series));
    const before = { ...count };
    for (let scan = 0; scan < family.scans; scan += 1) {
      const timeMs = timeOf(family, { series, scan });
      const value = next(timeMs);
      if (value === undefined) continue;
      const isAlarm = family.isNews?.(scan) === true ? undefined : judge(timeMs, value);
      learn(timeMs, value);
      if (isAlarm !== undefined) count.judged += 1;
      if (isAlarm === true) count.alarms += 1;
    }
    count.series += 1;
    if (count.alarms > before.alarms) count.alarmedSeries += 1;
    ofSeries.push({ judged: count.judged - before.judged, alarms: count.alarms - before.alarms });
  }
  return { ...count, designEffect: designEffectOf(ofSeries) };
}

type SeriesCount = Pick<AlarmCount, 'judged' | 'alarms'>;

/** Of a ratio estimated from clusters, which the series are (Rao and Scott, Biometrics 48, 1992). */
function designEffectOf(ofSeries: readonly SeriesCount[]): number {
  const judged = ofSeries.reduce((sum, each) => sum + each.judged, 0);
  const share = ofSeries.reduce((sum, { alarms }) => sum + alarms, 0) / judged;
  if (ofSeries.length < 2 || !(share > 0 && share < 1)) return 1;
  const squares = ofSeries.reduce((sum, { judged: values, alarms }) => sum + (alarms - share * values) ** 2, 0);
  return Math.max(1, ((ofSeries.length / (ofSeries.length - 1)) * squares) / (judged * share * (1 - share)));
}

export function powerOf(
  damage: Damage,
  { begin }: Competitor,
  { seeds, series: count }: { readonly seeds: SeedSet; readonly series: number },
): Found {
  const delays: number[] = [];
  for (let series = 0; series < count; series += 1) {
    const delay = delayOf(damage, begin(damage.family), { seed: SEEDS[seeds] + series, series });
    if (delay !== undefined) delays.push(delay);
  }
  delays.sort((first, second) => first - second);
  return { found: delays.length, series: count, delay: delays[delays.length >> 1] };
}

/** Damaged scans up to the first alarm; undefined where it is not found. */
function delayOf(
  damage: Damage,
  { judge, learn }: Judge,
  { seed, series }: { readonly seed: number; readonly series: number },
): number | undefined {
  const { family, after, within, damaged } = damage;
  const next = family.begin(seededRandom(seed));
  let last = 0;
  for (let scan = 0; scan < after + within; scan += 1) {
    const timeMs = timeOf(family, { series, scan });
    const value = next(timeMs) ?? last;
    if (scan < after) {
      last = value;
      learn(timeMs, value);
      continue;
    }
    const measured = damaged(value, { scan: scan - after, last });
    if (judge(timeMs, measured) === true) return scan - after + 1;
    learn(timeMs, measured);
  }
  return undefined;
}
