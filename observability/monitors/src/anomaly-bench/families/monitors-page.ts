// SPDX-License-Identifier: Apache-2.0
/** The tables of monitors of many series. */

import { percent, table } from '../markdown-table.ts';
import { CLEAN_FAMILIES } from './clean-families.ts';
import { MONITOR_DAMAGES } from './damages.ts';
import { DAY_MS } from './family.ts';
import type { SeedSet } from './measure.ts';
import { type AlarmedScans, alarmedScans, foundAfter } from './monitor-rates.ts';

export type MonitorFigures = {
  /** Series in a monitor; one result for each. */
  readonly sizes: readonly number[];
  readonly clean: readonly { readonly name: string; readonly counts: readonly AlarmedScans[] }[];
  /** One list for each size, with a share for each of `MONITOR_POINTS`. */
  readonly damaged: readonly { readonly name: string; readonly found: readonly (readonly number[])[] }[];
};

export type MonitorsSize = {
  readonly seeds: SeedSet;
  /** How many monitors there are of a size. */
  readonly monitors: readonly { readonly size: number; readonly monitors: number }[];
};

export const MONITOR_HEADING = '## Many series in one monitor';
const MONITOR_SCANS = 60;
const MONITOR_POINTS = [7, 14, 30, 90];

export function measureMonitors({ seeds, monitors }: MonitorsSize): MonitorFigures {
  return {
    sizes: monitors.map((each) => each.size),
    clean: CLEAN_FAMILIES.filter(({ everyMs }) => everyMs === DAY_MS).map((family) => ({
      name: family.name,
      counts: monitors.map((each) => alarmedScans(family, { seeds, scans: MONITOR_SCANS, ...each })),
    })),
    damaged: MONITOR_DAMAGES.map((damage) => ({
      name: damage.name,
      found: monitors.map((each) => foundAfter(damage, { seeds, points: MONITOR_POINTS, ...each })),
    })),
  };
}

export function monitorSection({ sizes, clean, damaged }: MonitorFigures): string {
  return `${MONITOR_HEADING}

Daily series of ${MONITOR_SCANS} scans are evaluated together in one monitor by the service's own code; the column says how many. The figures are the share of scans at which any series raises an
alarm, and the number of scans. The goal is one in a thousand for any number of series.

${table(
  ['series', ...sizes.flatMap((size) => [`any of ${size}`, 'scans'])],
  clean.map(({ name, counts }) => [
    name,
    ...counts.flatMap(({ scans, alarmed }) => [scans === 0 ? '' : percent(alarmed / scans), scans.toLocaleString('en')]),
  ]),
)}

Series of one metric in one monitor learn from each other how heavy the tails of their errors are. If the tails are heavier than normal ones, the bound for many series depends on quantiles that
no history of ${MONITOR_SCANS} points contains, and the goal is missed: such metrics raise false alarms from time to time. Exclude the point then.

A series that is measured several times a day learns its calendar first: on the first day, hours without a value are not evaluated, and hours that
differ by steps (a nightly pause) seldom raise an alarm on the second day. The first weekend, and the first weekday after a start on a weekend, are never evaluated.

### Detected faults in large monitors

The share of faulty values with an alarm after the given number of clean scans, in monitors of ${sizes.join(' and ')} series:

${table(
  ['fault', ...MONITOR_POINTS.map((points) => `${points} scans`)],
  damaged.map(({ name, found }) => [
    name,
    ...MONITOR_POINTS.map((_, index) => found.map((shares) => `${Math.round(100 * (shares[index] ?? 0))} %`).join(' / ')),
  ]),
)}`;
}
