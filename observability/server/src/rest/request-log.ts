// SPDX-License-Identifier: Apache-2.0
/** What the log says of requests that were answered: of all, or of slow ones. Never bodies, values of queries or credentials. */
import type { OperationId } from '@sextant/contracts-observability';
import type { ClientAddress } from '@sextant/foundation-service';
import { shownRoute } from '@sextant/foundation-service/http';
import type { Clock } from '@sextant/foundation-std';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestLogKind } from '../configuration.ts';

type Write = (details: object, message: string) => void;

export type RequestLogOptions = {
  readonly requestLog: RequestLogKind;
  readonly slowRequestMs: number;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
  readonly log: { readonly info: Write; readonly warn: Write };
};

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: OperationId;
  }
  interface FastifyRequest {
    /** The code of the refusal that answers it. */
    refusedWith: string | undefined;
  }
}

export function logRequests(app: FastifyInstance, options: RequestLogOptions): void {
  const { requestLog, slowRequestMs, clock, log } = options;
  if (requestLog === 'none') return;
  app.addHook('onResponse', async (request, reply) => {
    const ms = clock.monotonicMs() - request.startedMs;
    if (ms >= slowRequestMs) log.warn(factsOf(request, reply, ms, options), 'slow request');
    else if (requestLog === 'all') log.info(factsOf(request, reply, ms, options), 'request');
  });
}

function factsOf(request: FastifyRequest, reply: FastifyReply, ms: number, { clientAddress }: RequestLogOptions): object {
  const { routeOptions, wrongMethodOn, method, member, claimedName, socket, headers, refusedWith } = request;
  const { operation } = routeOptions.config;
  return {
    operation: operation ?? 'unknown',
    endpoint: `${method} ${wrongMethodOn ?? shownRoute(routeOptions.url) ?? 'unknown'}`,
    // The router gives decoded text for each parameter of the path; a path that nobody serves is anybody's words.
    ...(operation !== undefined && { target: request.params as { readonly [name: string]: string } }),
    ...(member !== undefined && { tenant: member.tenantId }),
    actor: member?.name ?? claimedName ?? 'unknown',
    address: clientAddress(socket.remoteAddress ?? '', headers),
    status: reply.statusCode,
    ...(refusedWith !== undefined && { error: refusedWith }),
    ms: Math.round(ms * 100) / 100,
    requestBytes: Number(headers['content-length'] ?? 0),
    replyBytes: Number(reply.getHeader('content-length') ?? 0),
  };
}
