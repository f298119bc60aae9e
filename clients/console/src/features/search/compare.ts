// SPDX-License-Identifier: Apache-2.0
/** One question to a collection, answered by the graph and by a scan of everything. */
import { systemClock } from '@sextant/foundation-std';
import type { Collection, Filter, JsonObject, PointId, QueryPoints, TypedHit } from '@sextant/sdk';
import { type Examples, exampleFilter, FieldProblem, type SearchForm } from './search-form.ts';

export type Answer = {
  readonly hits: readonly TypedHit<JsonObject>[];
  /** As the browser saw it, the way over the network included. */
  readonly roundTripMs: number;
  /** As the service says. */
  readonly serviceMs: number | undefined;
};

export type Comparison = {
  readonly approximate: Answer;
  readonly exact?: Answer;
  /** The share of the exact hits that the graph found. */
  readonly recall?: number;
};

/** So many points an example payload stands for at most. */
const EXAMPLES_MAX = 16;

/** Where what was asked is exact, there is nothing to compare. */
export async function compare(collection: Collection, request: QueryPoints, isCompared: boolean): Promise<Comparison> {
  const approximate = await ask(collection, request);
  if (!isCompared || request.params?.exact === true) return { approximate };
  const exact = await ask(collection, { ...request, params: { exact: true } });
  const found = new Set(approximate.hits.map(({ id }) => String(id)));
  const recall = exact.hits.length === 0 ? 1 : exact.hits.filter(({ id }) => found.has(String(id))).length / exact.hits.length;
  return { approximate, exact, recall };
}

/** The points that the example payloads of a form stand for. */
export async function examplesOf(collection: Collection, { like, unlike }: SearchForm): Promise<Examples> {
  const find = async (filter: Filter): Promise<readonly PointId[]> => {
    const { points } = await collection.scrollPage({ filter, limit: EXAMPLES_MAX, with_payload: false });
    return points.map(({ id }) => id);
  };
  const positive = await find(exampleFilter(like, 'like'));
  if (positive.length === 0) throw new FieldProblem('like', 'No point has these values.');
  const negative = unlike.trim() === '' ? [] : await find(exampleFilter(unlike, 'unlike'));
  return { positive, negative };
}

async function ask(collection: Collection, request: QueryPoints): Promise<Answer> {
  let serviceMs: number | undefined;
  const startedMs = systemClock.monotonicMs();
  const hits = await collection.query(request, {
    onServiceTime: (milliseconds) => {
      serviceMs = milliseconds;
    },
  });
  return { hits, roundTripMs: systemClock.monotonicMs() - startedMs, serviceMs };
}
