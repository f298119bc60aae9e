/** The search endpoints: nearest to a vector, one search or a batch of them. */
import type { BodyOf, NearestRequest } from '@sextant/contracts-vector';
import type { PayloadForm } from '@sextant/vector-collection';
import { operation } from '../operation.ts';
import { giveWay } from '../paced.ts';
import { type AnswerPart, boundAnswer } from '../points/answer-size.ts';
import { denseVector, type RawVector } from '../points/dense-vector.ts';
import { hitsText } from '../points/hits-text.ts';
import { optionalFilter } from '../points/normalise-filter.ts';
import { shown } from '../points/present.ts';

/** The published API requires it; a client that leaves it out gets ten. */
const LIMIT = 10;

type Search = BodyOf<'search_points'>;

export const searchPoints = operation('search_points', async ({ engine }, { params, body }) => {
  const request = nearestRequest(body);
  await boundAnswer(engine, params.collection_name, [request]);
  return hitsText(await engine.nearest(params.collection_name, request));
});

export const searchBatch = operation('search_batch', async ({ engine }, { params, body }) => {
  const requests = body.searches.map(nearestRequest);
  await boundAnswer(engine, params.collection_name, requests);
  const results = [];
  for (const request of requests) {
    results.push(await hitsText(await engine.nearest(params.collection_name, request)));
    await giveWay();
  }
  return results;
});

function nearestRequest(search: Search): NearestRequest & PayloadForm & AnswerPart {
  const { vector } = search;
  return {
    ...(isNamed(vector) ? { vector: denseVector(vector.vector), using: vector.name } : { vector: denseVector(vector) }),
    ...optionalFilter(search.filter),
    params: search.params ?? null,
    limit: search.limit ?? search.top ?? LIMIT,
    offset: search.offset ?? 0,
    score_threshold: search.score_threshold ?? null,
    ...shown(search, { payload: false }),
    payloadAs: 'text',
  };
}

type NamedVector = { readonly name: string; readonly vector: RawVector };

function isNamed(vector: RawVector | NamedVector): vector is NamedVector {
  return 'name' in vector;
}
