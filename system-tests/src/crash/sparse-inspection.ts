// SPDX-License-Identifier: Apache-2.0
/** The lists of a sparse vector agree with the points: a search by one index finds those that have it, and no others. */
import { deepStrictEqual } from 'node:assert/strict';
import type { CollectionApi } from '../vector-api.ts';
import type { PointLedger } from './ledger.ts';
import { wordsOf } from './point-shape.ts';

/** Of the lists that any of the points has, about so many are looked at. */
const LISTS = 12;

export async function inspectSparse(api: CollectionApi, { points }: PointLedger): Promise<void> {
  const lists = new Map<number, number[]>();
  for (const [id, { vectorVersion }] of points) {
    for (const index of wordsOf(id, vectorVersion).indices) lists.set(index, [...(lists.get(index) ?? []), id]);
  }
  const every = Math.ceil(lists.size / LISTS);
  const some = [...lists].filter((_, place) => place % every === 0);
  const answers = await api.queryBatch(
    some.map(([index]) => ({ query: { indices: [index], values: [1] }, using: 'words', limit: points.length })),
  );
  for (const [place, [index, ids]] of some.entries()) {
    const found = (answers[place] ?? []).map(({ id }) => Number(id));
    deepStrictEqual(
      found.toSorted((one, other) => one - other),
      ids.toSorted((one, other) => one - other),
      `points with the index ${index}`,
    );
  }
}
