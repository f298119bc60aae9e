// SPDX-License-Identifier: Apache-2.0
/** What the server says about itself: title, health, metrics and documentation. */
import { endpoints, openApiDocument, validate } from '@sextant/contracts-vector/schemas';
import type { DiskFigures, DiskRoom } from '@sextant/foundation-service';
import { docsPage } from '@sextant/foundation-service/http';
import { stringifyJson } from '@sextant/foundation-std';
import type { CatalogView } from '@sextant/vector-collection';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireUnlimited } from '../operations/collection-scope.ts';
import { API_COMPATIBILITY_VERSION, PRODUCT } from '../product.ts';
import { queryOf } from './operation-handler.ts';

export type ResponseFacts = {
  /** Named by the path. */
  readonly collection?: string | undefined;
  readonly endpoint: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
};

/** What the adapter asks of, and tells, the service around it. */
export type ServiceFacts = {
  /** `loading` until every collection is served; `closing` once the server stops. */
  state(): 'loading' | 'ready' | 'closing';
  /** How many there are in each state. */
  collections(): CatalogView['states'];
  /** The text of `/metrics`. */
  metrics(wanted: { readonly perCollection: boolean }): Promise<string>;
  observe(response: ResponseFacts): void;
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

export type HandlerOptions = {
  readonly disk: DiskRoom;
  /** Those that are switched on, and thus documented. */
  readonly capabilities: ReadonlySet<string>;
  readonly serverUrl: string | undefined;
};

export function serviceHandlers(
  service: ServiceFacts,
  { disk, capabilities, serverUrl }: HandlerOptions,
): { readonly [operation: string]: Handler } {
  const healthy: Handler = (_request, reply) => text(reply, 'healthz check passed');
  let document: string | undefined;
  let docs: ReturnType<typeof docsPage> | undefined;
  return {
    root: () => ({ title: PRODUCT.title, version: API_COMPATIBILITY_VERSION, product_version: PRODUCT.version }),
    healthz: healthy,
    livez: healthy,
    readyz: (_request, reply) =>
      service.state() === 'ready'
        ? text(reply, readiness(disk.figures, service.collections()))
        : text(reply.code(503), 'some shards are not ready'),
    metrics: async (request, reply) => {
      requireUnlimited(request.principal);
      const query = queryOf(request.query);
      validate(endpoints.metrics.query, query, 'query string');
      const perCollection = query.per_collection === 'true';
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await service.metrics({ perCollection }));
    },
    openapi: (_request, reply) => {
      document ??= stringifyJson(openApiDocument({ version: PRODUCT.version, capabilities, serverUrl }));
      return reply.type('application/json; charset=utf-8').send(document);
    },
    docs: (_request, reply) => {
      docs ??= docsPage(openApiDocument({ version: PRODUCT.version, capabilities, serverUrl }));
      return reply.header('content-security-policy', docs.contentSecurityPolicy).type('text/html; charset=utf-8').send(docs.html);
    },
  };
}

/**
 * A service whose disk is full answers 200 too: it reads and searches as ever, and with 503 whatever stands before it would take it away from
 * clients that only read.
 */
function readiness({ isFull, free, reserve }: DiskFigures, { failed, not_opened }: CatalogView['states']): string {
  const unreadable = failed === 0 ? '' : `; collections that could not be opened: ${failed} (GET /issues says why)`;
  const unknown = not_opened === 0 ? '' : `; collections not opened since the start: ${not_opened} (a request opens them)`;
  if (!isFull) return `all shards are ready${unreadable}${unknown}`;
  return `all shards are ready; read-only: the disk of the data directory is full (${free} bytes are free, ${reserve} are kept in reserve), so writes are refused with 507 until there is room${unreadable}${unknown}`;
}

function text(reply: FastifyReply, words: string): FastifyReply {
  return reply.type('text/plain; charset=utf-8').send(words);
}
