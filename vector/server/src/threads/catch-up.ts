// SPDX-License-Identifier: Apache-2.0
/** What a serving thread asks the writer beside operations: to have all that is in the log of the cluster by now, or what there is up to a position. */
import type { OperationReply, OperationRequest } from '../operations/operation.ts';

export const CATCH_UP: OperationRequest = {
  operation: 'catch up with the cluster',
  params: {},
  query: {},
  body: undefined,
  caller: { address: '', loopback: true, credential: undefined },
  principal: { kind: 'anonymous' },
};

const REACH = 'reach a position of the log of the cluster';

export function reaching(position: number): OperationRequest {
  return { ...CATCH_UP, operation: REACH, params: { position: String(position) } };
}

/** Undefined of every other request. */
export function positionToReach({ operation, params }: OperationRequest): number | undefined {
  return operation === REACH ? Number(params.position) : undefined;
}

/** @param caughtUp rejects where the log cannot be reached */
export async function answerCatchUp(caughtUp: () => Promise<void>): Promise<OperationReply> {
  try {
    await caughtUp();
    return { status: 200, body: '' };
  } catch {
    return { status: 503, body: '' };
  }
}
