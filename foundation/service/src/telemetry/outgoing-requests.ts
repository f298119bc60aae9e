// SPDX-License-Identifier: Apache-2.0
/**
 * Requests that go out over HTTP while something is traced become spans of it, and say to whom they go where in the trace they come from. Node.js tells
 * of each request of its clients, so that the libraries of object stores and trackers are covered too.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Span, type Tracer, tracePlace } from '@sextant/foundation-std';

const CREATED = 'http.client.request.created';
const ANSWERED = 'http.client.response.finish';
const FAILED = 'http.client.request.error';

/** Disposing the answer ends it. */
export function traceOutgoingRequests(tracer: Tracer): Disposable {
  const spans = new WeakMap<ClientRequest, Span>();
  const created = (message: unknown) => {
    // What the channels tell is documented: https://nodejs.org/api/diagnostics_channel.html#http
    const { request } = message as { readonly request: ClientRequest };
    if (tracePlace() === undefined || request.headersSent) return;
    const span = tracer.start({ name: request.method, kind: 'client', attributes: attributesOf(request) });
    spans.set(request, span);
    const place = span.within(tracePlace);
    if (place === undefined) return;
    request.setHeader('traceparent', place.traceparent);
    if (place.tracestate !== undefined) request.setHeader('tracestate', place.tracestate);
  };
  const answered = (message: unknown) => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage };
    const status = response.statusCode ?? 0;
    end(request, (span) => {
      span.set({ 'http.response.status_code': status });
      if (status >= 400) span.fail(String(status));
    });
  };
  const failed = (message: unknown) => {
    const { request, error } = message as { readonly request: ClientRequest; readonly error: Error };
    end(request, (span) => span.fail('code' in error ? String(error.code) : error.name));
  };
  const end = (request: ClientRequest, note: (span: Span) => void) => {
    const span = spans.get(request);
    if (span === undefined) return;
    spans.delete(request);
    note(span);
    span.end();
  };
  subscribe(CREATED, created);
  subscribe(ANSWERED, answered);
  subscribe(FAILED, failed);
  return {
    [Symbol.dispose]: () => {
      unsubscribe(CREATED, created);
      unsubscribe(ANSWERED, answered);
      unsubscribe(FAILED, failed);
    },
  };
}

/** Neither path nor query: addresses of webhooks and signed addresses of object stores are secrets. */
function attributesOf(request: ClientRequest) {
  const { hostname, port } = new URL(`${request.protocol}//${String(request.getHeader('host') ?? request.host)}`);
  return {
    'http.request.method': request.method,
    'url.scheme': request.protocol.replace(':', ''),
    'server.address': hostname,
    'server.port': Number(port === '' ? (request.protocol === 'https:' ? 443 : 80) : port),
  };
}
