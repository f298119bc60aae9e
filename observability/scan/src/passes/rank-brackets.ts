/**
 * Which of the values have to be put in order to know those at some ranks: an engine's own estimate of quantiles says about where they lie, and
 * counts say exactly how many values are below and between. Where a list is still too long it is narrowed again; where an estimate misses, the wider
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

/** By how much an estimate may err, as a share of the values. */
const ERROR_SHARE = 0.005;
const ROUNDS_MAX = 4;

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

/** The brackets, as narrow as makes their lists no longer than `valuesMax` together, or as narrow as a few rounds make them. */
export async function narrowed(engine: Engine, brackets: readonly Bracket[], valuesMax: number): Promise<readonly Bracket[]> {
  let standing = brackets;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (standing.reduce((sum, bracket) => sum + lengthOf(bracket), 0) <= valuesMax) break;
    const proposed = await proposals(engine, standing, ERROR_SHARE * 2 ** round);
    standing = await counted(engine, proposed);
  }
  return standing;
}

type Proposal = { readonly bracket: Bracket; readonly low: number; readonly high: number };

/** Where the ranks may lie, by one estimate for all brackets over the same values. */
async function proposals(engine: Engine, brackets: readonly Bracket[], error: number): Promise<readonly Proposal[]> {
  const { approximateQuantiles: estimate } = engine.dialect;
  if (estimate === undefined) return brackets.map((bracket) => ({ ...bracket, bracket }));
  const together = Map.groupBy(brackets, (bracket) => conditionOn(bracket.series, isWithin(bracket, engine.dialect)));
  const found: Proposal[] = [];
  const groups = [...together].map(([condition, alike]): AggregateGroup => {
    const shares = alike.flatMap((bracket) => sharesAround(bracket, error));
    const [{ series } = { series: undefined }] = alike;
    return {
      inner: series?.inner ?? [],
      aggregates: [
        {
          sql: estimate(series?.double ?? '', shares, condition),
          receive: (json) => {
            const estimates = numbersOf(json);
            alike.forEach((bracket, index) => {
              found.push(proposalOf(bracket, estimates[2 * index], estimates[2 * index + 1]));
            });
          },
        },
      ],
    };
  });
  await runPass(engine, { groups, dimensions: [] });
  return found;
}

/** Of the values of the bracket, a little below its ranks and a little above. */
function sharesAround({ ranks, below, count }: Bracket, error: number): readonly [number, number] {
  const shares = ranks.map((rank) => (rank - below) / count);
  return [Math.max(0, Math.min(...shares) - error), Math.min(1, Math.max(...shares) + error)];
}

/** An estimate may be no value, and interpolates between those there are. */
function proposalOf(bracket: Bracket, low: number | undefined, high: number | undefined): Proposal {
  const within = (value: number | undefined, otherwise: number): number =>
    value === undefined || !Number.isFinite(value) ? otherwise : Math.min(bracket.high, Math.max(bracket.low, value));
  const from = within(low, bracket.low);
  return { bracket, low: from, high: Math.max(from, within(high, bracket.high)) };
}

/** What was proposed, where it holds the ranks; else what stood. */
async function counted(engine: Engine, proposed: readonly Proposal[]): Promise<readonly Bracket[]> {
  const { dialect } = engine;
  const brackets: Bracket[] = [];
  // A sum of zeros and ones takes a fifth of the time of a count with a filter.
  const countOf = (series: Series, condition: string): string => `sum(CAST(${conditionOn(series, condition)} AS INTEGER))`;
  const groups = proposed.map(({ bracket, low, high }): AggregateGroup => {
    const { series, ranks } = bracket;
    let below = 0;
    const receive = (cell: Cell): void => {
      const count = Number(cell) - below;
      const holds = ranks.every((rank) => rank >= below && rank < below + count);
      brackets.push(holds ? { series, ranks, low, high, below, count } : bracket);
    };
    return {
      inner: series.inner,
      aggregates: [
        {
          sql: countOf(series, `${series.double} < ${dialect.number(low)}`),
          receive: (cell) => {
            below = Number(cell);
          },
        },
        { sql: countOf(series, `${series.double} <= ${dialect.number(high)}`), receive },
      ],
    };
  });
  await runPass(engine, { groups, dimensions: [] });
  return brackets;
}
