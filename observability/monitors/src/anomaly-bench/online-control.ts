// SPDX-License-Identifier: Apache-2.0
/**
 * Two ways to keep the promise of a monitor of many series over time, on the chances that the model gives to the same values: the product's share of the
 * promise, which is the same at each scan, and LORD++, which spends a budget of false discoveries and earns by discoveries (Ramdas, Yang, Wainwright and
 * Jordan, "Online control of the false discovery rate with decaying memory", NIPS 2017).
 */
import { type Random, seededRandom } from '@sextant/foundation-std';
import { DenseSeries } from '../bands/learned/dense-series.ts';
import { chancePerSeries } from '../bands/learned/tail.ts';
import { normal } from './chance.ts';

/** Of a value: its chance as the model sees it, and whether it was damaged. */
export type Tested = { readonly chance: number; readonly isFault: boolean };
export type Rule = { readonly name: string; readonly judge: (tested: readonly Tested[]) => readonly boolean[] };
export type ControlFigures = { readonly name: string; readonly falseAlarms: number; readonly found: number; readonly faults: number };

const HOUR_MS = 3_600_000;
const LEARNED_SCANS = 24 * 28;
const DAY_HOURS = 24;
/** Usual for the false discovery rate, of which LORD++ begins with a half. */
const DISCOVERY_RATE = 0.05;
/** Makes the sum of `decay` one. */
const DECAY_SCALE = 0.0772;

export function shareOfPromise(series: number): Rule {
  const limit = chancePerSeries(series);
  return { name: 'a share of one in a thousand', judge: (tested) => tested.map(({ chance }) => chance < limit) };
}

export const LORD: Rule = {
  name: 'LORD++',
  judge: (tested) => {
    const first = DISCOVERY_RATE / 2;
    const discoveries: number[] = [];
    return tested.map(({ chance }, index) => {
      const [firstAt, ...others] = discoveries;
      let level = first * decay(index + 1);
      if (firstAt !== undefined) level += (DISCOVERY_RATE - first) * decay(index - firstAt);
      for (const at of others) level += DISCOVERY_RATE * decay(index - at);
      const isDiscovery = chance <= level;
      if (isDiscovery) discoveries.push(index);
      return isDiscovery;
    });
  },
};

/** Share of the budget that a test has so many tests later. */
function decay(tests: number): number {
  return (DECAY_SCALE * Math.log(Math.max(tests, 2))) / (tests * Math.exp(Math.sqrt(Math.log(tests))));
}

export function compareControls(
  rules: readonly Rule[],
  size: { readonly series: number; readonly scans: number; readonly faults: number; readonly deviations: number },
): readonly ControlFigures[] {
  const tested = testedValues(size);
  return rules.map(({ name, judge }) => {
    const alarms = judge(tested);
    const count = (isFault: boolean) => tested.filter((each, index) => each.isFault === isFault && alarms[index] === true).length;
    return { name, falseAlarms: count(false), found: count(true), faults: tested.filter(({ isFault }) => isFault).length };
  });
}

/** Scan by scan, of all series; `faults` values of each series are off by `deviations`. */
function testedValues({ series, scans, faults, deviations }: Parameters<typeof compareControls>[1]): readonly Tested[] {
  const all = Array.from({ length: series }, (_, seed) => testedSeries(seededRandom(seed + 1), { scans, faults, deviations }));
  return Array.from({ length: scans }, (_, scan) => all.flatMap((each) => each[scan] ?? [])).flat();
}

function testedSeries(
  random: Random,
  { scans, faults, deviations }: { readonly scans: number; readonly faults: number; readonly deviations: number },
): readonly Tested[] {
  const learned = new DenseSeries();
  const damaged = new Set(Array.from({ length: faults }, () => LEARNED_SCANS + Math.floor(scans * random.next())));
  const tested: Tested[] = [];
  for (let scan = 0; scan < LEARNED_SCANS + scans; scan += 1) {
    const isFault = damaged.has(scan);
    const value = 100 + 10 * Math.sin((2 * Math.PI * scan) / DAY_HOURS) + normal(random) + (isFault ? deviations : 0);
    if (scan >= LEARNED_SCANS) tested.push({ chance: 10 ** -learned.surpriseOf(scan * HOUR_MS, value).score, isFault });
    learned.learn(scan * HOUR_MS, value);
  }
  return tested;
}
