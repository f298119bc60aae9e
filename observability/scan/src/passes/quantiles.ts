// SPDX-License-Identifier: Apache-2.0
/**
 * Quantiles, exactly: the values at two ranks, and what lies between them. Where an engine would hold all values in memory to put them in order, those
 * around the ranks are enough.
 */
import type { Dialect } from '../dialect/dialect.ts';
import type { Cell, Engine } from '../engine/engine.ts';
import type { MeasuredColumn } from '../plan/columns.ts';
import type { SegmentDimension } from '../plan/segments.ts';
import type { PointCollector } from '../points.ts';
import type { NumberRanges } from './number-ranges.ts';
import { type AggregateGroup, numbersOf, runPass } from './pass.ts';
import { type Bracket, conditionOn, narrowed, SAMPLE_SIZE, type Series, wholeBracket } from './rank-brackets.ts';

export const QUANTILES = [
  { share: 0.05, metric: 'QUANTILE', aggregation: 'p05' },
  { share: 0.25, metric: 'QUANTILE', aggregation: 'p25' },
  { share: 0.5, metric: 'MEDIAN', aggregation: 'median' },
  { share: 0.75, metric: 'QUANTILE', aggregation: 'p75' },
  { share: 0.95, metric: 'QUANTILE', aggregation: 'p95' },
] as const;

/** Values that are put in order at once, 128 MB of them. */
const VALUES_MAX = 16_000_000;
/** A series of more values is narrowed down first: two more passes over them take less time than to put all in order. */
const NARROWED_FROM = 250_000;
/** Lists of one statement; an engine that sorts on disk keeps some memory for each. */
const LISTS_MAX = 64;

export type QuantileOptions = {
  readonly columns: readonly MeasuredColumn[];
  readonly dimensions: readonly SegmentDimension[];
  readonly ranges: NumberRanges;
  /** Measured in the same pass. */
  readonly beside: readonly AggregateGroup[];
  readonly valuesMax?: number;
  /** Values by which a series is narrowed down. */
  readonly sampleSize?: number;
};

export async function measureQuantiles(
  engine: Engine,
  { columns, dimensions, ranges, beside, valuesMax = VALUES_MAX, sampleSize = SAMPLE_SIZE }: QuantileOptions,
  points: PointCollector,
): Promise<void> {
  const { dialect } = engine;
  const all = allSeries(columns, dimensions, ranges);
  const isLarge = ({ count }: Series): boolean => dialect.narrowing !== undefined && count > Math.min(valuesMax, NARROWED_FROM);
  const narrow = all.filter(isLarge).flatMap((series) => QUANTILES.map(({ share }) => wholeBracket(series, ranksOf(series.count, share))));
  const brackets = [
    ...all
      .filter((series) => !isLarge(series))
      .map((series) => wholeBracket(series, [...new Set(QUANTILES.flatMap(({ share }) => ranksOf(series.count, share)))])),
    ...(await narrowed(engine, narrow, { valuesMax, sampleSize })),
  ];
  const found = new Map(all.map((series) => [series, new Map<number, number>()]));
  const lists = [...found].map(([series, values]) => {
    const own = brackets.filter((bracket) => bracket.series === series);
    return listOf(own, dialect, (rank, value) => values.set(rank, value));
  });
  const [first = [], ...others] = inStatements(lists, valuesMax);
  for (const groups of [[...beside, ...first], ...others]) await runPass(engine, { groups, dimensions: [] });
  for (const [{ attribute, segment, count }, values] of found) {
    for (const { share, metric, aggregation } of QUANTILES)
      points.add(metric, aggregation, { attribute, segment, value: between(values, (count - 1) * share) });
  }
}

function allSeries(columns: readonly MeasuredColumn[], dimensions: readonly SegmentDimension[], ranges: NumberRanges): readonly Series[] {
  const places = dimensions.flatMap(({ names, position }, dimension) =>
    names.map((segment, place) => ({
      segment,
      inner: [`${position} AS segment_${dimension}`],
      where: `segment_${dimension} = ${place}`,
    })),
  );
  return columns.flatMap(({ name: attribute, double }, index) =>
    [{ segment: null, inner: [], where: undefined }, ...places].flatMap(({ segment, inner, where }): readonly Series[] => {
      const range = ranges.rangeOf(attribute, segment);
      if (double === null || range === undefined) return [];
      const column = `double_${index}`;
      const { count, min, max } = range;
      return [{ attribute, segment, inner: [`${double} AS ${column}`, ...inner], double: column, where, count, min, max }];
    }),
  );
}

