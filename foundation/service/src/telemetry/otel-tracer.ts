// SPDX-License-Identifier: Apache-2.0
/** The tracer of a thread, by the interface of OpenTelemetry. */
import { type Span as ApiSpan, type Tracer as ApiTracer, type Context, context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
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

/**
 * Most requests are not recorded where a share of them is, so these cost little: no sampler records a step within one that it did not record (those of
 * a share choose by the trace), so that the step needs no span, and what a span would say is put together once it is recorded.
 */
function start(tracer: ApiTracer, { name, kind = 'internal', attributes, parent }: SpanFacts): Span {
  const active = context.active();
  if (parent === undefined && isUnrecordedHere(trace.getSpan(active))) return UNRECORDED;
  const outer = parent === undefined ? active : contextAt(parent);
  const span = tracer.startSpan(name, { kind: KINDS[kind] }, outer);
  const inner = trace.setSpan(outer, span);
  const within = <Result>(work: () => Result): Result => context.with(inner, work);
  if (!span.isRecording()) return { ...UNRECORDED, within };
  if (attributes !== undefined) setKnown(span, attributes);
  return {
    isRecorded: true,
    set: (more) => setKnown(span, more),
    rename: (other) => void span.updateName(other),
    fail: (reason) => void span.setStatus({ code: SpanStatusCode.ERROR, message: reason }),
    end: () => span.end(),
    within,
  };
}

const UNRECORDED: Span = {
  isRecorded: false,
  set: () => undefined,
  rename: () => undefined,
  fail: () => undefined,
  end: () => undefined,
  within: (work) => work(),
};

/** A span of another service says nothing about who records here. */
function isUnrecordedHere(span: ApiSpan | undefined): boolean {
  return span !== undefined && !span.isRecording() && span.spanContext().isRemote !== true;
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

function setKnown(span: ApiSpan, attributes: SpanAttributes): void {
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) span.setAttribute(name, typeof value === 'object' ? [...value] : value);
  }
}
