// SPDX-License-Identifier: Apache-2.0
/** Everything that goes wrong before or beside an operation, answered in the envelope of its endpoint. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, ServiceError } from '@sextant/contracts-vector';
import type { ConnectionCap, DiskRoom } from '@sextant/foundation-service';
import { refuseUnreadable, type WebRefusal } from '@sextant/foundation-service/http';
import type { Clock } from '@sextant/foundation-std';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { FailureLog } from '../failure-log.ts';
import { errorReply } from '../operations/reply.ts';
import { resourceFault } from '../resources/resource-faults.ts';
import type { ServiceFacts } from './service-handlers.ts';
import { refusalOn } from './wrong-methods.ts';

type Surroundings = { readonly clock: Clock; readonly log: FailureLog; readonly bodyLimitBytes: number; readonly disk: DiskRoom };

export type Refuse = (error: FastifyError | ServiceError, request: FastifyRequest, reply: FastifyReply) => void;

export function createRefuser(surroundings: Surroundings): Refuse {
  return (error, request, reply) => {
    const nowMs = surroundings.clock.monotonicMs();
    // A path that cannot be decoded is refused before any hook has run.
    const seconds = (nowMs - (request.startedMs || nowMs)) / 1000;
    const { status, body, headers = {} } = errorReply(toClientError(error, surroundings), refusalOf(request), seconds);
    void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
  };
}

/** A path that cannot be decoded has no route. */
function refusalOf({ routeOptions, wrongMethodOn }: FastifyRequest): Refusal {
  const ofPath = wrongMethodOn === undefined ? routeOptions?.config?.facts?.endpoint?.refusal : refusalOn(wrongMethodOn);
  return ofPath ?? 'envelope';
}

export function pathNotFound({ method, url }: FastifyRequest): ServiceError {
  const [path = ''] = url.split('?');
  return new ServiceError('path_not_found', { method, path: path.slice(0, 300) });
}

/** What the gate does not let in: before any route is found, so the envelope follows from the path alone. */
export function refuseAtGate(service: ServiceFacts) {
  return ({ code, details }: WebRefusal, { method = '', url = '' }: IncomingMessage, response: ServerResponse): void => {
    const { status, body } = errorReply(new ServiceError(code, details), url.startsWith('/auth/') ? 'message' : 'envelope', 0);
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' }).end(body);
    service.observe({ endpoint: 'unknown', method, status, seconds: 0 });
  };
}

function toClientError(error: FastifyError | ServiceError, { log, bodyLimitBytes, disk }: Surroundings): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ServiceError('body_too_large', { limit: bodyLimitBytes });
  // The framework's own refusals, of a path that cannot be decoded or a length that does not fit, are the caller's.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ServiceError('invalid_request', { reason: error.message }, { cause: error });
  }
  log.error({ err: error }, 'a request failed outside its operation');
  const fault = resourceFault(error, disk);
  if (fault !== undefined) return fault;
  return new ServiceError('internal', {}, { cause: error });
}

/** The body for a connection beyond the cap. */
export function refusedConnection({ max }: ConnectionCap): (seconds: number) => object {
  return (seconds) => ({ time: 0, status: { error: new ServiceError('connections_exhausted', { max, seconds }).message } });
}

/** On the bare socket. */
export const refuseUnreadableRequest = refuseUnreadable(({ reason }) => ({ time: 0, status: { error: reason } }));
