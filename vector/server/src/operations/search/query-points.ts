/** The query endpoints: one body for every way of asking, here nearest, order_by, sample and by id. */
import {
  type BodyOf,
  type NearestRequest,
  normalisePointId,
  type OrderBy,
  type PointId,
  type PointRecord,
  type ScoredPoint,
  ServiceError,
} from '@sextant/contracts-vector';
import type { EngineReads, Hit, PayloadForm } from '@sextant/vector-collection';
import { operation } from '../operation.ts';
import { giveWay } from '../paced.ts';
import { type AnswerPart, boundAnswer } from '../points/answer-size.ts';
import { denseVector, isVector, type RawVector } from '../points/dense-vector.ts';
import { hitsText } from '../points/hits-text.ts';
import { optionalFilter } from '../points/normalise-filter.ts';
import { shown } from '../points/present.ts';

/** The published default. */
const LIMIT = 10;

type Query = BodyOf<'query_batch'>['searches'][number];

type QueryKind =
  | { readonly kind: 'nearest'; readonly to: RawVector | PointId }
  | { readonly kind: 'order_by'; readonly orderBy: string | OrderBy }
  | { readonly kind: 'sample' }
  | { readonly kind: 'scroll' };

export const queryPoints = operation('query_points', async ({ engine }, { params, body = {} }) => {
  await boundAnswer(engine, params.collection_name, [answerPart(body)]);
  return { points: await hitsText(await find(engine, params.collection_name, body, 'query')) };
});

export const queryBatch = operation('query_batch', async ({ engine }, { params, body }) => {
  await boundAnswer(engine, params.collection_name, body.searches.map(answerPart));
  const results = [];
  for (const [position, query] of body.searches.entries()) {
    const points = await find(engine, params.collection_name, query, `searches[${position}].query`);
    results.push({ points: await hitsText(points) });
    await giveWay();
  }
  return results;
});

/** Points before the offset are read as well, where there is no score to skip them by. */
function answerPart(query: Query): AnswerPart {
  return { limit: (query.offset ?? 0) + (query.limit ?? LIMIT), ...shown(query, { payload: false }) };
}

async function find(engine: EngineReads, collection: string, query: Query, place: string): Promise<readonly Hit[]> {
  const kind = kindOf(query.query);
  if (kind.kind === 'nearest') return engine.nearest(collection, nearestRequest(query, kind.to));
  if (query.score_threshold !== undefined && query.score_threshold !== null) {
    const reason = `${place}: score_threshold needs a query that gives scores: a vector, the id of a point, or nearest`;
    throw new ServiceError('invalid_request', { reason });
  }
  const offset = query.offset ?? 0;
  const request = { ...answerPart(query), ...optionalFilter(query.filter) };
  return (await unscored(engine, collection, kind, request)).slice(offset).map(withoutScore);
}

async function unscored(
  engine: EngineReads,
  collection: string,
  kind: Exclude<QueryKind, { kind: 'nearest' }>,
  request: Parameters<EngineReads['sample']>[1],
): Promise<readonly PointRecord[]> {
  switch (kind.kind) {
    case 'sample':
      return engine.sample(collection, request);
    case 'order_by':
      return (await engine.scroll(collection, { ...request, order_by: kind.orderBy })).points;
    case 'scroll':
      return (await engine.scroll(collection, request)).points;
  }
}

/** Points that were not found by a score have 0, as in the published API. */
function withoutScore(point: PointRecord): ScoredPoint {
  return { ...point, version: 0, score: 0 };
}

function kindOf(query: Query['query']): QueryKind {
  if (query === undefined || query === null) return { kind: 'scroll' };
  if (typeof query !== 'object' || isVector(query)) return { kind: 'nearest', to: query };
  if ('nearest' in query) return { kind: 'nearest', to: query.nearest };
  if ('order_by' in query) return { kind: 'order_by', orderBy: query.order_by };
  return { kind: 'sample' };
}

function nearestRequest(query: Query, to: RawVector | PointId): NearestRequest & PayloadForm {
  return {
    vector: typeof to === 'object' ? denseVector(to) : { id: normalisePointId(to) },
    ...(query.using === undefined || query.using === null ? {} : { using: query.using }),
    ...optionalFilter(query.filter),
    params: query.params ?? null,
    limit: query.limit ?? LIMIT,
    offset: query.offset ?? 0,
    score_threshold: query.score_threshold ?? null,
    ...shown(query, { payload: false }),
    payloadAs: 'text',
  };
}
