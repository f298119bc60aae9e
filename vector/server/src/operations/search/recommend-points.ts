// SPDX-License-Identifier: Apache-2.0
/** Recommendations and discovery, as they were asked for before the query language; it answers them. */
import { type BodyOf, type RawQuery, type RawQueryRequest, ServiceError } from '@sextant/contracts-vector';
import { operation } from '../operation.ts';
import { queryHits, queryHitsOfAll } from './query-points.ts';

type Recommendation = BodyOf<'recommend_points'>;
type Discovery = BodyOf<'discover_points'>;

export const recommendPoints = operation('recommend_points', ({ engine }, { params, body }) => {
  return queryHits(engine, params.collection_name, recommendation(body));
});

export const recommendBatch = operation('recommend_batch', (context, { params, body }) => {
  return queryHitsOfAll(context, params.collection_name, body.searches.map(recommendation));
});

export const discoverPoints = operation('discover_points', ({ engine }, { params, body }) => {
  return queryHits(engine, params.collection_name, discovery(body));
});

export const discoverBatch = operation('discover_batch', (context, { params, body }) => {
  return queryHitsOfAll(context, params.collection_name, body.searches.map(discovery));
});

export function recommendation<Body extends Pick<Recommendation, 'positive' | 'negative' | 'strategy'>>({
  positive,
  negative,
  strategy,
  ...rest
}: Body) {
  const query: RawQuery = { recommend: { positive: positive ?? null, negative: negative ?? null, strategy: strategy ?? null } };
  return { ...rest, query };
}

/** Without a target, the pairs alone say where to look. */
function discovery({ target, context, ...rest }: Discovery): RawQueryRequest {
  if (target !== undefined && target !== null) return { ...rest, query: { discover: { target, context: context ?? null } } };
  // The schema wants one of the two.
  if (context === undefined || context === null)
    throw new ServiceError('invalid_request', { reason: 'required member `target` is missing' });
  return { ...rest, query: { context } };
}
