// SPDX-License-Identifier: Apache-2.0
/** Requests to a REST interface as spans, by the names of OpenTelemetry's conventions (https://opentelemetry.io/docs/specs/semconv/http/http-spans/). */
import type { IncomingHttpHeaders } from 'node:http';
import { type Span, type SpanFacts, type TracePlace, tracerInUse } from '@sextant/foundation-std';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shownRoute } from '../shown-route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined;
  }
}

/** Where in a trace a request comes from, as it says. */
export function placeIn({ traceparent, tracestate }: IncomingHttpHeaders): TracePlace | undefined {
  if (typeof traceparent !== 'string') return undefined;
  return { traceparent, tracestate: typeof tracestate === 'string' ? tracestate : undefined };
}

/** @param route its pattern, undefined where the path has none */
export function requestSpan(method: string, route: string | undefined, headers: IncomingHttpHeaders): SpanFacts {
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route, 'user_agent.original': headers['user-agent'] },
    parent: placeIn(headers),
  };
}

export function noteStatus(span: Span, status: number): void {
  span.set({ 'http.response.status_code': status });
  // What the caller did wrong is no failure of the service.
  if (status >= 500) span.fail(String(status));
}

/** Makes each request of an application a span, and what its handler does part of it. Without a tracer it does nothing. */
export function traceRequests(app: FastifyInstance): void {
  const tracer = tracerInUse();
  if (tracer === undefined) return;
  app.decorateRequest('span');
  app.addHook('onRequest', (request: FastifyRequest, reply, done) => {
    const span = tracer.start(requestSpan(request.method, shownRoute(request.routeOptions.url), request.headers));
    request.span = span;
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) noteStatus(span, reply.statusCode);
      else span.fail('the caller closed the connection');
      span.end();
    });
    done();
  });
  // After the body was read, whose events belong to the connection.
  app.addHook('preHandler', (request: FastifyRequest, _reply, done) => {
    if (request.span === undefined) done();
    else request.span.within(done);
  });
}
