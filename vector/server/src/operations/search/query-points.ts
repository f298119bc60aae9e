// SPDX-License-Identifier: Apache-2.0
/** The query endpoints: one body for every way of asking. */
import type { RawQueryRequest } from '@sextant/contracts-vector';
import type { EngineReads } from '@sextant/vector-collection';
import { JsonText } from '../json-text.ts';
import { operation, type ReadContext } from '../operation.ts';
import { boundAnswer } from '../points/answer-size.ts';
import { hitsText } from '../points/hits-text.ts';
import { type AnswerOne, answerBatch, answerPart, type BatchPart, type PartAnswer } from './batch.ts';
import { queriesOf, queryRequest } from './query-request.ts';

export const queryPoints = operation('query_points', async ({ engine }, { params, body = {} }) => ({
  points: await queryHits(engine, params.collection_name, body),
}));

export const queryBatch = operation('query_batch', async (context, { params, body }) => {
  const answers = await queryHitsOfAll(context, params.collection_name, queriesOf(body));
  return answers.map(({ text }) => new JsonText(`{"points":${text}}`));
});

/** A part of a batch that another thread has checked. */
export function queryPart(engine: EngineReads, { collection, from, searches }: BatchPart): Promise<PartAnswer> {
  // The schema has let them through there.
  return answerPart({ from }, searches as readonly RawQueryRequest[], answerer(engine, collection));
}

/** The hits of one query, as text. */
export async function queryHits(engine: EngineReads, collection: string, body: RawQueryRequest): Promise<JsonText> {
  const { answer, ...request } = queryRequest(body);
  await boundAnswer(engine, collection, [answer]);
  return hitsText(await engine.query(collection, request));
}

/** The hits of several queries, in their order; all serving threads answer them. */
export async function queryHitsOfAll(
  context: ReadContext,
  collection: string,
  searches: readonly RawQueryRequest[],
): Promise<readonly JsonText[]> {
  await boundAnswer(
    context.engine,
    collection,
    searches.map((search) => queryRequest(search).answer),
  );
  return answerBatch({ operation: 'query_batch', collection, searches }, context, answerer(context.engine, collection));
}

function answerer(engine: EngineReads, collection: string): AnswerOne<RawQueryRequest> {
  return async (search) => {
    const { answer: _, ...request } = queryRequest(search);
    return hitsText(await engine.query(collection, request));
  };
}
