// SPDX-License-Identifier: Apache-2.0
/**
 * Requests of one thread, counted by collection, endpoint and status: what telemetry and the metrics of single collections are made of. The counts are
 * plain numbers, since every request passes here; they are rendered when somebody asks.
 */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** From a tenth of a millisecond, where point reads are, to ten seconds, where large uploads end. */
export const DURATION_BUCKETS_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type CountedRequest = {
  readonly transport: 'rest' | 'grpc';
  /** Empty for a request that names no collection. */
  readonly collection: string;
  /** The method and the pattern of the path, or the name of the call. */
  readonly endpoint: string;
  readonly status: number;
};

export type RequestStatistic = CountedRequest & {
  count: number;
  totalSeconds: number;
  minSeconds: number;
  maxSeconds: number;
  /** Wall time of the last answer. */
  lastMs: number;
  /** Answers by how long they took: up to each of `DURATION_BUCKETS_SECONDS`, and longer than the last. */
  readonly buckets: number[];
};

/** Beyond it, requests are counted under no collection: a service of very many collections must not pay for it with its memory. */
const STATISTICS_MAX = 20_000;

export class RequestStatistics {
  readonly #byCollection = new Map<string, Map<string, RequestStatistic>>();
  #size = 0;

  observe({ transport, collection, endpoint, status }: CountedRequest, seconds: number, nowMs: number): void {
    const statistic = this.#of({ transport, collection, endpoint, status }) ?? this.#of({ transport, collection: '', endpoint, status });
    if (statistic === undefined) return;
    statistic.count++;
    statistic.totalSeconds += seconds;
    statistic.minSeconds = Math.min(statistic.minSeconds, seconds);
    statistic.maxSeconds = Math.max(statistic.maxSeconds, seconds);
    statistic.lastMs = nowMs;
    const bucket = DURATION_BUCKETS_SECONDS.findIndex((bound) => seconds <= bound);
    const at = bucket < 0 ? DURATION_BUCKETS_SECONDS.length : bucket;
    statistic.buckets[at] = (statistic.buckets[at] ?? 0) + 1;
  }

  /** A collection of the same name that comes later begins at zero. */
  forget(collection: string): void {
    this.#size -= this.#byCollection.get(collection)?.size ?? 0;
    this.#byCollection.delete(collection);
  }

  snapshot(): readonly RequestStatistic[] {
    return [...this.#byCollection.values()].flatMap((own) => [...own.values()]);
  }

  /** Undefined where a new one would be one too many. */
  #of(request: CountedRequest): RequestStatistic | undefined {
    const own = this.#byCollection.get(request.collection) ?? new Map<string, RequestStatistic>();
    const key = `${request.status} ${request.endpoint}`;
    const known = own.get(key);
    if (known !== undefined) return known;
    // Endpoints and statuses without a collection are few.
    if (this.#size >= STATISTICS_MAX && request.collection !== '') return undefined;
    const statistic: RequestStatistic = {
      ...request,
      count: 0,
      totalSeconds: 0,
      minSeconds: Number.POSITIVE_INFINITY,
      maxSeconds: 0,
      lastMs: 0,
      buckets: Array.from({ length: DURATION_BUCKETS_SECONDS.length + 1 }, () => 0),
    };
    own.set(key, statistic);
    this.#byCollection.set(request.collection, own);
    this.#size++;
    return statistic;
  }
}

/** The statistics of several threads as one list, added up by what `keyOf` tells apart. */
export function addedUp(
  threads: readonly (readonly RequestStatistic[])[],
  keyOf: (statistic: RequestStatistic) => string,
): ReadonlyMap<string, RequestStatistic> {
  const sums = new Map<string, RequestStatistic>();
  for (const statistic of threads.flat()) {
    const key = keyOf(statistic);
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? statistic : together(sum, statistic));
  }
  return sums;
}

function together(one: RequestStatistic, other: RequestStatistic): RequestStatistic {
  return {
    ...one,
    count: one.count + other.count,
    totalSeconds: one.totalSeconds + other.totalSeconds,
    minSeconds: Math.min(one.minSeconds, other.minSeconds),
    maxSeconds: Math.max(one.maxSeconds, other.maxSeconds),
    lastMs: Math.max(one.lastMs, other.lastMs),
    buckets: one.buckets.map((count, at) => count + (other.buckets[at] ?? 0)),
  };
}

