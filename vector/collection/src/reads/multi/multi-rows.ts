// SPDX-License-Identifier: Apache-2.0
/** The rows whose multivectors are nearest to a query, each of them measured. */
import type { Components, MaxSim } from '@sextant/vector-kernel';
import type { StorageReader } from '@sextant/vector-storage';
import type { Pacer } from '../pacer.ts';
import type { StoredAsked } from '../stored-search.ts';
import type { RankedRow } from '../top-rows.ts';
import { TopScores } from '../top-scores.ts';

/** Products of components that are measured in one piece: about a millisecond. Most points take far fewer. */
const PRODUCTS_MAX = 4_000_000;

export type MultiSearch = StoredAsked & { readonly storage: StorageReader; readonly ordinal: number; readonly query: MaxSim };

export async function multiRows(search: MultiSearch): Promise<readonly RankedRow[]> {
  const { storage, ordinal, query, filter, count, pacer } = search;
  const best = new TopScores(count);
  for (const row of filter?.candidates?.list ?? storage.rows()) {
    if (pacer.due()) await pacer.pause();
    if (filter?.decides(row) === false) continue;
    const vectors = storage.passingVector(ordinal, row);
    if (vectors === undefined) continue;
    const distance = await distanceTo(vectors, query, pacer);
    if (best.admits(row, -distance)) best.add(row, -distance);
  }
  return best.ranked();
}

async function distanceTo(passing: Components, query: MaxSim, pacer: Pacer): Promise<number> {
  const atOnce = Math.max(1, Math.floor(PRODUCTS_MAX / passing.length));
  if (query.count <= atOnce) return Math.fround(query.distanceTo(passing));
  // Others read while it pauses.
  const vectors = passing.slice();
  let distance = 0;
  for (let from = 0; from < query.count; from += atOnce) {
    distance += query.distanceTo(vectors, [from, Math.min(query.count, from + atOnce)]);
    if (pacer.due()) await pacer.pause();
  }
  return Math.fround(distance);
}
