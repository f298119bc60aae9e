// SPDX-License-Identifier: Apache-2.0
/** Nearest points by a sparse vector: what `stored-search.ts` asks of its lists. */

import type { NearestRequest } from '@sextant/contracts-vector';
import type { SparseComponents } from '@sextant/vector-storage';
import type { Hit, PayloadForm, WeighedForm } from '../../model/requests.ts';
import { type SparseSchema, storedSparse } from '../../model/sparse-vectors.ts';
import { sparseFor } from '../../model/vectors.ts';
import { sparseVectorOf, vectorNamedBy } from '../points/vector-of.ts';
import { nearestStored } from '../stored-search.ts';
import type { CollectionView } from '../view/collection-view.ts';
import { dotProduct, sparseRows } from './sparse-rows.ts';
import { weightedQuery } from './sparse-weights.ts';

const CHANGED_ROWS_MAX = 4096;

export function nearestSparse(
  view: CollectionView,
  schema: SparseSchema,
  request: NearestRequest & PayloadForm & WeighedForm,
): Promise<readonly Hit[]> {
  const { storage } = view;
  const { ordinal } = schema;
  return nearestStored(view, request, async (pacer) => {
    const given = queryOf(view, schema, request.vector);
    const isWeighed = request.isWeighed === true;
    const query = isWeighed ? given : await weightedQuery(view, schema, { query: given, idf: request.params?.idf, pacer });
    return {
      distanceOf: (row) => {
        const vector = storage.sparseVector(ordinal, row);
        const score = vector && dotProduct(query, vector);
        return score === undefined ? undefined : -score;
      },
      changedRowsMax: CHANGED_ROWS_MAX,
      nearest: (asked) => sparseRows({ ...asked, storage, ordinal, query }),
      // Adding zero turns the negative zero of a distance into zero.
      scoreOf: (distance) => -distance + 0,
      passesThreshold: (score, threshold) => score > threshold,
    };
  });
}

function queryOf(view: CollectionView, schema: SparseSchema, vector: NearestRequest['vector']): SparseComponents {
  if (!('id' in vector)) return storedSparse(sparseFor(schema.name, vector));
  return vectorNamedBy(view, schema, vector.id, sparseVectorOf).query;
}
