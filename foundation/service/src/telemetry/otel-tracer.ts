// SPDX-License-Identifier: Apache-2.0
/** The tracer of a thread, by the interface of OpenTelemetry. */
import { type Tracer as ApiTracer, type Context, context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { isTracingSuppressed, W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Span, SpanAttributes, SpanFacts, TracePlace, Tracer } from '@sextant/foundation-std';

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

const propagator = new W3CTraceContextPropagator();
const getter = {
  keys: (carrier: TracePlace) => Object.keys(carrier),
  get: (carrier: TracePlace, key: string) =>
    key === 'traceparent' ? carrier.traceparent : key === 'tracestate' ? carrier.tracestate : undefined,
};

export function otelTracer(tracer: ApiTracer): Tracer {
  return {
    start: (facts) => start(tracer, facts),
    at: (place, work) => context.with(contextAt(place), work),
    place: () => placeOf(context.active()),
  };
}

function start(tracer: ApiTracer, { name, kind = 'internal', attributes, parent }: SpanFacts): Span {
  const outer = parent === undefined ? context.active() : contextAt(parent);
  const span = tracer.startSpan(name, { kind: KINDS[kind], ...(attributes && { attributes: known(attributes) }) }, outer);
  const inner = trace.setSpan(outer, span);
  return {
    set: (more) => void span.setAttributes(known(more)),
    rename: (other) => void span.updateName(other),
    fail: (reason) => void span.setStatus({ code: SpanStatusCode.ERROR, message: reason }),
    end: () => span.end(),
    within: (work) => context.with(inner, work),
  };
}

/** Whoever sends what was recorded is not recorded. */
function placeOf(active: Context): TracePlace | undefined {
  if (isTracingSuppressed(active)) return undefined;
  const headers: { traceparent?: string; tracestate?: string } = {};
  propagator.inject(active, headers, {
    set: (carrier, key, value) => {
      if (key === 'traceparent' || key === 'tracestate') carrier[key] = value;
    },
  });
  const { traceparent, tracestate } = headers;
  return traceparent === undefined ? undefined : { traceparent, tracestate };
}

function contextAt(place: TracePlace): Context {
  return propagator.extract(context.active(), place, getter);
}

function known(attributes: SpanAttributes): { [name: string]: string | number | boolean | string[] } {
  const entries = Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]));
}
