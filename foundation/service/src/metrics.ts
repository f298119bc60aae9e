// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics of a service with several serving threads. Each thread counts its own responses; whichever thread is asked for `/metrics`
 * gathers the counts of all and renders them together with the figures of the process, which are not to be added up.
 */
import { AggregatorRegistry, Counter, Gauge, Histogram, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { processFigures } from './process-figures.ts';
import { DURATION_BUCKETS_SECONDS } from './request-statistics.ts';

/** A thread's counts as plain data that can be sent to another thread. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

export type ResponseMetrics = {
  /** @param endpoint the route's pattern, never the path: the label must stay bounded whatever a client asks for */
  observe(response: { readonly endpoint: string; readonly method: string; readonly status: number; readonly seconds: number }): void;
  /** A gRPC call, by the name of its method and the number of its status. */
  observeCall(call: { readonly method: string; readonly code: number; readonly seconds: number }): void;
  snapshot(): Promise<MetricsSnapshot>;
};

const LABELS = ['endpoint', 'method', 'status'] as const;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts the responses of one thread. */
export function createResponseMetrics(): ResponseMetrics {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = [...LABELS];
  const total = new Counter({ name: 'rest_responses_total', help: 'Responses', labelNames, registers });
  const failed = new Counter({ name: 'rest_responses_fail_total', help: 'Responses with a status of 400 or more', labelNames, registers });
  const duration = new Histogram({
    name: 'rest_responses_duration_seconds',
    help: 'Time from request to response, in seconds',
    labelNames,
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const calls = callMetrics(registry);
  return {
    observeCall: calls,
    observe({ endpoint, method, status, seconds }) {
      const labels = { endpoint, method: METHODS.has(method) ? method : 'other', status: String(status) };
      total.inc(labels);
      if (status >= 400) failed.inc(labels);
      duration.observe(labels, seconds);
    },
    snapshot: () => registry.getMetricsAsJSON(),
  };
}

function callMetrics(registry: Registry): ResponseMetrics['observeCall'] {
  const registers = [registry];
  const labelNames = ['endpoint', 'status'];
  const total = new Counter({ name: 'grpc_responses_total', help: 'gRPC responses', labelNames, registers });
  const failed = new Counter({
    name: 'grpc_responses_fail_total',
    help: 'gRPC responses with a status other than OK',
    labelNames,
    registers,
  });
  const duration = new Histogram({
    name: 'grpc_responses_duration_seconds',
    help: 'Time from call to response, in seconds',
    labelNames,
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  return ({ method, code, seconds }) => {
    const labels = { endpoint: method, status: String(code) };
    total.inc(labels);
    if (code !== 0) failed.inc(labels);
    duration.observe(labels, seconds);
  };
}

export type CollectionFigures = { readonly name: string; readonly points: number; readonly vectors: number };

export type Figure = {
  readonly name: string;
  readonly help: string;
  readonly value: number;
  /** It only grows. */
  readonly isCounter?: boolean;
};

export type MetricsPage = {
  readonly app: { readonly name: string; readonly version: string };
  /** Of a service that has collections. */
  readonly collections?: readonly CollectionFigures[];
  /** Single numbers that the service counts itself. */
  readonly figures?: readonly Figure[];
  readonly threads: readonly MetricsSnapshot[];
  /** Of single collections, in place of those of all requests together. */
  readonly byCollection?: MetricsSnapshot;
  /** Wall time at which the process started, in seconds since the epoch. */
  readonly startedSeconds: number;
};

/** A metric with what was counted, as plain data. */
export type GatheredMetric = {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly {
    readonly value: number;
    readonly labels: { readonly [name: string]: string | number };
    /** Of a histogram: its name with `_bucket`, `_sum` or `_count`. */
    readonly metricName?: string;
  }[];
};

/** The Prometheus text of the whole process. */
export async function renderMetrics(page: MetricsPage): Promise<string> {
  const { process: own, responses } = registriesOf(page);
  return `${await own.metrics()}\n${await responses.metrics()}`;
}

/** What is on the page of metrics, for those to whom it is sent. */
export async function gatherMetrics(page: MetricsPage): Promise<readonly GatheredMetric[]> {
  const { process: own, responses } = registriesOf(page);
  // The library types the kinds of metrics by an enumeration, and gives their names.
  return [...(await own.getMetricsAsJSON()), ...(await responses.getMetricsAsJSON())] as unknown as readonly GatheredMetric[];
}

function registriesOf({ app, collections, figures = [], threads, byCollection, startedSeconds }: MetricsPage) {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number) => new Gauge({ name, help, registers: [registry] }).set(value);

  new Gauge({ name: 'app_info', help: 'Name and version', labelNames: ['name', 'version'], registers: [registry] }).set(app, 1);
  if (collections !== undefined) addCollections(registry, collections);
  for (const { name, help, value, isCounter } of [...processFigures(), ...figures]) {
    if (isCounter) new Counter({ name, help, registers: [registry] }).inc(value);
    else gauge(name, help, value);
  }
  const memory = process.memoryUsage();
  gauge('memory_resident_bytes', 'Resident memory of the process, in bytes', memory.rss);
  gauge('memory_heap_used_bytes', 'JavaScript heap in use on the thread that answers, in bytes', memory.heapUsed);
  gauge('memory_external_bytes', 'Memory outside the JavaScript heap, in bytes', memory.external);
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpu = new Counter({ name: 'process_cpu_seconds_total', help: 'CPU time of the process, in seconds', registers: [registry] });
  cpu.inc((userCPUTime + systemCPUTime) / 1e6);
  gauge('process_resident_memory_bytes', 'Resident memory of the process, in bytes', memory.rss);
  gauge('process_start_time_seconds', 'Start of the process, in seconds since the Unix epoch', startedSeconds);

  // The library changes the objects that it merges and types them as mutable; each is a copy that nobody else holds.
  const responses = AggregatorRegistry.aggregate((byCollection === undefined ? threads : [byCollection]).map((snapshot) => [...snapshot]));
  return { process: registry, responses };
}

function addCollections(registry: Registry, collections: readonly CollectionFigures[]): void {
  const registers = [registry];
  new Gauge({ name: 'collections_total', help: 'Number of collections', registers }).set(collections.length);
  const total = new Gauge({ name: 'collections_vector_total', help: 'Vectors in all collections', registers });
  total.set(sum(collections.map(({ vectors }) => vectors)));
  const points = new Gauge({ name: 'collection_points', help: 'Points by collection', labelNames: ['id'], registers });
  const vectors = new Gauge({ name: 'collection_vectors', help: 'Vectors by collection', labelNames: ['id'], registers });
  for (const collection of collections) {
    points.set({ id: collection.name }, collection.points);
    vectors.set({ id: collection.name }, collection.vectors);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
