// SPDX-License-Identifier: Apache-2.0
/** What the server says about itself: health, metrics and documentation. */
import { ApiError, type OperationId, observabilityDocument } from '@sextant/contracts-observability';
import type { DiskRoom } from '@sextant/foundation-service';
import { docsPage } from '@sextant/foundation-service/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PRODUCT } from '../product.ts';
import { diskFull } from './refusals.ts';

export type ResponseFacts = { readonly endpoint: string; readonly method: string; readonly status: number; readonly seconds: number };

/** The interface of the adapter to the service around it. */
export type ServiceFacts = {
  /** `closing` once the server is stopping. */
  state(): 'ready' | 'closing';
  /** Whether the metadata store answers. */
  isStoreReachable(): Promise<boolean>;
  /** The text of `/metrics`. */
  metrics(): Promise<string>;
  observe(response: ResponseFacts): void;
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

export function serviceHandlers(
  service: ServiceFacts,
  { disk, serverUrl }: { readonly disk: DiskRoom; readonly serverUrl: string | undefined },
): { readonly [Id in OperationId]?: Handler } {
  let document: string | undefined;
  let docs: ReturnType<typeof docsPage> | undefined;
  return {
    healthz: () => ({ status: 'ok' }),
    readyz: async () => {
      if (service.state() === 'closing') throw new ApiError('shutting_down');
      if (!(await service.isStoreReachable())) throw new ApiError('store_unavailable');
      // 200 also on a full disk: with 503 whatever stands before the service would take it away from those who only read.
      return disk.figures.isFull ? { status: 'ok', read_only: diskFull(disk).message } : { status: 'ok' };
    },
    metrics: async (_request, reply) => reply.type('text/plain; version=0.0.4; charset=utf-8').send(await service.metrics()),
    openapi: (_request, reply) => {
      document ??= JSON.stringify(observabilityDocument({ version: PRODUCT.version, serverUrl }));
      return reply.type('application/json; charset=utf-8').send(document);
    },
    docs: (_request, reply) => {
      docs ??= docsPage(observabilityDocument({ version: PRODUCT.version, serverUrl }));
      return reply.header('content-security-policy', docs.contentSecurityPolicy).type('text/html; charset=utf-8').send(docs.html);
    },
  };
}
