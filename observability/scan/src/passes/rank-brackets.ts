// SPDX-License-Identifier: Apache-2.0
/**
 * Which of the values have to be sorted to know those at some ranks: the quantiles of a random sample say about where they lie, and
 * counts say exactly how many values are below and between. Where a list is still too long it is narrowed again; where a sample misses, the wider
 * list stays.
 */
import type { Dialect } from '../dialect/dialect.ts';
import type { Cell, Engine } from '../engine/engine.ts';
import { type AggregateGroup, numbersOf, runPass } from './pass.ts';

/** Finite values of one column, of the whole or of a segment. */
export type Series = {
  readonly attribute: string;
  readonly segment: string | null;
  /** Columns of the inner SELECT, the one with the values, and a condition on the others; none for the whole. */
  readonly inner: readonly string[];
  readonly double: string;
  readonly where: string | undefined;
  readonly count: number;
  readonly min: number;
  readonly max: number;
};

/** The values of a series from `low` to `high`, both included, among which are those at the ranks. */
export type Bracket = {
  readonly series: Series;
  /** In the series, in ascending order, from 0. */
  readonly ranks: readonly number[];
  readonly low: number;
  readonly high: number;
  /** Values of the series below `low`, and values from there to `high`. */
  readonly below: number;
  readonly count: number;
};

/** Values of one series in a sample. */
export const SAMPLE_SIZE = 100_000;
/** Standard errors of a share in a sample by which its quantile may err: it misses one rank in 16,000. */
const STANDARD_ERRORS = 4;
const ROUNDS_MAX = 4;
/** Samples of one statement, each of about a megabyte. */
const SAMPLES_MAX = 64;

export type Narrowing = { readonly valuesMax: number; readonly sampleSize: number };

export function wholeBracket(series: Series, ranks: readonly number[]): Bracket {
  const { min: low, max: high, count } = series;
  return { series, ranks, low, high, below: 0, count };
}

/** A condition on a row of the series that its value meets another one. */
export function conditionOn({ where }: Series, condition: string): string {
  return where === undefined ? `(${condition})` : `(${where} AND (${condition}))`;
}

export function isWithin({ series: { double }, low, high }: Pick<Bracket, 'series' | 'low' | 'high'>, { number }: Dialect): string {
  return `${double} BETWEEN ${number(low)} AND ${number(high)}`;
}

/** Values that have to be put in order; of equal ones none has to be. */
export function lengthOf({ low, high, count }: Bracket): number {
  return low === high ? 0 : count;
}

/** The brackets, narrowed down once, and further until their lists are no longer than `valuesMax` together, or for a few rounds. */
export async function narrowed(engine: Engine, brackets: readonly Bracket[], narrowing: Narrowing): Promise<readonly Bracket[]> {
  let standing = brackets;
  for (let round = 0; round < ROUNDS_MAX && standing.length > 0; round += 1) {
    standing = await counted(engine, await proposals(engine, standing, narrowing));
    if (standing.reduce((sum, bracket) => sum + lengthOf(bracket), 0) <= narrowing.valuesMax) break;
  }
  return standing;
}

type Proposal = { readonly bracket: Bracket; readonly low: number; readonly high: number };

