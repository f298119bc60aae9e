// SPDX-License-Identifier: Apache-2.0
/** From a route to the operation behind it, and back. */

import type { OperationId } from '@sextant/contracts-vector';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WriteStatusCase } from '../configuration.ts';
import type { Dispatch, OperationReply, OperationRequest } from '../operations/operation.ts';
import { isLowercase } from './write-status.ts';

type Texts = { readonly [name: string]: string };

export function operationHandler(operation: OperationId, dispatch: Dispatch, writeStatusCase: WriteStatusCase) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const lowercaseStatus = isLowercase(writeStatusCase, request.headers['user-agent']);
    return sendReply(reply, await dispatch({ ...requestOf(operation, request), lowercaseStatus }));
  };
}

export function requestOf(operation: OperationId, request: FastifyRequest): OperationRequest {
  return {
    operation,
    // The router gives decoded text for each parameter of the path.
    params: request.params as Texts,
    query: queryOf(request.query),
    body: request.body instanceof Uint8Array ? request.body : undefined,
    caller: request.caller,
    principal: request.principal,
  };
}

export function sendReply(reply: FastifyReply, { status, body, headers }: OperationReply): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .type('application/json; charset=utf-8')
    .send(body);
}

/** The members of a query string; of one that is given several times, the last. */
export function queryOf(query: unknown): Texts {
  const members = Object.entries(query as { readonly [name: string]: string | readonly string[] });
  return Object.fromEntries(members.map(([name, value]) => [name, typeof value === 'string' ? value : (value.at(-1) ?? '')]));
}
