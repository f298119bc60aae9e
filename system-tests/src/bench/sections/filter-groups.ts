// SPDX-License-Identifier: Apache-2.0
/** Which points a filter passes, and which queries ask for them. */
import type { Random } from '@sextant/foundation-std';
import { type DataSet, readVectors, type VectorFile, vectorAt } from '../data-sets/data-set.ts';

export const SHARES = [0.5, 0.1, 0.01, 0.001] as const;
/** Places among the queries that filters are correlated with. */
const ANCHORS = 4;
/** Of the queries, those nearest to an anchor ask there. */
const QUERY_SHARE = 0.125;
const ROWS_PER_READ = 10_000;

export type Surroundings = 'random' | 'random, no index' | 'correlated' | 'anti-correlated';

/** Payload fields that hold the names of a point's groups: one has an index, the other has none. */
export type GroupField = 'groups' | 'open';

export type Group = {
  readonly name: string;
  readonly field: GroupField;
  readonly surroundings: Surroundings;
  /** Of the points, the filter passes. */
  readonly share: number;
  /** A bitmap: bit r of word r >> 5. */
  readonly rows: Uint32Array;
  readonly queries: readonly number[];
  /** Others, as near to the same place, that ask before these are measured. */
  readonly former: readonly number[];
};

/** @param held all queries of the set: its own, and behind them those that may ask before */
export async function makeGroups({ points, queries, metric }: DataSet, held: VectorFile, random: Random): Promise<readonly Group[]> {
  const queryValues = await readVectors(queries, 0, queries.count);
  const distance = metric === 'Euclid' ? squaredDistance : negatedProduct;
  const others = await readVectors(held, queries.count, held.count);
  const nearestTo = (center: Float32Array, among: Float32Array): readonly number[] => {
    const count = among.length / queries.dimension;
    const order = orderBy(Array.from({ length: count }, (_, query) => distance(center, vectorAt(among, query, queries.dimension))));
    return Array.from(order.subarray(0, Math.ceil(count * QUERY_SHARE)));
  };
  const everyQuery = Array.from({ length: queries.count }, (_, query) => query);
  const groups: Group[] = SHARES.flatMap((share) => {
    const rows = bitmapOf(
      everyRow(points.count).filter(() => random.next() < share),
      points.count,
    );
    return [
      { name: `random-${share}`, field: 'groups', surroundings: 'random', share, rows, queries: everyQuery, former: [] },
      { name: `open-${share}`, field: 'open', surroundings: 'random, no index', share, rows, queries: everyQuery, former: [] },
    ];
  });
  for (let anchor = 0; anchor < ANCHORS; anchor++) {
    const center = vectorAt(queryValues, random.integer(queries.count), queries.dimension);
    const near = orderBy(await distancesTo(center, points, distance));
    const far = near.toReversed();
    const asking = nearestTo(center, queryValues);
    const former = nearestTo(center, others).map((query) => query + queries.count);
    for (const [surroundings, order] of [['correlated', near] as const, ['anti-correlated', far] as const]) {
      for (const share of SHARES) {
        const rows = bitmapOf(order.subarray(0, Math.ceil(points.count * share)), points.count);
        groups.push({
          name: `${surroundings}-${share}-${anchor}`,
          field: 'groups',
          surroundings,
          share,
          rows,
          queries: asking,
          former,
        });
      }
    }
  }
  // The order in which the page shows them.
  return groups.toSorted((a, b) => SURROUNDINGS.indexOf(a.surroundings) - SURROUNDINGS.indexOf(b.surroundings) || b.share - a.share);
}

const SURROUNDINGS: readonly Surroundings[] = ['random', 'random, no index', 'correlated', 'anti-correlated'];

type Distance = (a: Float32Array, b: Float32Array) => number;

async function distancesTo(center: Float32Array, points: DataSet['points'], distance: Distance): Promise<number[]> {
  const distances: number[] = [];
  for (let from = 0; from < points.count; from += ROWS_PER_READ) {
    const to = Math.min(points.count, from + ROWS_PER_READ);
    const values = await readVectors(points, from, to);
    for (let row = 0; row < to - from; row++) distances.push(distance(center, vectorAt(values, row, points.dimension)));
  }
  return distances;
}

/** The indexes of the values, from the smallest value to the largest. */
function orderBy(values: readonly number[]): Uint32Array {
  return everyRow(values.length).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
}

function everyRow(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, row) => row);
}

function bitmapOf(rows: Uint32Array, count: number): Uint32Array {
  const words = new Uint32Array(Math.ceil(count / 32));
  for (const row of rows) words[row >> 5] = (words[row >> 5] ?? 0) | (1 << (row & 31));
  return words;
}

function squaredDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (const [column, value] of a.entries()) sum += (value - (b[column] ?? 0)) ** 2;
  return sum;
}

function negatedProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (const [column, value] of a.entries()) sum -= value * (b[column] ?? 0);
  return sum;
}