/** The metrics of requests with the label `collection`, in the form in which the library keeps its own. */
export function collectionMetrics(
  threads: readonly (readonly RequestStatistic[])[],
): readonly MetricObjectWithValues<MetricValue<string>>[] {
  const ofCollections = threads.map((statistics) => statistics.filter(({ collection }) => collection !== ''));
  const sums = [
    ...addedUp(ofCollections, ({ transport, collection, endpoint, status }) =>
      [transport, collection, endpoint, status].join(' '),
    ).values(),
  ];
  return (['rest', 'grpc'] as const).flatMap((transport) => {
    const own = sums.filter((statistic) => statistic.transport === transport);
    const isFailed = ({ status }: RequestStatistic) => (transport === 'rest' ? status >= 400 : status !== 0);
    return [
      counter(`${transport}_responses_total`, 'Responses by collection', own),
      counter(`${transport}_responses_fail_total`, 'Error responses by collection', own.filter(isFailed)),
      histogram(`${transport}_responses_duration_seconds`, 'Time from request to response by collection, in seconds', own),
    ];
  });
}

/** Average, shortest and longest time of each endpoint since the start, in the form in which the library keeps its own metrics. */
export function durationMetrics(threads: readonly (readonly RequestStatistic[])[]): readonly MetricObjectWithValues<MetricValue<string>>[] {
  const sums = [...addedUp(threads, ({ transport, endpoint, status }) => [transport, endpoint, status].join(' ')).values()].map((sum) => ({
    ...sum,
    collection: '',
  }));
  return (['rest', 'grpc'] as const).flatMap((transport) => {
    const own = sums.filter((statistic) => statistic.transport === transport);
    const gauge = (which: string, help: string, secondsOf: (statistic: RequestStatistic) => number) =>
      metric(
        { name: `${transport}_responses_${which}_duration_seconds`, help, type: 'gauge' },
        own.map((statistic) => ({ value: secondsOf(statistic), labels: labelsOf(statistic) })),
      );
    return [
      gauge('avg', 'Average response time, in seconds', ({ totalSeconds, count }) => totalSeconds / count),
      gauge('min', 'Shortest response time, in seconds', ({ minSeconds }) => minSeconds),
      gauge('max', 'Longest response time, in seconds', ({ maxSeconds }) => maxSeconds),
    ];
  });
}

type Labels = { readonly [name: string]: string };

function labelsOf({ transport, collection, endpoint, status }: RequestStatistic): Labels {
  const labels = { ...(collection !== '' && { collection }), status: String(status) };
  if (transport === 'grpc') return { ...labels, endpoint };
  const [method = '', path = ''] = endpoint.split(' ');
  return { ...labels, method, endpoint: path };
}

function counter(name: string, help: string, statistics: readonly RequestStatistic[]): MetricObjectWithValues<MetricValue<string>> {
  const values = statistics.map((statistic) => ({ value: statistic.count, labels: labelsOf(statistic) }));
  return metric({ name, help, type: 'counter' }, values);
}

function histogram(name: string, help: string, statistics: readonly RequestStatistic[]): MetricObjectWithValues<MetricValue<string>> {
  const values = statistics.flatMap((statistic) => {
    const labels = labelsOf(statistic);
    let below = 0;
    const buckets = statistic.buckets.map((count, at) => {
      below += count;
      return { value: below, labels: { ...labels, le: String(DURATION_BUCKETS_SECONDS[at] ?? '+Inf') }, metricName: `${name}_bucket` };
    });
    return [
      ...buckets,
      { value: statistic.totalSeconds, labels, metricName: `${name}_sum` },
      { value: statistic.count, labels, metricName: `${name}_count` },
    ];
  });
  return metric({ name, help, type: 'histogram' }, values);
}

/** The library types these by what it makes itself; `aggregate` reads no more than this. */
function metric(
  described: { name: string; help: string; type: string },
  values: readonly object[],
): MetricObjectWithValues<MetricValue<string>> {
  return { ...described, aggregator: 'sum', values } as unknown as MetricObjectWithValues<MetricValue<string>>;
}
