// SPDX-License-Identifier: Apache-2.0
/** The SDK of OpenTelemetry as this service sets it up. Imported by `open-telemetry.ts` alone, when it is needed: whoever imports it needs the packages. */
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type Clock, useTracer } from '@sextant/foundation-std';
import { metricProducer } from './exported-metrics.ts';
import type { Telemetry, TelemetryOptions } from './open-telemetry.ts';
import { otelTracer } from './otel-tracer.ts';
import type { OtlpExporters } from './otlp-exporters.ts';
import { traceOutgoingRequests } from './outgoing-requests.ts';
import { pairsIn, sampledShare, type TelemetryConfiguration, type TelemetryTargets } from './telemetry-settings.ts';

/** A receiver that does not answer must not hold up the end of the service. */
const CLOSE_MS_MAX = 2_000;
/** A receiver that is away fails every few seconds. */
const WARNING_PAUSE_MS = 60_000;
const EXPORT_MS_MAX = 30_000;

export function startTelemetry(targets: TelemetryTargets, exporters: OtlpExporters, options: TelemetryOptions): Telemetry {
  const { configuration, service, thread, metrics, clock } = options;
  const warn = warningOfFailures(options);
  setGlobalErrorHandler(warn);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  const resource = defaultResource().merge(
    resourceFromAttributes({
      'service.name': configuration.telemetryServiceName ?? service.name,
      'service.version': service.version,
      'service.instance.id': service.instanceId,
      'process.pid': process.pid,
      ...pairsIn(configuration.telemetryResourceAttributes),
    }),
  );
  const headers = pairsIn(configuration.otlpHeaders) ?? {};
  const closing: (() => Promise<void>)[] = [];
  if (targets.traces !== undefined) {
    const exporter = exporters.traces({ url: targets.traces, headers });
    const spanProcessors = [threadNamed(thread), new BatchSpanProcessor({ exporter })];
    const provider = new TracerProvider({ resource, sampler: samplerOf(configuration), spanProcessors });
    const tracer = otelTracer(provider.getTracer('sextant', service.version));
    const outgoing = traceOutgoingRequests(tracer);
    useTracer(tracer);
    closing.push(async () => {
      outgoing[Symbol.dispose]();
      useTracer(undefined);
      await provider.shutdown();
    });
  }
  if (targets.metrics !== undefined && metrics !== undefined) {
    const interval = configuration.metricExportIntervalMs;
    const reader = new PeriodicExportingMetricReader({
      exporter: exporters.metrics({ url: targets.metrics, headers }),
      exportIntervalMillis: interval,
      exportTimeoutMillis: Math.min(interval, EXPORT_MS_MAX),
      metricProducers: [metricProducer(metrics, { resource, startedMs: service.startedMs, nowMs: () => clock.nowMs() })],
    });
    const provider = new MeterProvider({ resource, readers: [reader] });
    closing.push(() => provider.shutdown());
  }
  // What is sent last fails to whoever waits for it, and not to the handler of errors.
  return { close: () => atMost(CLOSE_MS_MAX, Promise.all(closing.map((close) => close().catch(warn))), clock) };
}

function warningOfFailures({ clock, log }: TelemetryOptions): (error: unknown) => void {
  let quietUntilMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (clock.monotonicMs() < quietUntilMs) return;
    quietUntilMs = clock.monotonicMs() + WARNING_PAUSE_MS;
    log.warn({ err: error }, 'traces or metrics cannot be sent');
  };
}

function samplerOf(configuration: TelemetryConfiguration): Sampler {
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
function threadNamed(thread: string): SpanProcessor {
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
