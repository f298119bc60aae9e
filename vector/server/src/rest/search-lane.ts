// SPDX-License-Identifier: Apache-2.0
/**
 * A short way for the searches, which are most of what a service is asked and the cheapest to answer: straight from the request to its operation,
 * without the router and the hooks of the application. It takes only what it can serve at once and in full; everything else, whatever is
 * to be refused before its body is read among it, goes to the application untouched and is answered there.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type Endpoint, type OperationId, ServiceError } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import { noteStatus, requestSpan } from '@sextant/foundation-service/http';
import { traced, tracerInUse } from '@sextant/foundation-std';
import type { Caller, Principal } from '../auth/auth.ts';
import type { OperationReply } from '../operations/operation.ts';
import { FREE_BODY_BYTES } from '../resources/body-budget.ts';
import type { RestAppOptions } from './app.ts';
import { callerOf } from './caller.ts';

type LaneOptions = Pick<RestAppOptions, 'dispatch' | 'authorise' | 'service' | 'config' | 'clientAddress' | 'clock'>;

const OPERATIONS = ['search_points', 'query_points', 'search_batch', 'query_batch'] as const satisfies readonly OperationId[];
const JSON_TYPES: ReadonlySet<string | undefined> = new Set(['application/json', 'application/json; charset=utf-8']);
/** A path without a query string whose name of the collection needs no decoding. */
const PATH = /^\/collections\/([\w.-]+)(\/points\/\w+(?:\/batch)?)$/;

type Route = { readonly operation: OperationId; readonly endpoint: Endpoint };

const ROUTES: ReadonlyMap<string, Route> = new Map(
  OPERATIONS.map((operation) => {
    const endpoint: Endpoint = endpoints[operation];
    return [endpoint.path.slice('/collections/{collection_name}'.length), { operation, endpoint }];
  }),
);

/** Puts the lane before the application that listens on a server. */
export function openSearchLane(server: Server, options: LaneOptions): void {
  const respond = tracerInUse() === undefined ? answer : answerTraced;
  // Fastify has put its own listener there, and no other.
  const [application] = server.listeners('request') as RequestListener[];
  if (application === undefined) throw new Error('the application has no listener');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const admitted = admit(request, options);
    if (admitted === undefined) application(request, response);
    else readBody(request, admitted.bodyBytes, (body) => void respond(admitted, body, response, options));
  });
}

type Admitted = {
  readonly route: Route;
  readonly collection: string;
  readonly caller: Caller;
  readonly principal: Principal;
  readonly bodyBytes: number;
  readonly startedMs: number;
};

/** Undefined for what is the application's. */
function admit(request: IncomingMessage, { authorise, service, config, clientAddress, clock }: LaneOptions): Admitted | undefined {
  if (request.method !== 'POST') return undefined;
  const [, collection, rest] = PATH.exec(request.url ?? '') ?? [];
  const route = rest === undefined ? undefined : ROUTES.get(rest);
  if (collection === undefined || route === undefined || service.state() !== 'ready') return undefined;
  const { headers } = request;
  const bodyBytes = Number(headers['content-length']);
  if (!(bodyBytes > 0 && bodyBytes <= Math.min(FREE_BODY_BYTES, config.bodyLimitBytes)) || !JSON_TYPES.has(headers['content-type']))
    return undefined;
  const caller = callerOf(request, route.endpoint.needs, clientAddress);
  const principal = knownPrincipal(caller, route.endpoint, authorise);
  return principal === undefined ? undefined : { route, collection, caller, principal, bodyBytes, startedMs: clock.monotonicMs() };
}

/** Undefined for a caller who is refused, or whose credential takes time to verify; the application does both. */
function knownPrincipal(caller: Caller, { needs }: Endpoint, authorise: LaneOptions['authorise']): Principal | undefined {
  try {
    const principal = authorise(caller, needs);
    if (!(principal instanceof Promise)) return principal;
    // The application asks again, and says what is wrong.
    principal.catch(() => undefined);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** A client that goes away before the last byte gets no answer. */
function readBody(request: IncomingMessage, bytes: number, use: (body: Uint8Array) => void): void {
  const chunks: Buffer[] = [];
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    received += chunk.length;
    // The parser gives no byte more than `content-length` says.
    if (received === bytes) use(chunks.length === 1 ? chunk : Buffer.concat(chunks));
  });
}

async function answerTraced(admitted: Admitted, body: Uint8Array, response: ServerResponse, options: LaneOptions): Promise<void> {
  await traced(requestSpan('POST', admitted.route.endpoint.path, response.req.headers), async (span) => {
    await answer(admitted, body, response, options);
    if (span !== undefined) noteStatus(span, response.statusCode);
  });
}

async function answer(
  admitted: Admitted,
  body: Uint8Array,
  response: ServerResponse,
  { dispatch, service, clock }: LaneOptions,
): Promise<void> {
  const { route, collection, caller, principal, startedMs } = admitted;
  const { operation, endpoint } = route;
  const reply = await dispatch({ operation, params: { collection_name: collection }, query: {}, body, caller, principal });
  response.writeHead(reply.status, headersOf(reply, service.state() === 'closing')).end(reply.body);
  service.observe({
    collection,
    endpoint: endpoint.path,
    method: 'POST',
    status: reply.status,
    seconds: (clock.monotonicMs() - startedMs) / 1000,
  });
}

/** Those of the application, as names and values in turn. */
function headersOf({ body, headers }: OperationReply, isClosing: boolean): string[] {
  const list = [
    'cache-control',
    'no-store',
    'content-type',
    'application/json; charset=utf-8',
    'x-content-type-options',
    'nosniff',
    'content-length',
    String(Buffer.byteLength(body)),
  ];
  for (const [name, value] of Object.entries(headers ?? {})) list.push(name, value);
  if (isClosing) list.push('connection', 'close');
  return list;
}
