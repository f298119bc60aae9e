// SPDX-License-Identifier: Apache-2.0
/** What the log says of requests that were answered: of all, or of slow ones. Never vectors, filters, payloads or credentials. */
import type { Endpoint } from '@sextant/contracts-vector';
import { endpoints, isOperationId } from '@sextant/contracts-vector/schemas';
import type { Clock } from '@sextant/foundation-std';
import { type NotedPlan, notingPlans } from '@sextant/vector-collection';
import type { RequestLogKind } from '../configuration.ts';
import { actorOf } from './administration-audit.ts';
import type { OperationReply, OperationRequest } from './operation.ts';

export type RequestLogOptions = {
  readonly requestLog: RequestLogKind;
  readonly slowRequestMs: number;
};

type Log = { info(details: object, message: string): void; warn(details: object, message: string): void };

export type Execution = (request: OperationRequest) => Promise<OperationReply>;

/** `execute`, with a line for what is to be logged; `execute` itself where nothing is. */
export function loggingRequests(
  { requestLog, slowRequestMs }: RequestLogOptions,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  execute: Execution,
): Execution {
  if (requestLog === 'none') return execute;
  return async (request) => {
    const startedMs = clock.monotonicMs();
    const plans: NotedPlan[] = [];
    const reply = await notingPlans(() => execute(request), plans);
    const ms = clock.monotonicMs() - startedMs;
    const isSlow = ms >= slowRequestMs;
    if (isSlow) log.warn({ ...factsOf(request, reply, ms), ...(plans.length > 0 && { plans }) }, 'slow request');
    else if (requestLog === 'all') log.info(factsOf(request, reply, ms), 'request');
    return reply;
  };
}

function factsOf({ operation, params, caller, principal, call, body }: OperationRequest, reply: OperationReply, ms: number): object {
  const collection = reply.collection ?? params.collection_name;
  const endpoint: Endpoint | undefined = isOperationId(operation) ? endpoints[operation] : undefined;
  return {
    operation,
    transport: call === undefined ? 'rest' : 'grpc',
    ...(endpoint !== undefined && { endpoint: call ?? `${endpoint.method} ${endpoint.path}` }),
    ...(collection !== undefined && { collection }),
    actor: actorOf(principal),
    address: caller.address,
    status: reply.status,
    ...(reply.error !== undefined && { error: reply.error }),
    ms: Math.round(ms * 100) / 100,
    requestBytes: body?.length ?? 0,
    replyBytes: Buffer.byteLength(reply.body),
  };
}
