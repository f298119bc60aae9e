// SPDX-License-Identifier: Apache-2.0
/** Operations as spans: what they are about and how their searches were planned. Never vectors, filters, payloads or credentials. */
import { traced, tracerInUse } from '@sextant/foundation-std';
import { type NotedPlan, notingPlans } from '@sextant/vector-collection';
import type { OperationReply } from './operation.ts';
import type { Execution } from './request-log.ts';

/** `execute` itself where nobody records traces. */
export function tracingOperations(execute: Execution): Execution {
  if (tracerInUse() === undefined) return execute;
  return (request) => {
    const attributes = {
      'db.system.name': 'sextant',
      'db.operation.name': request.operation,
      'db.collection.name': request.params.collection_name,
    };
    return traced({ name: request.operation, attributes }, async (span) => {
      if (span?.isRecorded !== true) return execute(request);
      const plans: NotedPlan[] = [];
      const reply = await notingPlans(() => execute(request), plans);
      span.set({ ...factsOf(reply), ...(plans.length > 0 && { 'sextant.search.plans': plans.map(planText) }) });
      if (reply.status >= 500) span.fail(reply.error ?? String(reply.status));
      return reply;
    });
  };
}

function factsOf({ collection, error }: OperationReply) {
  return { ...(collection !== undefined && { 'db.collection.name': collection }), 'error.type': error };
}

function planText({ plan, vector, count, candidates }: NotedPlan): string {
  const among = candidates === null ? '' : ` among ${candidates}`;
  return `${plan} for ${count}${among}${vector === '' ? '' : ` by ${vector}`}`;
}
