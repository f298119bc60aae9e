// SPDX-License-Identifier: Apache-2.0
/**
 * Traces and metrics of one thread by OpenTelemetry. Its packages are loaded where a receiver is configured and nowhere else; they are optional extras of a
 * clone, and part of what is published.
 */
import { type Clock, useTracer } from '@sextant/foundation-std';
import type { MetricSource } from './exported-metrics.ts';
import { pairsIn, sampledShare, type TelemetryConfiguration, telemetryTargets } from './telemetry-settings.ts';

export type TelemetryOptions = {
  readonly configuration: TelemetryConfiguration;
  readonly service: { readonly name: string; readonly version: string; readonly instanceId: string; readonly startedMs: number };
  /** What this thread is for. */
  readonly thread: string;
  /** Of the thread that tells the metrics of the whole service. */
  readonly metrics?: MetricSource;
  readonly clock: Clock;
  readonly log: { warn(details: object, message: string): void };
};

export type Telemetry = {
  /** Sends what was recorded, as far as the receiver takes it within a moment. */
  close(): Promise<void>;
};

const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/exporter-metrics-otlp-proto',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
];

/** A receiver that does not answer must not hold up the end of the service. */
const CLOSE_MS_MAX = 2_000;
/** A receiver that is away fails every few seconds. */
const WARNING_PAUSE_MS = 60_000;

/** The operator wants telemetry, and the packages are not there. */
class TelemetryPackagesError extends Error {
  override readonly name = 'TelemetryPackagesError';

  constructor(cause: unknown) {
    const sentence = 'OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed with the service; run';
    super(`${sentence} \`npm install ${PACKAGES.join(' ')}\` beside it and start it again`, { cause });
  }
}

/** Undefined where no receiver is configured. `missingTelemetry` says beforehand whether the packages are there. */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry | undefined> {
  const targets = telemetryTargets(options.configuration);
  if (targets === undefined) return undefined;
  const packages = await loadPackages();
  const { api, core, resources } = packages;
  const { configuration, service, thread, metrics, clock, log } = options;
  let quietUntilMs = 0;
  core.setGlobalErrorHandler((error) => {
    if (clock.monotonicMs() < quietUntilMs) return;
    quietUntilMs = clock.monotonicMs() + WARNING_PAUSE_MS;
    log.warn({ err: error }, 'traces or metrics cannot be sent');
  });
  api.context.setGlobalContextManager(new packages.contexts.AsyncLocalStorageContextManager());
  const resource = resources.defaultResource().merge(
    resources.resourceFromAttributes({
      'service.name': configuration.telemetryServiceName ?? service.name,
      'service.version': service.version,
      'service.instance.id': service.instanceId,
      'process.pid': process.pid,
      ...pairsIn(configuration.telemetryResourceAttributes),
    }),
  );
  const headers = { ...pairsIn(configuration.otlpHeaders) };
  const closing: (() => Promise<void>)[] = [];
  if (targets.traces !== undefined) {
    const exporter = new packages.traceExporter.OTLPTraceExporter({ url: targets.traces, headers });
    const provider = new packages.traces.TracerProvider({
      resource,
      sampler: samplerOf(configuration, packages.traces),
      spanProcessors: [threadNamed(thread), new packages.traces.BatchSpanProcessor({ exporter })],
    });
    const tracer = packages.own.otelTracer(provider.getTracer('sextant', service.version));
    const outgoingSpans = packages.outgoing.traceOutgoingRequests(tracer);
    useTracer(tracer);
    closing.push(async () => {
      outgoingSpans[Symbol.dispose]();
      useTracer(undefined);
      await provider.shutdown();
    });
  }
  if (targets.metrics !== undefined && metrics !== undefined) {
    const exporter = new packages.metricExporter.OTLPMetricExporter({ url: targets.metrics, headers });
    const producer = packages.exported.metricProducer(metrics, { resource, startedMs: service.startedMs, nowMs: () => clock.nowMs() });
    const interval = configuration.metricExportIntervalMs;
    const reader = new packages.metrics.PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis: interval,
      exportTimeoutMillis: Math.min(interval, EXPORT_MS_MAX),
      metricProducers: [producer],
    });
    const provider = new packages.metrics.MeterProvider({ resource, readers: [reader] });
    closing.push(() => provider.shutdown());
  }
  return { close: () => atMost(CLOSE_MS_MAX, Promise.allSettled(closing.map((close) => close())), clock) };
}

const EXPORT_MS_MAX = 30_000;

/** Why telemetry cannot be sent as it is configured, for the operator; undefined where it can, or need not. */
export async function missingTelemetry(configuration: TelemetryConfiguration): Promise<string | undefined> {
  if (telemetryTargets(configuration) === undefined) return undefined;
  try {
    await loadPackages();
    return undefined;
  } catch (error) {
    if (error instanceof TelemetryPackagesError) return error.message;
    throw error;
  }
}

async function loadPackages() {
  try {
    const [api, core, contexts, resources, traces, metrics, traceExporter, metricExporter, own, exported, outgoing] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/exporter-metrics-otlp-proto'),
      import('./otel-tracer.ts'),
      import('./exported-metrics.ts'),
      import('./outgoing-requests.ts'),
    ]);
    return { api, core, contexts, resources, traces, metrics, traceExporter, metricExporter, own, exported, outgoing };
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' ? new TelemetryPackagesError(error) : error;
  }
}

type Traces = typeof import('@opentelemetry/sdk-trace');

function samplerOf(
  configuration: TelemetryConfiguration,
  { AlwaysOnSampler, AlwaysOffSampler, ParentBasedSampler, TraceIdRatioBasedSampler }: Traces,
) {
  const share = sampledShare(configuration);
  switch (configuration.tracesSampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(share);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) });
  }
}

/** Says of each span on which thread it ran. */
function threadNamed(thread: string): import('@opentelemetry/sdk-trace').SpanProcessor {
  return {
    onStart: (span) => void span.setAttribute('thread.name', thread),
    onEnd: () => undefined,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}

async function atMost(ms: number, work: Promise<unknown>, clock: Clock): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = clock.after(ms, () => over.resolve());
  await Promise.race([work, over.promise]);
  timer.cancel();
}
