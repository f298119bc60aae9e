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
  return `## Series in which nothing happened

Each row is a family of simulated series with nothing wrong in them, judged value by value from the first scan that can be, by the service's own evaluation. ${chosen}
The share of judged values that are called wrong, with its interval of 95 % (Wilson, of as many independent values as tell as much: alarms of one series come together),
and the series with an alarm, beside detectors that are common elsewhere: z-scores with three deviations,
robust z-scores with 3.5, an EWMA chart with three. One in a thousand is asked for. Most holidays of the family with holidays are
among those that the model may excuse; expect more false alarms where others are kept.

${table(
  ['series', 'values', 'learned', 'interval', 'series with an alarm', ...detectors.slice(1)],
  clean.map(({ name, counts }) => {
    const [own = NO_COUNT, ...others] = counts;
    const [lower, upper] = wilson(own.alarms / own.designEffect, own.judged / own.designEffect);
    const alarmed = `${own.alarmedSeries} of ${own.series}`;
    return [name, own.judged.toLocaleString('en'), shareOf(own), `${percent(lower)} to ${percent(upper)}`, alarmed, ...others.map(shareOf)];
  }),
)}

## Damage that it finds

The share of ${damaged[0]?.found[0]?.series ?? 0} damaged series in which the damage is found, after 30 good scans unless the row needs more, and the median number of scans up to the alarm where it
may take more than one. A detector that finds much here and calls much wrong above is no better for it.

${table(
  ['damage', ...detectors],
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
