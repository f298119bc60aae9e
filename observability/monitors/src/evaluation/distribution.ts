/**
 * How far the frequencies of values (or of patterns) are from what they were: the Jensen-Shannon divergence in bits (Lin, "Divergence Measures
 * Based on the Shannon Entropy", IEEE Transactions on Information Theory 37, 1991), 0 for equal ones to 1 for ones that share no value. Only the most
 * frequent values are measured one by one; what lies beyond counts as one value more.
 */
import type { MetricName } from '@sextant/contracts-observability';
import type { SeriesPoint } from '../bands/band.ts';
import type { SeriesKey } from './evaluation.ts';
import { traitsOf } from './metric-traits.ts';
import { type Measured, plainSeries, type ScanSeries } from './scan-series.ts';
import { confidence } from './tolerance.ts';
import type { Watched } from './watched.ts';

/** Shares of 0 to 1 by value; what they lack to 1 is of other values. */
type Distribution = ReadonlyMap<string, number>;

/**
 * In bits. A population stability index (the symmetric Kullback-Leibler divergence) below 0.1 is read as no change (Siddiqi, "Credit Risk
 * Scorecards", 2006); near zero the Jensen-Shannon divergence is an eighth of it.
 */
const LEAST_EFFECT = 0.1 / 8 / Math.LN2;

/** One for each attribute and segment that has values of the metric, now or at the scan before. */
export function watchedDistributions(metric: MetricName, measured: readonly Measured[], scan: ScanSeries): readonly Watched[] {
  const groups = Map.groupBy(measured, ({ series }) => JSON.stringify([formOf(series), series.attribute, series.segment]));
  return [...groups.values()].flatMap((values): Watched[] => {
    const [first] = values;
    if (first === undefined) return [];
    const { attribute, segment } = first.series;
    const now = distributionOf(values.map(({ series, value }) => [series.metric_aggregation, value]));
    const past = pastDistributions(values, scan);
    const aggregation = metric === 'PATTERN' ? `divergence:${formOf(first.series)}` : 'divergence';
    const reference = mean(past.filter(({ isExcluded }) => !isExcluded).map(({ values: shares }) => shares));
    const present = scan.presentOf({ attribute, segment });
    const sureness = confidence(groups.size);
    return [
      {
        series: plainSeries(metric, aggregation, { attribute, segment }),
        value: now.size === 0 || reference === undefined ? null : divergence(now, reference),
        history: distances(past),
        traits: traitsOf(metric, aggregation),
        tolerance: () => Math.max(LEAST_EFFECT, chanceDivergence(values.length, present, sureness)),
        origin: 'distance',
      },
    ];
  });
}

/** Expanded and compressed patterns are two distributions of one attribute. */
function formOf({ metric_name, metric_aggregation }: SeriesKey): string {
  return metric_name === 'PATTERN' ? metric_aggregation.slice(0, metric_aggregation.indexOf(':')) : '';
}

/** In bits; values beyond those listed are the rest. */
export function divergence(first: Distribution, second: Distribution): number {
  let bits = term(rest(first), rest(second));
  for (const value of new Set([...first.keys(), ...second.keys()])) bits += term(first.get(value) ?? 0, second.get(value) ?? 0);
  return Math.min(1, Math.max(0, bits));
}

function term(first: number, second: number): number {
  const middle = (first + second) / 2;
  const part = (share: number): number => (share === 0 ? 0 : (share / 2) * Math.log2(share / middle));
  return part(first) + part(second);
}

function rest(distribution: Distribution): number {
  return Math.max(0, 1 - distribution.values().reduce((sum, share) => sum + share, 0));
}

function distributionOf(shares: readonly (readonly [value: string, percent: number | null])[]): Distribution {
  return new Map(shares.flatMap(([value, percent]) => (percent === null ? [] : [[value, percent / 100]])));
}

type PastDistribution = { readonly timeMs: number; readonly isExcluded: boolean; readonly values: Distribution };

function pastDistributions(measured: readonly Measured[], scan: ScanSeries): readonly PastDistribution[] {
  const byTime = new Map<number, { isExcluded: boolean; values: Map<string, number> }>();
  for (const { series } of measured) {
    for (const { timeMs, value, isExcluded } of scan.historyOf(series)) {
      if (value === null) continue;
      const past = byTime.get(timeMs) ?? { isExcluded: false, values: new Map<string, number>() };
      past.values.set(series.metric_aggregation, value / 100);
      byTime.set(timeMs, { ...past, isExcluded: past.isExcluded || isExcluded });
    }
  }
  return [...byTime].map(([timeMs, past]) => ({ timeMs, ...past })).sort((first, second) => first.timeMs - second.timeMs);
}

/** Each past distribution from the mean of the others. */
function distances(past: readonly PastDistribution[]): readonly SeriesPoint[] {
  return past.flatMap(({ timeMs, isExcluded, values }, index) => {
    const others = mean(past.filter((other, at) => at !== index && !other.isExcluded).map((other) => other.values));
    return others === undefined ? [] : [{ timeMs, value: divergence(values, others), isExcluded }];
  });
}

function mean(distributions: readonly Distribution[]): Distribution | undefined {
  if (distributions.length === 0) return undefined;
  const sums = new Map<string, number>();
  for (const distribution of distributions) {
    for (const [value, share] of distribution) sums.set(value, (sums.get(value) ?? 0) + share / distributions.length);
  }
  return sums;
}

/**
 * What sampling alone gives between two samples of n records: four n times the divergence in nats is the likelihood ratio of the two (G), which
 * follows chi-squared; its tail after Laurent and Massart, "Adaptive estimation of a quadratic functional by model selection", Annals of
 * Statistics 28, 2000, lemma 1.
 */
function chanceDivergence(values: number, records: number, sureness: number): number {
  const freedom = Math.max(1, values);
  const likelihood = freedom + 2 * Math.sqrt(freedom * sureness) + 2 * sureness;
  return likelihood / (4 * records) / Math.LN2;
}
