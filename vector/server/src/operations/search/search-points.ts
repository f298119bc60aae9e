// SPDX-License-Identifier: Apache-2.0
/** The search endpoints: nearest to a vector, one search or a batch of them. */
import type { BodyOf, NearestRequest } from '@sextant/contracts-vector';
import type { EngineReads, PayloadForm } from '@sextant/vector-collection';
import { operation } from '../operation.ts';
import { type AnswerPart, boundAnswer } from '../points/answer-size.ts';
import { hitsText } from '../points/hits-text.ts';
import { optionalFilter, searchParams } from '../points/normalise-filter.ts';
import { shown } from '../points/present.ts';
import { namedVector, type RawVector } from '../points/vector-input.ts';
import { type AnswerOne, answerBatch, answerPart, type BatchPart, type PartAnswer } from './batch.ts';

/** The published API requires it; a client that leaves it out gets ten. */
const LIMIT = 10;

type Search = BodyOf<'search_points'>;

export const searchPoints = operation('search_points', async ({ engine }, { params, body }) => {
  const request = nearestRequest(body);
  await boundAnswer(engine, params.collection_name, [request]);
  return hitsText(await engine.nearest(params.collection_name, request));
});

export const searchBatch = operation('search_batch', async (context, { params: { collection_name: collection }, body: { searches } }) => {
  await boundAnswer(context.engine, collection, searches.map(nearestRequest));
  return answerBatch({ operation: 'search_batch', collection, searches }, context, answerer(context.engine, collection));
});

/** A part of a batch that another thread has checked. */
export function searchPart(engine: EngineReads, { collection, from, searches }: BatchPart): Promise<PartAnswer> {
  // The schema has let them through there.
  return answerPart({ from }, searches as readonly Search[], answerer(engine, collection));
}

function answerer(engine: EngineReads, collection: string): AnswerOne<Search> {
  return async (search) => hitsText(await engine.nearest(collection, nearestRequest(search)));
}

function nearestRequest(search: Search): NearestRequest & PayloadForm & AnswerPart {
  const { vector, ...name } = vectorAndName(search.vector);
  return {
    ...name,
    vector: namedVector(vector),
    ...optionalFilter(search.filter),
    params: searchParams(search.params),
    limit: search.limit ?? search.top ?? LIMIT,
    offset: search.offset ?? 0,
    score_threshold: search.score_threshold ?? null,
    shard_key: search.shard_key ?? null,
    ...shown(search, { payload: false }),
    payloadAs: 'text',
  };
}

/** A search names its vector beside it, or means the unnamed one. */
export function vectorAndName(vector: RawVector | NamedVector): { readonly vector: RawVector; readonly using?: string } {
  return isNamed(vector) ? { vector: vector.vector, using: vector.name } : { vector };
}

type NamedVector = { readonly name: string; readonly vector: RawVector };

function isNamed(vector: RawVector | NamedVector): vector is NamedVector {
  return 'name' in vector;
}
