// SPDX-License-Identifier: Apache-2.0
/** What one node asks another about a shard. */
import type { ErrorCode, ErrorDetails } from '@sextant/contracts-vector';
import type { ShardReads } from '@sextant/vector-collection';

export type ShardQuestion = {
  readonly read: keyof ShardReads;
  /** The shard's own name, or that of a collection in one piece. */
  readonly shard: string;
  /** Absent for what takes none. */
  readonly request?: unknown;
  /** The position of the log that the answer may not be older than. */
  readonly atLeast: number;
};

/** Questions that go together. */
export type QuestionGroup = {
  readonly questions: readonly GroupedQuestion[];
  readonly requests: readonly unknown[];
};

/** The request is named by its place in the list of the group, since shards of one collection are asked the same. */
export type GroupedQuestion = Omit<ShardQuestion, 'request'> & { readonly request?: number };

/** What a node asks to have a collection or a shard too, and how far others are with theirs. */
export type CopyQuestion =
  /** Asked again under its token until the copy is ready. */
  | { readonly copy: 'make'; readonly collection: string; readonly token: string; readonly atLeast: number }
  | ({ readonly copy: 'piece' } & CopyPiece)
  | { readonly copy: 'end'; readonly token: string }
  /** Which collections there are, no earlier than at a position of the log. */
  | { readonly copy: 'list'; readonly atLeast: number }
  /** What is on its way to the node that is asked. */
  | { readonly copy: 'incoming' };

/** Bytes of a copy: as many as are asked for, fewer at its end. */
export type CopyPiece = { readonly draft: string; readonly from: number; readonly bytes: number };

/** Where the pieces of a copy are. */
export type CopyState = { readonly isReady: false } | { readonly isReady: true; readonly draft: string; readonly bytes: number };

export type ShardAnswer =
  | { readonly result: unknown }
  /** The shard is not here; the node has everything up to that position. */
  | { readonly absentAt: number }
  /** Why it could not be answered at all, as the status of an exchange would say. */
  | { readonly status: number }
  /** What the caller of the service is answered. */
  | { readonly refusal: { readonly code: ErrorCode; readonly details: ErrorDetails } };

/** Where nodes ask each other. */
export const SHARDS_PATH = '/cluster/shards';
export const SEAL_HEADER = 'x-sextant-cluster';

/** The compiler sees to it that every read is here. */
const READS: { readonly [Read in keyof ShardReads]: true } = {
  collectionInfo: true,
  collectionFigures: true,
  collectionStatus: true,
  inputNorms: true,
  optimizations: true,
  retrieve: true,
  scroll: true,
  count: true,
  facet: true,
  nearest: true,
  sparseCounts: true,
  sample: true,
};

/** The most that a piece may have. */
export const PIECE_BYTES_MAX = 4 * 1024 * 1024;

export function isCopyQuestion(message: unknown): message is CopyQuestion {
  if (typeof message !== 'object' || message === null || !('copy' in message)) return false;
  const { copy, collection, token, atLeast, draft, from, bytes } = message as { readonly [member: string]: unknown };
  switch (copy) {
    case 'make':
      return typeof collection === 'string' && typeof token === 'string' && Number.isSafeInteger(atLeast);
    case 'piece':
      return typeof draft === 'string' && isCount(from, Number.MAX_SAFE_INTEGER) && isCount(bytes, PIECE_BYTES_MAX);
    case 'end':
      return typeof token === 'string';
    case 'list':
      return Number.isSafeInteger(atLeast);
    default:
      return copy === 'incoming';
  }
}

function isCount(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;
}

export function isQuestionGroup(message: unknown): message is QuestionGroup {
  if (typeof message !== 'object' || message === null) return false;
  const { questions, requests } = message as Partial<QuestionGroup>;
  if (!Array.isArray(questions) || !Array.isArray(requests)) return false;
  return (questions as readonly unknown[]).every((question) => isGroupedQuestion(question, requests.length));
}

function isGroupedQuestion(question: unknown, requests: number): boolean {
  if (typeof question !== 'object' || question === null) return false;
  const { read, shard, atLeast, request } = question as Partial<GroupedQuestion>;
  if (request !== undefined && !isCount(request, requests - 1)) return false;
  return typeof read === 'string' && Object.hasOwn(READS, read) && typeof shard === 'string' && Number.isSafeInteger(atLeast);
}

/** Reads of a shard of which each becomes a question. */
export function questioning(ask: (read: keyof ShardReads, shard: string, request: unknown) => Promise<unknown>): ShardReads {
  const read = (name: keyof ShardReads) => (shard: string, request?: unknown) => ask(name, shard, request);
  // Both nodes run the same release, so that an answer is of the type that is asked for.
  return Object.fromEntries(Object.keys(READS).map((name) => [name, read(name as keyof ShardReads)])) as unknown as ShardReads;
}
