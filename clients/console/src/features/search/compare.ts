/** One question to a collection, answered by the graph and by a scan of everything. */
import { systemClock } from '@sextant/foundation-std';
import type { Collection, Filter, JsonObject, PointId, TypedHit } from '@sextant/sdk';

export type SearchQuestion = {
  readonly query: PointId | readonly number[];
  readonly limit: number;
  readonly using?: string;
  readonly filter?: Filter;
  /** Width of the beam; the service chooses where it is missing. */
  readonly ef?: number;
};

export type Answer = { readonly hits: readonly TypedHit<JsonObject>[]; readonly milliseconds: number };

export type Comparison = {
  readonly approximate: Answer;
  readonly exact?: Answer;
  /** The share of the exact hits that the graph found. */
  readonly recall?: number;
};

/** Times are those that the browser saw, the way over the network included. */
export async function compare(collection: Collection, question: SearchQuestion, isCompared: boolean): Promise<Comparison> {
  const approximate = await ask(collection, question, question.ef === undefined ? {} : { hnsw_ef: question.ef });
  if (!isCompared) return { approximate };
  const exact = await ask(collection, question, { exact: true });
  const found = new Set(approximate.hits.map(({ id }) => String(id)));
  const recall = exact.hits.length === 0 ? 1 : exact.hits.filter(({ id }) => found.has(String(id))).length / exact.hits.length;
  return { approximate, exact, recall };
}

async function ask(
  collection: Collection,
  { query, limit, using, filter }: SearchQuestion,
  params: { readonly hnsw_ef?: number; readonly exact?: boolean },
): Promise<Answer> {
  const startedMs = systemClock.monotonicMs();
  const hits = await collection.query({
    query,
    limit,
    params,
    with_payload: true,
    ...(using !== undefined && { using }),
    ...(filter !== undefined && { filter }),
  });
  return { hits, milliseconds: systemClock.monotonicMs() - startedMs };
}
