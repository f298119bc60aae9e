// SPDX-License-Identifier: Apache-2.0
/** What stands before every handler: is the service ready, may the caller, is the body JSON. All of it before a byte of body is read. */
import type { IncomingHttpHeaders } from 'node:http';
import { ALWAYS_OPEN, type Endpoint, ServiceError } from '@sextant/contracts-vector';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { RestAppOptions } from './app.ts';
import { callerOf } from './caller.ts';

/** The endpoint behind a route; absent for those that answer 501. */
export type RouteFacts = { readonly endpoint?: Endpoint };

export type GuardOptions = Pick<RestAppOptions, 'authorise' | 'service' | 'bodyBudget' | 'config' | 'clientAddress'>;

export function routeGuards({ authorise, service, bodyBudget, config, clientAddress }: GuardOptions): onRequestAsyncHookHandler[] {
  return [
    async (request) => {
      if (ALWAYS_OPEN.has(request.routeOptions.url ?? '')) return;
      const state = service.state();
      if (state === 'loading') throw new ServiceError('engine_not_initialized');
      if (state === 'closing') throw new ServiceError('shutting_down');
    },
    async (request) => {
      const needs = request.routeOptions.config.facts?.endpoint?.needs ?? 'read';
      request.caller = callerOf(request, needs, clientAddress);
      request.principal = await authorise(request.caller, needs);
    },
    async (request) => {
      const { body, upload } = request.routeOptions.config.facts?.endpoint ?? {};
      if (body !== undefined && upload === undefined) requireJson(request.headers);
    },
    async ({ headers }, reply) => {
      const bytes = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : config.bodyLimitBytes;
      // A body over the limit is refused as such when it is read.
      reply.raw.once('close', bodyBudget.take(Math.min(bytes, config.bodyLimitBytes)));
    },
  ];
}

/** A type that a page can send unasked, or none at all, would let forms of other sites through. */
function requireJson({ 'content-type': type, 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders): void {
  const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
  if (type === undefined ? !hasBody : isJson(type)) return;
  throw new ServiceError('unsupported_media_type', {
    type: type === undefined ? 'no content type' : `the content type ${type.slice(0, 100)}`,
  });
}

function isJson(contentType: string): boolean {
  const [mediaType = ''] = contentType.split(';');
  return /^\s*application\/(?:json|[\w.-]+\+json)\s*$/i.test(mediaType);
}
