/** The query endpoints: one body for every way of asking. */
import type { RawQueryRequest } from '@sextant/contracts-vector';
import type { EngineReads } from '@sextant/vector-collection';
import { JsonText } from '../json-text.ts';
import { operation } from '../operation.ts';
import { giveWay } from '../paced.ts';
import { boundAnswer } from '../points/answer-size.ts';
import { hitsText } from '../points/hits-text.ts';
import { type AnswerOne, answerBatch, answerPart, type BatchPart, type PartAnswer } from './batch.ts';
import { queryRequest } from './query-request.ts';

export const queryPoints = operation('query_points', async ({ engine }, { params, body = {} }) => ({
  points: await queryHits(engine, params.collection_name, body),
}));

export const queryBatch = operation('query_batch', async (context, { params: { collection_name: collection }, body: { searches } }) => {
  await boundAnswer(
    context.engine,
    collection,
    searches.map((search) => queryRequest(search).answer),
  );
  return answerBatch({ operation: 'query_batch', collection, searches }, context, answerer(context.engine, collection));
});

/** A part of a batch that another thread has checked. */
export function queryPart(engine: EngineReads, { collection, from, searches }: BatchPart): Promise<PartAnswer> {
  // The schema has let them through there.
  return answerPart({ from }, searches as readonly RawQueryRequest[], answerer(engine, collection));
}

function answerer(engine: EngineReads, collection: string): AnswerOne<RawQueryRequest> {
  return async (search) => {
    const { answer: _, ...request } = queryRequest(search);
    const points = await hitsText(await engine.query(collection, request));
    return new JsonText(`{"points":${points.text}}`);
  };
}

/** The hits of one query, as text. */
export async function queryHits(engine: EngineReads, collection: string, body: RawQueryRequest): Promise<JsonText> {
  const { answer, ...request } = queryRequest(body);
  await boundAnswer(engine, collection, [answer]);
  return hitsText(await engine.query(collection, request));
}

/** The hits of several queries, in their order. */
export async function queryHitsOfAll(
  engine: EngineReads,
  collection: string,
  bodies: readonly RawQueryRequest[],
): Promise<readonly JsonText[]> {
  await boundAnswer(
    engine,
    collection,
    bodies.map((body) => queryRequest(body).answer),
  );
  const answers: JsonText[] = [];
  for (const body of bodies) {
    const { answer: _, ...request } = queryRequest(body);
    answers.push(await hitsText(await engine.query(collection, request)));
    await giveWay();
  }
  return answers;
}
