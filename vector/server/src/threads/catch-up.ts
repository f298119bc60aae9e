// SPDX-License-Identifier: Apache-2.0
/** What a serving thread asks the writer beside operations: to have all that is in the log of the cluster by now. */
import type { OperationReply, OperationRequest } from '../operations/operation.ts';

export const CATCH_UP: OperationRequest = {
  operation: 'catch up with the cluster',
  params: {},
  query: {},
  body: undefined,
  caller: { address: '', loopback: true, credential: undefined },
  principal: { kind: 'anonymous' },
};

/** @param caughtUp rejects where the log cannot be reached */
export async function answerCatchUp(caughtUp: () => Promise<void>): Promise<OperationReply> {
  try {
    await caughtUp();
    return { status: 200, body: '' };
  } catch {
    return { status: 503, body: '' };
  }
}
