// SPDX-License-Identifier: Apache-2.0
/** Search load on a collection: so many lanes, each with one search on its way, for some seconds; and how many of the true hits it finds. */
import type { Clock } from '@sextant/foundation-std';
import type { Collection, QueryPoints } from '@sextant/sdk';
import { percentile } from './percentiles.ts';

export type Load = {
  readonly collection: Collection;
  readonly queries: readonly (readonly number[])[];
  /** What every search has but its vector. */
  readonly request: QueryPoints & { readonly limit: number };
  readonly parallel: number;
  readonly seconds: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

export type LoadFigures = {
  readonly searches: number;
  readonly seconds: number;
  readonly per_second: number;
  readonly latency_ms: { readonly p50: number; readonly p90: number; readonly p99: number; readonly max: number };
};

/** Each search is measured from the moment that its lane is free, so a service that is slow gets fewer, not a queue. */
export async function runLoad(load: Load, onSearch: (searches: number, share: number) => void): Promise<LoadFigures> {
  const { collection, queries, request, parallel, seconds, clock, signal } = load;
  const latencies: number[] = [];
  const startedMs = clock.monotonicMs();
  const elapsed = () => (clock.monotonicMs() - startedMs) / 1000;
  let next = 0;
  const lane = async () => {
    while (elapsed() < seconds && !signal.aborted) {
      const query = queries[next++ % queries.length] ?? [];
      const sentMs = clock.monotonicMs();
      await collection.query({ ...request, query }, { signal });
      latencies.push(clock.monotonicMs() - sentMs);
      onSearch(latencies.length, Math.min(1, elapsed() / seconds));
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  signal.throwIfAborted();
  const took = elapsed();
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    searches: sorted.length,
    seconds: took,
    per_second: sorted.length / took,
    latency_ms: { p50: percentile(sorted, 0.5), p90: percentile(sorted, 0.9), p99: percentile(sorted, 0.99), max: percentile(sorted, 1) },
  };
}

/**
 * The share of the true hits that a search finds, over the queries. A hit as near as the last true one counts as well: of points that lie equally far, an
 * exact search names any.
 */
export async function measureRecall(
  { collection, queries, request, signal }: Load,
  onQuery: (queries: number, share: number) => void,
): Promise<number> {
  let found = 0;
  let wanted = 0;
  for (const [index, query] of queries.entries()) {
    const exact = await collection.query(
      { ...request, query, params: { ...request.params, exact: true }, with_payload: false },
      { signal },
    );
    const hits = await collection.query({ ...request, query, with_payload: false }, { signal });
    const ids = new Set(exact.map(({ id }) => id));
    const last = exact.at(-1)?.score;
    wanted += exact.length;
    found += hits.filter(({ id, score }) => ids.has(id) || score === last).length;
    onQuery(index + 1, (index + 1) / queries.length);
  }
  return wanted === 0 ? 1 : Math.min(1, found / wanted);
}