/** Where the ranks may lie, by one sample for all brackets over the same values. */
async function proposals(engine: Engine, brackets: readonly Bracket[], { sampleSize }: Narrowing): Promise<readonly Proposal[]> {
  const { narrowing, quantiles } = engine.dialect;
  if (narrowing === undefined) return brackets.map((bracket) => ({ ...bracket, bracket }));
  const together = Map.groupBy(brackets, (bracket) => conditionOn(bracket.series, isWithin(bracket, engine.dialect)));
  const shareOf = ({ count }: Bracket): number => Math.min(1, sampleSize / count);
  const widest = Math.max(...brackets.map(shareOf));
  const found: Proposal[] = [];
  const groups = [...together].map(([condition, alike]): AggregateGroup => {
    const [first] = alike;
    const share = first === undefined ? 1 : shareOf(first);
    const bounds = alike.map((bracket) => sharesAround(bracket, bracket.count * share));
    const shares = bounds.flat().map((bound) => Math.min(1, Math.max(0, bound)));
    // A column: some engines take no number by chance within an aggregate.
    const [chance, where] =
      share === widest ? [[], condition] : [[`${narrowing.chance} AS chance`], `${condition} AND chance < ${share / widest}`];
    return {
      inner: [...(first?.series.inner ?? []), ...chance],
      aggregates: [
        {
          sql: quantiles(first?.series.double ?? '', shares, where),
          receive: (json) => {
            const estimates = numbersOf(json);
            alike.forEach((bracket, index) => {
              const [from = 0, to = 1] = bounds[index] ?? [];
              // Beyond the ends of the sample the bracket itself is the bound.
              found.push(proposalOf(bracket, from > 0 ? estimates[2 * index] : undefined, to < 1 ? estimates[2 * index + 1] : undefined));
            });
          },
        },
      ],
    };
  });
  const relation = `(SELECT * FROM ${engine.relation} WHERE ${narrowing.chance} < ${widest}) AS sampled`;
  for (let start = 0; start < groups.length; start += SAMPLES_MAX)
    await runPass(engine, { groups: groups.slice(start, start + SAMPLES_MAX), dimensions: [], relation });
  return found;
}

/** Of the values of the bracket, a little below its ranks and a little above; it may be less than none or more than all. */
function sharesAround({ ranks, below, count }: Bracket, sampled: number): readonly [number, number] {
  const shares = ranks.map((rank) => (rank - below) / count);
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  return [least - errorOf(least, sampled), most + errorOf(most, sampled)];
}

/** Of a share in a sample of so many values: its variance is that of a binomial proportion; near the ends one value counts. */
function errorOf(share: number, sampled: number): number {
  return STANDARD_ERRORS * Math.sqrt(Math.max(share * (1 - share), 1 / sampled) / sampled);
}

/** A sample may be empty. */
function proposalOf(bracket: Bracket, low: number | undefined, high: number | undefined): Proposal {
  const within = (value: number | undefined, otherwise: number): number =>
    value === undefined || !Number.isFinite(value) ? otherwise : Math.min(bracket.high, Math.max(bracket.low, value));
  const from = within(low, bracket.low);
  return { bracket, low: from, high: Math.max(from, within(high, bracket.high)) };
}

/** What was proposed, where it holds the ranks; else what stood. */
async function counted(engine: Engine, proposed: readonly Proposal[]): Promise<readonly Bracket[]> {
  const { narrowing } = engine.dialect;
  const brackets: Bracket[] = [];
  if (narrowing === undefined) return proposed.map(({ bracket }) => bracket);
  const groups = [...Map.groupBy(proposed, ({ bracket }) => bracket.series)].map(([series, own]): AggregateGroup => {
    const bounds = [...new Set(own.flatMap(({ low, high }) => [before(low), high]))].sort((one, other) => one - other);
    const receive = (json: Cell): void => {
      const counts = numbersOf(json);
      const upTo = (value: number): number => bounds.reduce((sum, bound, index) => sum + (bound <= value ? (counts[index] ?? 0) : 0), 0);
      for (const { bracket, low, high } of own) {
        const below = upTo(before(low));
        const count = upTo(high) - below;
        const holds = bracket.ranks.every((rank) => rank >= below && rank < below + count);
        brackets.push(holds ? { series, ranks: bracket.ranks, low, high, below, count } : bracket);
      }
    };
    return { inner: series.inner, aggregates: [{ sql: narrowing.histogram(series.double, bounds, series.where), receive }] };
  });
  await runPass(engine, { groups, dimensions: [] });
  return brackets;
}

const bits = new DataView(new ArrayBuffer(8));

/** The greatest double below another one. */
function before(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return bits.getFloat64(0);
}
