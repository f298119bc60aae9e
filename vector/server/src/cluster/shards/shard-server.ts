// SPDX-License-Identifier: Apache-2.0
/**
 * Answers other nodes about the shards that this one has, on every serving thread, beside the public API and before what guards that: these callers are known
 * by the secret of the cluster, and nobody else is answered.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { ServiceError } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import type { ShardReads } from '@sextant/vector-collection';
import { decodeMessage, encodeMessage } from './message.ts';
import {
  type CopyPiece,
  type CopyQuestion,
  type GroupedQuestion,
  isCopyQuestion,
  isQuestionGroup,
  SEAL_HEADER,
  SHARDS_PATH,
  type ShardAnswer,
} from './question.ts';
import { isStatedBody, type Seal } from './seal.ts';

export type ShardServerOptions = {
  readonly seal: Seal;
  readonly reads: ShardReads;
  /** Resolves when this node has everything up to a position of the log. */
  readonly reached: (position: number) => Promise<void>;
  /** Up to which position this node has everything. */
  readonly applied: () => number;
  /** Whether a shard is this node's to have, as far as it knows. */
  readonly isPlacedHere: (shard: string) => boolean;
  readonly copies: ServedCopies;
  readonly isReady: () => boolean;
  readonly bodyLimitBytes: number;
  readonly clock: Clock;
  readonly log: { readonly error: (details: object, message: string) => void };
};

/** Copies of shards for other nodes, and what is on its way to this one. */
export type ServedCopies = {
  answer(question: Exclude<CopyQuestion, { readonly copy: 'piece' }>): Promise<ShardAnswer>;
  /** Undefined where there is no such copy any more. */
  piece(piece: CopyPiece): Promise<Uint8Array | undefined>;
};

const UNANSWERED = 'a request of another node could not be answered';

/** Stands before whatever listens on the server. */
export function serveShards(server: Server, options: ShardServerOptions): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (request.url === SHARDS_PATH && request.method === 'POST') void answer(request, response, options);
    else for (const listener of listeners) listener(request, response);
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, options: ShardServerOptions): Promise<void> {
  const { seal, clock, log, isReady, bodyLimitBytes } = options;
  try {
    const given = request.headers[SEAL_HEADER];
    const question = typeof given === 'string' ? given : '';
    const stated = seal.admits(question, clock.nowMs());
    if (stated === undefined || Number(request.headers['content-length']) !== stated.bytes) return refuse(response, 401);
    if (stated.bytes > bodyLimitBytes) return refuse(response, 413);
    if (!isReady()) return refuse(response, 503);
    const body = await bodyOf(request);
    if (!isStatedBody(body, stated)) return refuse(response, 401);
    const message = decodeMessage(body);
    const bytes = await bytesOf(message, options);
    if (typeof bytes === 'number') return refuse(response, bytes);
    response.setHeader(SEAL_HEADER, seal.answer(bytes, question));
    response.setHeader('content-type', 'application/octet-stream');
    response.writeHead(200).end(bytes);
  } catch (error) {
    log.error({ err: error }, UNANSWERED);
    refuse(response, 500);
  }
}

/** An answer, or the status of a refusal. */
async function bytesOf(message: unknown, options: ShardServerOptions): Promise<Uint8Array | number> {
  if (isCopyQuestion(message)) {
    if (message.copy === 'piece') return (await options.copies.piece(message)) ?? 410;
    return encodeMessage(await options.copies.answer(message));
  }
  if (!isQuestionGroup(message)) return 400;
  const { questions, requests } = message;
  return encodeMessage(await Promise.all(questions.map((question) => answerOf(question, requests[question.request ?? -1], options))));
}

async function answerOf(
  { read, shard, atLeast }: GroupedQuestion,
  request: unknown,
  { reads, reached, applied, isPlacedHere, log }: ShardServerOptions,
): Promise<ShardAnswer> {
  try {
    await reached(atLeast);
    // The other node's schemas have let the request through.
    return { result: await (reads[read] as (shard: string, request: unknown) => Promise<unknown>)(shard, request) };
  } catch (error) {
    // Where it is this node's and has not come yet, others have it, or nobody has.
    if (isAbsent(error, shard)) return isPlacedHere(shard) ? { status: 409 } : { absentAt: applied() };
    if (error instanceof ServiceError) return { refusal: { code: error.code, details: error.details } };
    log.error({ err: error }, UNANSWERED);
    return { status: 500 };
  }
}

/** Whether a shard could not be read because it is not on this node any more, or not yet. */
export function isAbsent(error: unknown, shard: string): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'collection_deleted' || (error.code === 'collection_not_found' && error.details.collection === shard);
}

/** The connection ends with it: what is left of the question is not read. */
function refuse(response: ServerResponse, status: number): void {
  if (!response.headersSent) response.writeHead(status, { connection: 'close' });
  response.end();
}

/** As long as its headers say, which Node.js sees to. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
