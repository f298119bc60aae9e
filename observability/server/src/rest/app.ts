// SPDX-License-Identifier: Apache-2.0
/**
 * The REST adapter: it finds the endpoint, asks who is calling before a byte of body is read, lets the input through the schemas and
 * hands it to the operation.
 */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '@sextant/contracts-observability';
import {
  type AuditLog,
  type ClientAddress,
  type ConnectionCap,
  capHttpConnections,
  type DiskRoom,
  type ServerTls,
} from '@sextant/foundation-service';
import {
  answerWrongMethods,
  httpsServerFactory,
  NO_SCHEMAS,
  openWebGate,
  shownRoute,
  takeBodiesRaw,
  traceRequests,
  type WebAccess,
} from '@sextant/foundation-service/http';
import { stringifyJson } from '@sextant/foundation-std';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify, type RouteOptions } from 'fastify';
import type { Member } from '../auth/principal.ts';
import type { Input, Services, TenantContext } from '../operations/operation.ts';
import { operations } from '../operations/registry.ts';
import { auditEntryOf, isAudited } from './administration-audit.ts';
import type { Authorise, Texts } from './authorise.ts';
import { decodeInput } from './input.ts';
import { COOKIE_OPERATIONS, RefreshCookie } from './refresh-cookie.ts';
import {
  createRefuser,
  diskFull,
  type FailureLog,
  pathNotFound,
  refuseAtGate,
  refusedConnection,
  refuseUnreadableRequest,
} from './refusals.ts';
import { logRequests, type RequestLogOptions } from './request-log.ts';
import { type EndpointRow, endpointRows, needsRoom, pathsOf, routeOf, servedPaths } from './routes.ts';
import { type ServiceFacts, serviceHandlers } from './service-handlers.ts';

export type RestAppOptions = {
  /** Undefined for plain HTTP. */
  readonly tls?: ServerTls | undefined;
  readonly services: Services;
  readonly authorise: Authorise;
  /** Where requests come from that proxies pass on. */
  readonly clientAddress: ClientAddress;
  readonly auditLog: AuditLog;
  readonly facts: ServiceFacts;
  /** Which web pages may ask; consoles may have their session in a cookie. */
  readonly web: WebAccess;
  readonly cookieName: string;
  readonly bodyLimitBytes: number;
  readonly connections: ConnectionCap;
  readonly disk: DiskRoom;
  /** Whether the metadata are on that disk. */
  readonly keepsMetadata: boolean;
  readonly requestLog: Pick<RequestLogOptions, 'requestLog' | 'slowRequestMs'>;
  readonly log: FailureLog & RequestLogOptions['log'];
};

declare module 'fastify' {
  interface FastifyRequest {
    startedMs: number;
    /** Set before every handler that works within a tenant. */
    member: Member | undefined;
    /** Of a login: as whom, whether it is true or not. */
    claimedName: string | undefined;
  }
}

/** An upload of several gigabytes has this long, also over a slow line; slower ones hold a socket for nothing. */
const REQUEST_TIMEOUT_MS = 3_600_000;
/** A path parameter, percent-encoded: no longer than the headers may be. */
const PARAM_LENGTH_MAX = 16_384;
const UPLOAD_CONNECTION = { connection: 'close' };

export function buildRestApp(options: RestAppOptions): FastifyInstance {
  const {
    tls,
    services,
    authorise,
    clientAddress,
    auditLog,
    facts,
    web,
    cookieName,
    bodyLimitBytes,
    connections,
    disk,
    keepsMetadata,
    requestLog,
    log,
  } = options;
  const { clock } = services;
  const refuse = createRefuser({ log, bodyLimitBytes, disk });
  const app = fastify({
    bodyLimit: bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    ...(tls && { serverFactory: httpsServerFactory(tls, { requestTimeoutMs: REQUEST_TIMEOUT_MS }) }),
    forceCloseConnections: 'idle',
    // A path that cannot be decoded has no route, and no hooks.
    frameworkErrors: refuse,
    clientErrorHandler: refuseUnreadableRequest,
    schemaController: NO_SCHEMAS,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAM_LENGTH_MAX },
  });
  app.decorateRequest('startedMs', 0);
  app.decorateRequest('member');
  app.decorateRequest('claimedName');
  app.decorateRequest('refusedWith');
  app.addHook('onRequest', async (request) => {
    request.startedMs = clock.monotonicMs();
  });
  traceRequests(app);
  takeBodiesRaw(app);
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) => refuse(pathNotFound(request), request, reply));
  countResponses(app, facts, services);
  logRequests(app, { ...requestLog, clientAddress, clock, log });

  const own = serviceHandlers(facts, { disk, serverUrl: services.deliveryMeans.publicUrl });
  const refreshCookie = new RefreshCookie({ name: cookieName, consoleOrigin: web.consoleOrigin });
  const streams = endpointRows.filter(({ endpoint }) => endpoint.bodyKind === 'stream');
  const routeRow = (scope: FastifyInstance, row: EndpointRow) => {
    const handler =
      own[row.id] ??
      operationHandler(row, { services, clientAddress, cookie: COOKIE_OPERATIONS.includes(row.id) ? refreshCookie : undefined });
    const guard = async (request: FastifyRequest) => {
      if (facts.state() === 'closing' && row.endpoint.tag !== 'Service') throw new ApiError('shutting_down');
      request.member = await authorise(request, row.endpoint.needs);
      if (needsRoom(row, keepsMetadata) && !disk.allows(bytesToWrite(row, request))) throw diskFull(disk);
    };
    const audit = async (request: FastifyRequest, reply: FastifyReply) => {
      const address = clientAddress(request.socket.remoteAddress ?? '', request.headers);
      auditLog.append(auditEntryOf(row, request, { address, status: reply.statusCode }));
    };
    for (const path of pathsOf(row.endpoint))
      scope.route({ ...route(row, path, guard, handler), ...(isAudited(row) && { onSend: audit }) });
  };
  for (const row of endpointRows) if (!streams.includes(row)) routeRow(app, row);
  void app.register(async (scope) => {
    takeBodiesAsStreams(scope);
    for (const row of streams) routeRow(scope, row);
  });
  answerWrongMethods(app, { paths: servedPaths(), routeOf, refusal: (details) => new ApiError('method_not_allowed', details) });
  capHttpConnections(app.server, connections, refusedConnection(connections));
  openWebGate(app.server, { access: web, refuse: refuseAtGate(facts), takesCookie, log });
  return app;
}

