// SPDX-License-Identifier: Apache-2.0
/**
 * The REST adapter: one Fastify application for each serving thread. It finds the endpoint, asks who is calling and hands the raw body on;
 * what a body means is for the operations. Responses are not compressed: gzip of an answer of vectors costs more CPU than the search
 * that made it, and a proxy can do it where the network is the bottleneck.
 */
import { type Endpoint, isServed, type OperationId, type Requirement, ServiceError, unavailable } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import { type ClientAddress, type ConnectionCap, capHttpConnections, type DiskRoom, type ServerTls } from '@sextant/foundation-service';
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
import type { Clock } from '@sextant/foundation-std';
import type { SnapshotFolder } from '@sextant/vector-collection';
import { type FastifyInstance, fastify } from 'fastify';
import type { Caller, Principal } from '../auth/auth.ts';
import type { WriteStatusCase } from '../configuration.ts';
import type { FailureLog } from '../failure-log.ts';
import type { Dispatch } from '../operations/operation.ts';
import { isOperation } from '../operations/registry.ts';
import type { BodyBudget } from '../resources/body-budget.ts';
import type { Transfers } from '../resources/transfers.ts';
import { refuseClusterEndpoints } from './cluster-endpoints.ts';
import { operationHandler } from './operation-handler.ts';
import { createRefuser, pathNotFound, refuseAtGate, refusedConnection, refuseUnreadableRequest } from './refusals.ts';
import { type RouteFacts, routeGuards } from './route-guards.ts';
import { openSearchLane } from './search-lane.ts';
import { type ServiceFacts, serviceHandlers } from './service-handlers.ts';
import { downloadHandler, uploadHandler } from './snapshot-files.ts';
import { servedPaths } from './wrong-methods.ts';

export type RestAppOptions = {
  /** Undefined for plain HTTP. */
  readonly tls?: ServerTls | undefined;
  readonly dispatch: Dispatch;
  /** The caller's principal; throws `unauthorized` or `forbidden`. */
  readonly authorise: (caller: Caller, requirement: Requirement) => Promise<Principal> | Principal;
  readonly service: ServiceFacts;
  /** Where requests come from that proxies pass on. */
  readonly clientAddress: ClientAddress;
  /** Which web pages may ask. */
  readonly web: WebAccess;
  /** Where uploads go. */
  readonly snapshots: SnapshotFolder;
  readonly transfers: Transfers;
  readonly connections: ConnectionCap;
  readonly disk: DiskRoom;
  readonly bodyBudget: BodyBudget;
  readonly config: {
    readonly bodyLimitBytes: number;
    readonly capabilities: readonly string[];
    readonly writeStatusCase: WriteStatusCase;
    /** Where the service is reached; undefined where it is asked. */
    readonly publicUrl?: string | undefined;
  };
  readonly clock: Clock;
  readonly log: FailureLog & { readonly warn: (details: object, message: string) => void };
};

declare module 'fastify' {
  interface FastifyContextConfig {
    facts?: RouteFacts;
  }
  interface FastifyRequest {
    startedMs: number;
    /** Set by the guards, which stand before every handler; both are. */
    caller: Caller;
    principal: Principal;
  }
}

/** An upload of the largest body has this long, also over a slow line; slower ones hold a socket for nothing. */
const REQUEST_TIMEOUT_MS = 300_000;
/** A path parameter, percent-encoded: no longer than the headers may be. */
const PARAM_LENGTH_MAX = 16_384;

export function buildRestApp(options: RestAppOptions): FastifyInstance {
  const { tls, dispatch, authorise, service, clientAddress, web, snapshots, transfers, bodyBudget, connections, disk, config, clock, log } =
    options;
  const refuse = createRefuser({ clock, log, bodyLimitBytes: config.bodyLimitBytes, disk });
  const app = fastify({
    bodyLimit: config.bodyLimitBytes,
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
  app.decorateRequest('caller');
  app.decorateRequest('principal');
  app.addHook('onRequest', async (request) => {
    request.startedMs = clock.monotonicMs();
  });
  traceRequests(app);
  takeBodiesRaw(app);
  // Forms are read by who takes uploads; nobody else reads them.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) => refuse(pathNotFound(request), request, reply));
  countResponses(app, service, clock);
  const enabled = new Set(config.capabilities);

  const guards = routeGuards({ authorise, service, bodyBudget, config, clientAddress });
  const own = serviceHandlers(service, { disk, capabilities: enabled, serverUrl: config.publicUrl });
  for (const [id, endpoint] of Object.entries<Endpoint>(endpoints)) {
    if (!isServed(endpoint, enabled)) continue;
    const facts: RouteFacts = { endpoint };
    const handler = isOperation(id) ? handlerOf(id, endpoint, { dispatch, snapshots, transfers, config }) : own[id];
    if (handler === undefined) throw new Error(`no handler for ${id}`);
    app.route({ method: endpoint.method, url: routeOf(endpoint.path), config: { facts }, onRequest: guards, handler });
  }
  for (const { method, path } of unavailable(enabled)) {
    const handler = () => {
      throw new ServiceError('not_implemented', { endpoint: `${method} ${path}` });
    };
    app.route({ method, url: routeOf(path), config: { facts: {} }, onRequest: guards, handler });
  }
  refuseClusterEndpoints(app, routeOf, guards);
  answerWrongMethods(app, { paths: servedPaths(), routeOf, refusal: (details) => new ServiceError('method_not_allowed', details) });
  capHttpConnections(app.server, connections, refusedConnection(connections));
  openSearchLane(app.server, { dispatch, authorise, service, config, clientAddress, clock });
  openWebGate(app.server, { access: web, refuse: refuseAtGate(service), log });
  return app;
}

function handlerOf(
  id: OperationId,
  { envelope, upload }: Endpoint,
  { dispatch, snapshots, transfers, config }: Pick<RestAppOptions, 'dispatch' | 'snapshots' | 'transfers' | 'config'>,
) {
  if (envelope === 'file') return downloadHandler(id, dispatch, transfers);
  return upload === undefined
    ? operationHandler(id, dispatch, config.writeStatusCase)
    : uploadHandler(id, dispatch, { folder: snapshots, transfers });
}

function countResponses(app: FastifyInstance, service: ServiceFacts, clock: Clock): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    // A connection that stayed open would hold up the end of the server.
    if (service.state() === 'closing') reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    service.observe({
      collection: (request.params as { readonly collection_name?: string } | undefined)?.collection_name,
      endpoint: request.wrongMethodOn ?? shownRoute(request.routeOptions.url) ?? 'unknown',
      method: request.method,
      status: reply.statusCode,
      seconds: (clock.monotonicMs() - request.startedMs) / 1000,
    });
  });
}

/** From the braces of OpenAPI to the colons of the router. */
function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
