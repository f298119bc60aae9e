// SPDX-License-Identifier: Apache-2.0
/**
 * Nearest points by MaxSim, exactly: the multivectors of every point that may be an answer are read from storage and measured. A graph over their vectors would find candidates by
 * each query vector alone, and miss points that are good by the sum; an exact look at a point of 50 vectors of 128 components by a query of 32 takes about 25 microseconds.
 */

import type { NearestRequest } from '@sextant/contracts-vector';
import { type Components, MaxSim } from '@sextant/vector-kernel';
import type { StorageReader } from '@sextant/vector-storage';
import type { Hit, PayloadForm } from '../../model/requests.ts';
import { metricOf, multiFor, passesThreshold, type SpaceSchema, scoreOf, storedMulti } from '../../model/vectors.ts';
import type { Pacer } from '../pacer.ts';
import { multiVectorOf, vectorNamedBy } from '../points/vector-of.ts';
import { nearestStored, type StoredAsked } from '../stored-search.ts';
import { type RankedRow, TopScores } from '../top-rows.ts';
import type { CollectionView } from '../view/collection-view.ts';

const CHANGED_ROWS_MAX = 512;
/** Products of components that are measured in one piece: about a millisecond. Most points take far fewer. */
const PRODUCTS_MAX = 4_000_000;

export function nearestMulti(view: CollectionView, schema: SpaceSchema, request: NearestRequest & PayloadForm): Promise<readonly Hit[]> {
  const { storage } = view;
  const { ordinal, params } = schema;
  return nearestStored(view, request, () => {
    const query = new MaxSim(queryOf(view, schema, request.vector), { dimension: params.size, metric: metricOf(params) });
    return {
      distanceOf: (row) => {
        const vectors = storage.passingVector(ordinal, row);
        return vectors && Math.fround(query.distanceTo(vectors));
      },
      changedRowsMax: CHANGED_ROWS_MAX,
      nearest: (asked) => multiRows({ ...asked, storage, ordinal, query }),
      scoreOf: (distance) => scoreOf(params.distance, distance),
      passesThreshold: (score, threshold) => passesThreshold(params.distance, score, threshold),
    };
  });
}

function queryOf(view: CollectionView, schema: SpaceSchema, vector: NearestRequest['vector']): Components {
  if (!('id' in vector)) return storedMulti(schema.params, multiFor(schema.name, vector));
  return vectorNamedBy(view, schema, vector.id, multiVectorOf).query;
}

type MultiSearch = StoredAsked & { readonly storage: StorageReader; readonly ordinal: number; readonly query: MaxSim };

/** The rows whose multivectors are nearest to a query, each of them measured. */
async function multiRows(search: MultiSearch): Promise<readonly RankedRow[]> {
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