/** Half of a file, for it is stored as it is, and `DiskRoom` asks for twice the bytes. */
function bytesToWrite({ endpoint }: EndpointRow, { headers }: FastifyRequest): number {
  const bytes = Number(headers['content-length'] ?? 0);
  return endpoint.bodyKind === 'stream' ? bytes / 2 : bytes;
}

function route(
  { id, endpoint: { method } }: EndpointRow,
  path: string,
  guard: (request: FastifyRequest) => Promise<void>,
  handler: RouteOptions['handler'],
): RouteOptions {
  return { method, url: routeOf(path), config: { operation: id }, onRequest: guard, handler };
}

const COOKIE_PATHS = endpointRows.filter(({ id }) => COOKIE_OPERATIONS.includes(id)).flatMap(({ endpoint }) => pathsOf(endpoint));

/** By the path alone, for a browser asks ahead with another method. */
function takesCookie({ url = '' }: IncomingMessage): boolean {
  return COOKIE_PATHS.includes(url.replace(/\/?(?:\?.*)?$/, ''));
}

function claimedNameIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('username' in body)) return undefined;
  return typeof body.username === 'string' ? body.username : undefined;
}

type HandlerOptions = { readonly services: Services; readonly clientAddress: ClientAddress; readonly cookie?: RefreshCookie | undefined };

function operationHandler({ id, endpoint }: EndpointRow, { services, clientAddress, cookie }: HandlerOptions): RouteOptions['handler'] {
  const run = operations.get(id);
  if (run === undefined) throw new Error(`no operation ${id}`);
  return async (request, reply) => {
    const { query, body: sent } = decodeInput(endpoint, request);
    // The schemas of the operations with a cookie are those of objects.
    const body = cookie === undefined ? sent : cookie.fill(request, sent as object);
    request.claimedName = claimedNameIn(body);
    // The schemas of this endpoint are where the types of this operation's input come from.
    const input = {
      params: request.params as Texts,
      query,
      body,
      stream: endpoint.bodyKind === 'stream' ? request.body : undefined,
      address: clientAddress(request.socket.remoteAddress ?? '', request.headers),
      signal: abortedWith(reply),
    } as unknown as Input<never>;
    if (endpoint.bodyKind === 'stream') refuseLongBody(request, reply, services.uploadLimitBytes);
    const full = await run(contextOf(request, services), input);
    const answer = cookie === undefined ? full : cookie.keep(request, reply, body as object, full as object);
    return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(stringifyJson(answer));
  };
}

function contextOf({ member }: FastifyRequest, services: Services): Services & TenantContext {
  // Operations outside of a tenant never look at what only those within have; `operation` types them so.
  if (member === undefined) return services as Services & TenantContext;
  return { ...services, member, tenant: services.metadata.forTenant(member.tenantId) };
}

/** Aborts when the caller is gone before it has its answer. */
function abortedWith(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort(new Error('the caller closed the connection')));
  return controller.signal;
}

/** What says ahead that it is too long is refused before it is read; an upload that is refused ends its connection with the rest unread. */
function refuseLongBody(request: FastifyRequest, reply: FastifyReply, limit: number): void {
  void reply.headers(UPLOAD_CONNECTION);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new ApiError('body_too_large', { limit });
}

function takeBodiesAsStreams(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

function countResponses(app: FastifyInstance, facts: ServiceFacts, { clock }: Pick<Services, 'clock'>): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
  });
  app.addHook('onResponse', async (request, reply) => {
    facts.observe({
      endpoint: request.wrongMethodOn ?? shownRoute(request.routeOptions.url) ?? 'unknown',
      method: request.method,
      status: reply.statusCode,
      seconds: (clock.monotonicMs() - request.startedMs) / 1000,
    });
  });
}
