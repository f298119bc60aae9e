// SPDX-License-Identifier: Apache-2.0
/** The tables of the families: how often each detector is wrong about clean series, and what it finds in damaged ones. */

import { percent, table } from '../markdown-table.ts';
import { CLEAN_FAMILIES } from './clean-families.ts';
import { DAMAGES } from './damages.ts';
import { wilson } from './interval.ts';
import { type AlarmCount, type Competitor, competitor, type Found, falseAlarms, PRODUCT, powerOf, type SeedSet } from './measure.ts';
import { type MonitorFigures, type MonitorsSize, measureMonitors, monitorSection } from './monitors-page.ts';
import { RIVALS } from './rivals.ts';

/** One result for each detector, in the order of their names. */
export type FamilyFigures = {
  readonly seeds: SeedSet;
  readonly detectors: readonly string[];
  readonly clean: readonly { readonly name: string; readonly counts: readonly AlarmCount[] }[];
  readonly damaged: readonly { readonly name: string; readonly found: readonly Found[] }[];
  readonly monitors: MonitorFigures;
};

export type FamiliesSize = MonitorsSize & {
  /** Judged of each clean family. */
  readonly values: number;
  /** Of each damage. */
  readonly series: number;
};

const COMPETITORS: readonly Competitor[] = [PRODUCT, ...RIVALS.map(competitor)];

export function measureFamilies(size: FamiliesSize): FamilyFigures {
  return {
    seeds: size.seeds,
    detectors: COMPETITORS.map(({ name }) => name),
    clean: CLEAN_FAMILIES.map((family) => ({ name: family.name, counts: COMPETITORS.map((one) => falseAlarms(family, one, size)) })),
    damaged: DAMAGES.map((damage) => ({ name: damage.name, found: COMPETITORS.map((one) => powerOf(damage, one, size)) })),
    monitors: measureMonitors(size),
  };
}

export function familySections({ seeds, detectors, clean, damaged, monitors }: FamilyFigures): string {
  const chosen = seeds === 'page' ? 'Nothing was chosen on these seeds.' : 'These are the seeds on which the model is developed.';
  return `## False alarms of clean series

Each row is a family of simulated series without faults, evaluated by the service's own code at every scan from the first possible one on. ${chosen}
The columns are the share of evaluated values with an alarm, its 95 % interval (Wilson, with the effective number of independent values, since alarms of one series cluster),
the series with an alarm, and the shares of common detectors: z-scores with three deviations,
robust z-scores with 3.5, an EWMA chart with three. The goal is one in a thousand. Most holidays of the family with holidays are
known to the model; expect more false alarms in countries with other holidays.

${table(
  ['series', 'values', 'learned', 'interval', 'series with an alarm', ...detectors.slice(1)],
  clean.map(({ name, counts }) => {
    const [own = NO_COUNT, ...others] = counts;
    const [lower, upper] = wilson(own.alarms / own.designEffect, own.judged / own.designEffect);
    const alarmed = `${own.alarmedSeries} of ${own.series}`;
    return [name, own.judged.toLocaleString('en'), shareOf(own), `${percent(lower)} to ${percent(upper)}`, alarmed, ...others.map(shareOf)];
  }),
)}

## Detected faults

The share of ${damaged[0]?.found[0]?.series ?? 0} faulty series in which the fault is found, after 30 clean scans unless the row says otherwise, and the median number of scans until the alarm if it
may take more than one. Compare detectors here only if they raise as few false alarms above.

${table(
  ['fault', ...detectors],
  damaged.map(({ name, found }) => [name, ...found.map(foundShare)]),
)}

${monitorSection(monitors)}`;
}

const NO_COUNT: AlarmCount = { judged: 0, alarms: 0, alarmedSeries: 0, series: 0, designEffect: 1 };

function shareOf({ judged, alarms }: AlarmCount): string {
  return judged === 0 ? '' : percent(alarms / judged);
}

function foundShare({ found, series, delay }: Found): string {
  const share = `${Math.round((100 * found) / series)} %`;
  return delay === undefined || delay === 1 ? share : `${share}, ${delay}`;
}
