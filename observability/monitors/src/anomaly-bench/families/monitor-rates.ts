// SPDX-License-Identifier: Apache-2.0
/** What a monitor of many series does: at how many scans it is wrong about any of them, and what it still finds. */

import { seededRandom } from '@sextant/foundation-std';
import { productMonitor } from '../product-judge.ts';
import { DAY_MS, type Damage, type Family, START_MS } from './family.ts';
import { SEEDS, type SeedSet } from './measure.ts';

/** Days between the first scans of two monitors, so that no single holiday is in all of them. */
const APART_DAYS = 37;

export type MonitorRun = {
  readonly seeds: SeedSet;
  /** Series in each monitor. */
  readonly size: number;
  readonly monitors: number;
};

export type AlarmedScans = { readonly scans: number; readonly alarmed: number };

/** Scans of daily series, from the first at which any of them is judged, and those at which any is called wrong. */
export function alarmedScans(family: Family, { scans: length, ...run }: MonitorRun & { readonly scans: number }): AlarmedScans {
  const count = { scans: 0, alarmed: 0 };
  for (let monitor = 0; monitor < run.monitors; monitor += 1) {
    const { judge, learn } = productMonitor(run.size, family.measured);
    const sources = begin(family, run, monitor);
    for (let scan = 0; scan < length; scan += 1) {
      const timeMs = timeOf(monitor, scan);
      const values = sources.map((next) => next(timeMs));
      const judged = judge(timeMs, values);
      learn(timeMs, values);
      if (family.isNews?.(scan) === true || !judged.some(({ isKnown }) => isKnown)) continue;
      count.scans += 1;
      if (judged.some(({ isViolation }) => isViolation)) count.alarmed += 1;
    }
  }
  return count;
}

/** Share of damaged values that are called wrong, after each of these numbers of good scans; each monitor has them in all of its series. */
export function foundAfter(
  { family, damaged }: Damage,
  { points, ...run }: MonitorRun & { readonly points: readonly number[] },
): readonly number[] {
  const found = points.map(() => 0);
  for (let monitor = 0; monitor < run.monitors; monitor += 1) {
    const { judge, learn } = productMonitor(run.size, family.measured);
    const sources = begin(family, run, monitor);
    let last: readonly (number | undefined)[] = [];
    for (let scan = 0; scan <= Math.max(...points); scan += 1) {
      const timeMs = timeOf(monitor, scan);
      const good = sources.map((next) => next(timeMs));
      const at = points.indexOf(scan);
      if (at !== -1) {
        const values = good.map((value, index) => value && damaged(value, { scan: 0, last: last[index] ?? value }));
        found[at] = (found[at] ?? 0) + judge(timeMs, values).filter(({ isViolation }) => isViolation).length;
      }
      learn(timeMs, good);
      last = good;
    }
  }
  return found.map((count) => count / (run.size * run.monitors));
}

function begin({ begin: beginSeries }: Family, { seeds, size }: MonitorRun, monitor: number): readonly ReturnType<Family['begin']>[] {
  return Array.from({ length: size }, (_, index) => beginSeries(seededRandom(SEEDS[seeds] + monitor * size + index)));
}

function timeOf(monitor: number, scan: number): number {
  return START_MS + (APART_DAYS * monitor + scan) * DAY_MS;
}