/** The ranks between which the place of a quantile lies. */
function ranksOf(count: number, share: number): readonly number[] {
  const place = (count - 1) * share;
  return [...new Set([Math.floor(place), Math.ceil(place)])];
}

type List = { readonly length: number; readonly group: AggregateGroup };

/** The values of some brackets of one series in order, of which those at the ranks are read. */
function listOf(brackets: readonly Bracket[], dialect: Dialect, receive: (rank: number, value: number) => void): List {
  const ranked: { readonly rank: number; readonly place: number }[] = [];
  const intervals: Interval[] = [];
  let [length, end] = [0, 0];
  for (const bracket of brackets.toSorted((one, other) => one.below - other.below || one.count - other.count)) {
    const { ranks, low, high, below, count } = bracket;
    if (low === high) {
      for (const rank of ranks) receive(rank, low);
      continue;
    }
    // Brackets may have values in common, which the list has once.
    const start = length - Math.max(0, end - below);
    for (const rank of ranks) ranked.push({ rank, place: start + rank - below });
    join(intervals, { low, high });
    length = Math.max(length, start + count);
    end = Math.max(end, below + count);
  }
  const [{ series } = { series: undefined }] = brackets;
  if (series === undefined || ranked.length === 0) return { length: 0, group: { inner: [], aggregates: [] } };
  const isWhole = length === series.count;
  const where = conditionOn(series, isWhole ? `${series.double} IS NOT NULL` : isAmong(series.double, intervals, dialect));
  // The first value of at least that share is the one of this rank.
  const shares = ranked.map(({ place }) => (place + 0.5) / length);
  const sql = dialect.quantiles(series.double, shares, where);
  const receiveList = (json: Cell): void => {
    numbersOf(json).forEach((value, index) => {
      const place = ranked[index];
      if (place !== undefined) receive(place.rank, value);
    });
  };
  return { length, group: { inner: series.inner, aggregates: [{ sql, receive: receiveList }] } };
}

type Interval = { readonly low: number; readonly high: number };

/** Adds an interval that begins no earlier than those before it; two that have values in common become one. */
function join(intervals: Interval[], { low, high }: Interval): void {
  const last = intervals.at(-1);
  if (last === undefined || last.high < low) intervals.push({ low, high });
  else intervals[intervals.length - 1] = { low: Math.min(last.low, low), high: Math.max(last.high, high) };
}

/** By halves: most values are in none of the intervals, and comparing them with each took as long again as all else. */
function isAmong(double: string, intervals: readonly Interval[], dialect: Dialect): string {
  const half = Math.floor(intervals.length / 2);
  const [only] = intervals;
  if (half === 0) return only === undefined ? 'false' : `${double} BETWEEN ${dialect.number(only.low)} AND ${dialect.number(only.high)}`;
  const middle = dialect.number(intervals[half]?.low ?? 0);
  const [before, behind] = [intervals.slice(0, half), intervals.slice(half)].map((some) => isAmong(double, some, dialect));
  return `CASE WHEN ${double} < ${middle} THEN ${before} ELSE ${behind} END`;
}

/** As few statements as keep the lists of each within the bounds; one that is longer by itself has its own. */
function inStatements(lists: readonly List[], valuesMax: number): readonly (readonly AggregateGroup[])[] {
  const statements: AggregateGroup[][] = [];
  let [values, count] = [0, LISTS_MAX];
  for (const { length, group } of lists) {
    if (count === LISTS_MAX || values + length > valuesMax) {
      statements.push([]);
      [values, count] = [0, 0];
    }
    statements.at(-1)?.push(group);
    values += length;
    count += 1;
  }
  return statements;
}

/** Between the values at the two ranks around a place. */
function between(values: ReadonlyMap<number, number>, place: number): number | null {
  const [below, above] = [values.get(Math.floor(place)), values.get(Math.ceil(place))];
  if (below === undefined || above === undefined) return null;
  const share = place - Math.floor(place);
  // The distance of the largest doubles is none; of others this form is exact where both are equal.
  return Number.isFinite(above - below) ? below + (above - below) * share : below * (1 - share) + above * share;
}
