// SPDX-License-Identifier: Apache-2.0
/**
 * How far the frequencies of values (or of patterns) are from what they were: the Jensen-Shannon divergence in bits (Lin, "Divergence
 * Measures Based on the Shannon Entropy", IEEE Transactions on Information Theory 37, 1991), 0 for equal ones to 1 for ones that share no
 * value. Only the most frequent values are measured one by one; what lies beyond counts as one value more.
 */
import type { SeriesPoint } from '../bands/band.ts';
import type { SeriesKey } from './evaluation.ts';
import { traitsOf } from './metric-traits.ts';
import { type Measured, plainSeries, type ScanSeries } from './scan-series.ts';
import { confidenceOf } from './tolerance.ts';
import { turnsOver } from './turnover.ts';
import type { Watched } from './watched.ts';

/** The shares that were listed, 0 to 1 by value, and the most that a value may have which was not. */
type Distribution = { readonly shares: ReadonlyMap<string, number>; readonly unlisted: number };

type PastDistribution = Distribution & { readonly timeMs: number; readonly isExcluded: boolean };

/** Latest scans that are compared; each with all others, so that their number counts twice. */
const SCANS_MAX = 60;
/** Values (and patterns) that a scan lists at most. */
const LISTED = { VALUE_DISTRIBUTION: 20, PATTERN: 10 } as const;

/**
 * In bits. A population stability index (the symmetric Kullback-Leibler divergence) below 0.1 is read as no change (Siddiqi, "Credit Risk
 * Scorecards", 2006); near zero the Jensen-Shannon divergence is an eighth of it.
 */
const LEAST_EFFECT = 0.1 / 8 / Math.LN2;

/** One for each attribute and segment that has values of the metric, now or at the scan before. */
export function watchedDistributions(metric: keyof typeof LISTED, measured: readonly Measured[], scan: ScanSeries): readonly Watched[] {
  const groups = Map.groupBy(measured, ({ series }) => JSON.stringify([formOf(series), series.attribute, series.segment]));
  const confidence = confidenceOf(groups.size);
  return [...groups.values()].flatMap((values): readonly Watched[] => {
    const [first] = values;
    if (first === undefined) return [];
    const { attribute, segment } = first.series;
    const listed = values.filter(({ value }) => value !== null).length;
    const isCut = listed >= LISTED[metric];
    const isTurningOver = turnsOver(values, scan);
    const now = distributionOf(
      new Map(values.flatMap(({ series, value }) => (value === null ? [] : [[series.metric_aggregation, value / 100]]))),
      isCut,
    );
    const past = pastDistributions(values, scan, isCut);
    const reference = meanOf(past);
    const aggregation = metric === 'PATTERN' ? `divergence:${formOf(first.series)}` : 'divergence';
    const least = Math.max(LEAST_EFFECT, chanceDivergence(listed, scan.presentOf({ attribute, segment }), confidence));
    return [
      {
        series: plainSeries(metric, aggregation, { attribute, segment }),
        value: listed === 0 || reference === undefined || isTurningOver ? null : divergence(now, reference),
        history: distances(past),
        traits: traitsOf(metric, aggregation),
        tolerance: () => least,
        origin: 'distance',
      },
    ];
  });
}

/** Expanded and compressed patterns are two distributions of one attribute. */
function formOf({ metric_name, metric_aggregation }: SeriesKey): string {
  return metric_name === 'PATTERN' ? metric_aggregation.slice(0, metric_aggregation.indexOf(':')) : '';
}

/**
 * In bits. A value that only one of the two lists may have been as frequent in the other as its least frequent listed one, and is taken
 * for that: which of the values at the end of the list are on it is chance.
 */
export function divergence(first: Distribution, second: Distribution): number {
  let bits = 0;
  let firstRest = 1;
  let secondRest = 1;
  for (const value of new Set([...first.shares.keys(), ...second.shares.keys()])) {
    const other = second.shares.get(value);
    const one = first.shares.get(value) ?? Math.min(first.unlisted, other ?? 0);
    const two = other ?? Math.min(second.unlisted, one);
    bits += term(one, two);
    firstRest -= one;
    secondRest -= two;
  }
  return Math.min(1, Math.max(0, bits + term(Math.max(0, firstRest), Math.max(0, secondRest))));
}

function term(first: number, second: number): number {
  const middle = (first + second) / 2;
  const part = (share: number): number => (share === 0 ? 0 : (share / 2) * Math.log2(share / middle));
  return part(first) + part(second);
}

function distributionOf(shares: ReadonlyMap<string, number>, isCut: boolean): Distribution {
  return { shares, unlisted: isCut && shares.size > 0 ? Math.min(...shares.values()) : 0 };
}

function pastDistributions(measured: readonly Measured[], scan: ScanSeries, isCut: boolean): readonly PastDistribution[] {
  const byTime = new Map<number, { isExcluded: boolean; readonly shares: Map<string, number> }>();
  for (const { series } of measured) {
    for (const { timeMs, value, isExcluded } of scan.historyOf(series)) {
      if (value === null) continue;
      const past = byTime.get(timeMs) ?? { isExcluded: false, shares: new Map<string, number>() };
      past.shares.set(series.metric_aggregation, value / 100);
      past.isExcluded ||= isExcluded;
      byTime.set(timeMs, past);
    }
  }
  return [...byTime]
    .map(([timeMs, { isExcluded, shares }]) => ({ timeMs, isExcluded, ...distributionOf(shares, isCut) }))
    .sort((first, second) => first.timeMs - second.timeMs)
    .slice(-SCANS_MAX);
}

/** Each past distribution from the mean of the others. */
function distances(past: readonly PastDistribution[]): readonly SeriesPoint[] {
  return past.flatMap((distribution, index) => {
    const others = meanOf(past.filter((_, at) => at !== index));
    const { timeMs, isExcluded } = distribution;
    return others === undefined ? [] : [{ timeMs, value: divergence(distribution, others), isExcluded }];
  });
}

/** Undefined where none teaches. */
function meanOf(distributions: readonly PastDistribution[]): Distribution | undefined {
  const known = distributions.filter(({ isExcluded }) => !isExcluded);
  if (known.length === 0) return undefined;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const values = new Set(known.flatMap(({ shares }) => [...shares.keys()]));
  return {
    shares: new Map([...values].map((value) => [value, mean(known.map(({ shares, unlisted }) => shares.get(value) ?? unlisted))])),
    unlisted: mean(known.map(({ unlisted }) => unlisted)),
  };
}

/**
 * What sampling alone gives between two samples of n records: four n times the divergence in nats is the likelihood ratio of the two (G),
 * which follows chi-squared; its tail after Laurent and Massart, "Adaptive estimation of a quadratic functional by model selection",
 * Annals of Statistics 28, 2000, lemma 1.
 */
function chanceDivergence(values: number, records: number, confidence: number): number {
  const freedom = Math.max(1, values);
  const likelihood = freedom + 2 * Math.sqrt(freedom * confidence) + 2 * confidence;
  return likelihood / (4 * records) / Math.LN2;
}
