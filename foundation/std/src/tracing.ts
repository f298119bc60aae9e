// SPDX-License-Identifier: Apache-2.0
/**
 * The seam between code whose steps are worth seeing in a trace and whatever records traces. Nobody records them unless the operator says so: then a
 * step costs a look at one variable. A thread has one tracer, as it has one log.
 */

export type SpanAttributes = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };

/** A place in a trace, as the headers of W3C Trace Context say it (https://www.w3.org/TR/trace-context/), for another thread, process or service. */
export type TracePlace = { readonly traceparent: string; readonly tracestate?: string | undefined };

export type SpanFacts = {
  /** Of few kinds: what tells one call from another belongs to the attributes. */
  readonly name: string;
  /** `internal` where it is left out. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** Where it was asked for, when that was not here and now; text that is no such place is taken for none. */
  readonly parent?: TracePlace | undefined;
};

/** A step that has begun. */
export interface Span {
  /** Whether what is said of it is kept: where a share of the requests is traced, it mostly is not. */
  readonly isRecorded: boolean;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** It has not done what it should; the reason is a sentence or a kind of error, and never somebody's data. */
  fail(reason: string): void;
  end(): void;
  /** Runs something within the step. */
  within<Result>(work: () => Result): Result;
}

export interface Tracer {
  start(facts: SpanFacts): Span;
  /** Runs something at a place of a trace that began elsewhere. */
  at<Result>(place: TracePlace, work: () => Result): Result;
  /** Undefined where nothing is traced. */
  place(): TracePlace | undefined;
}

let inUse: Tracer | undefined;

/** @param tracer undefined ends recording */
export function useTracer(tracer: Tracer | undefined): void {
  inUse = tracer;
}

/** Undefined where nobody records traces. */
export function tracerInUse(): Tracer | undefined {
  return inUse;
}

/** Runs a step as a span of the trace that it is part of; a failure is the span's too. */
export function traced<Result>(facts: SpanFacts, work: (span?: Span) => Promise<Result>): Promise<Result> {
  return inUse === undefined ? work() : recorded(inUse.start(facts), work);
}

async function recorded<Result>(span: Span, work: (span: Span) => Promise<Result>): Promise<Result> {
  try {
    return await span.within(() => work(span));
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'error');
    throw error;
  } finally {
    span.end();
  }
}

/** Where in a trace this runs, to be handed on; undefined where nobody records traces. */
export function tracePlace(): TracePlace | undefined {
  return inUse?.place();
}
