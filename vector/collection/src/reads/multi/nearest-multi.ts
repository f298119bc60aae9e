// SPDX-License-Identifier: Apache-2.0
/**
 * Nearest points by MaxSim, exactly: the multivectors of every point that may be an answer are read from storage and measured. A graph over their vectors would find candidates by
 * each query vector alone, and miss points that are good by the sum; an exact look at a point of 50 vectors of 128 components by a query of 32 takes about 25 microseconds.
 */

import { type NearestRequest, ServiceError } from '@sextant/contracts-vector';
import { type Components, MaxSim } from '@sextant/vector-kernel';
import { vectorLabel } from '../../model/collection-config.ts';
import type { Hit, PayloadForm } from '../../model/requests.ts';
import { metricOf, multiFor, passesThreshold, type SpaceSchema, scoreOf, storedMulti } from '../../model/vectors.ts';
import { multiVectorOf } from '../points/vector-of.ts';
import { nearestStored } from '../stored-search.ts';
import type { CollectionView } from '../view/collection-view.ts';
import { multiRows } from './multi-rows.ts';

const CHANGED_ROWS_MAX = 512;

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
  const row = view.storage.rowOf(vector.id);
  if (row === undefined) throw new ServiceError('point_not_found', { id: vector.id });
  const query = multiVectorOf(view, schema, { id: vector.id, row });
  if (query !== undefined) return query;
  throw new ServiceError('invalid_request', { reason: `query: point ${vector.id} has no vector ${vectorLabel(schema.name)}` });
}
