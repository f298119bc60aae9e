// SPDX-License-Identifier: Apache-2.0
/** What other nodes ask the writer by way of a serving thread: copies, which collections there are, and what is on its way to this node. */
import { type ErrorCode, type ErrorDetails, ServiceError } from '@sextant/contracts-vector';
import type { JoinedCluster } from '../cluster/join-cluster.ts';
import type { PackedCopies } from '../cluster/shards/packed-copies.ts';
import type { CopyQuestion, ShardAnswer } from '../cluster/shards/question.ts';
import type { OperationReply, OperationRequest } from '../operations/operation.ts';
import { CATCH_UP } from './catch-up.ts';

export type QuestionToWriter = Exclude<CopyQuestion, { readonly copy: 'piece' }>;

const COPY = 'answer another node about copies of shards';

export function aboutCopies(question: QuestionToWriter): OperationRequest {
  return { ...CATCH_UP, operation: COPY, params: { question: JSON.stringify(question) } };
}

/** Undefined of every other request. */
export function copyQuestionOf({ operation, params }: OperationRequest): QuestionToWriter | undefined {
  // A serving thread has looked at it.
  return operation === COPY ? (JSON.parse(params.question ?? '') as QuestionToWriter) : undefined;
}

export async function answerAboutCopies(
  question: QuestionToWriter,
  { copies, cluster }: { readonly copies: PackedCopies; readonly cluster: () => Pick<JoinedCluster, 'incoming' | 'listing'> },
): Promise<OperationReply> {
  try {
    return replyOf({ result: await answerOf() });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return replyOf({ refusal: { code: error.code, details: error.details } });
  }

  async function answerOf(): Promise<unknown> {
    switch (question.copy) {
      case 'make':
        return copies.make(question);
      case 'end':
        await copies.end(question.token);
        return null;
      case 'incoming':
        return cluster().incoming;
      case 'list':
        return cluster().listing(question.atLeast);
    }
  }
}

export function answerOfWriter({ body }: OperationReply): ShardAnswer {
  return JSON.parse(body) as
    | { readonly result: unknown }
    | { readonly refusal: { readonly code: ErrorCode; readonly details: ErrorDetails } };
}

function replyOf(answer: ShardAnswer): OperationReply {
  return { status: 200, body: JSON.stringify(answer) };
}
