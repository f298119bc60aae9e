// SPDX-License-Identifier: Apache-2.0
/**
 * Lengths that vectors had before they were normalised, which nothing else tells of: those written since the last scan are compared with those written while
 * all was well. What has been otherwise in five scans in a row is what is usual from then on, as with the references of vectors.
 */
import type { MetricPoint } from '@sextant/contracts-observability';
import type { InputNormInterval } from '@sextant/observability-connectors';
import type { StoredInputNorms } from '../scan.ts';
import { isMoreThanChance, RARE } from './chance.ts';
import { ACCEPTED_SCANS } from './comparison.ts';
import { metricAt, percent } from './vector-statistics.ts';

/** Of fewer vectors nothing is said of the lengths that are rare. */
const USUAL_MIN = 200;
const QUANTILES: readonly (readonly [aggregation: string, share: number])[] = [
  ['p05', 0.05],
  ['median', 0.5],
  ['p95', 0.95],
];

export type InputNormsCompared = { readonly metrics: readonly MetricPoint[]; readonly stored: StoredInputNorms };

type Intervals = readonly InputNormInterval[];

/** @param before undefined on the first scan, which learns and says nothing */
export function compareInputNorms(vector: string, now: Intervals, before: StoredInputNorms | undefined): InputNormsCompared {
  const at = metricAt({ attribute: vector, segment: null });
  const fresh = writtenSince(now, before?.seen ?? []);
  // The counts of a collection only grow: with fewer it is another one of the same name.
  if (before === undefined || fresh === undefined) return { metrics: [], stored: { seen: now, usual: now, scansOtherwise: 0 } };
  const written = total(fresh);
  const spread = QUANTILES.map(([aggregation, share]) => at('VECTOR_INPUT_NORM', aggregation, quantile(fresh, share)));
  const counted = [at('VECTOR_INPUT_NORM', 'count', written), ...(written === 0 ? [] : spread)];
  if (total(before.usual) < USUAL_MIN) return { metrics: counted, stored: { seen: now, usual: now, scansOtherwise: 0 } };

  const outliers = total(fresh.filter(isOutside(before.usual)));
  const isOtherwise = isMoreThanChance(outliers, RARE * written);
  const scansOtherwise = isOtherwise ? before.scansOtherwise + 1 : 0;
  const isUsual = !isOtherwise || scansOtherwise >= ACCEPTED_SCANS;
  return {
    metrics: [...counted, at('VECTOR_INPUT_NORM_OUTLIER_SHARE', 'ratio', percent(outliers, written))],
    stored: { seen: now, usual: isUsual ? merged(before.usual, fresh) : before.usual, scansOtherwise: isUsual ? 0 : scansOtherwise },
  };
}

/** Undefined where fewer were written than before. */
function writtenSince(now: Intervals, seen: Intervals): Intervals | undefined {
  const known = new Map(seen.map(({ from, written }) => [from, written]));
  const here = new Set(now.map(({ from }) => from));
  if (seen.some(({ from }) => !here.has(from))) return undefined;
  const fresh = now.map((interval) => ({ ...interval, written: interval.written - (known.get(interval.from) ?? 0) }));
  return fresh.some(({ written }) => written < 0) ? undefined : fresh.filter(({ written }) => written > 0);
}

function merged(one: Intervals, other: Intervals): Intervals {
  const more = new Map(other.map((interval) => [interval.from, interval]));
  const both = one.map((interval) => ({ ...interval, written: interval.written + (more.get(interval.from)?.written ?? 0) }));
  const known = new Set(one.map(({ from }) => from));
  return [...both, ...other.filter(({ from }) => !known.has(from))].toSorted((first, second) => first.from - second.from);
}

function total(intervals: Intervals): number {
  return intervals.reduce((sum, { written }) => sum + written, 0);
}

/** Whether lengths lie outside those between which all but one of a thousand lay; an interval is as wide as what rounding may do. */
function isOutside(usual: Intervals): (interval: InputNormInterval) => boolean {
  const [shortest, longest] = [intervalAt(usual, RARE / 2), intervalAt(usual, 1 - RARE / 2)];
  return ({ from }) => from < (shortest?.from ?? 0) || from > (longest?.from ?? 0);
}

/** In the middle of its interval, by the logarithm. */
function quantile(intervals: Intervals, share: number): number | null {
  const interval = intervalAt(intervals, share);
  return interval === undefined ? null : Math.sqrt(interval.from * interval.to);
}

function intervalAt(intervals: Intervals, share: number): InputNormInterval | undefined {
  let rest = share * total(intervals);
  return intervals.find(({ written }) => {
    rest -= written;
    return rest <= 0;
  });
}
