// SPDX-License-Identifier: Apache-2.0
/** Asks another node about a shard, over a connection that is kept. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { ServiceError } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import { decodeMessage, encodeMessage } from './message.ts';
import { type CopyQuestion, type QuestionGroup, SEAL_HEADER, SHARDS_PATH, type ShardAnswer, type ShardQuestion } from './question.ts';
import { QuestionGroups } from './question-groups.ts';
import { isStatedBody, type Seal } from './seal.ts';

const CONNECTIONS_MAX = 64;
/** As JSON such an answer would be longer than the longest string of V8, so that no client could be given it. */
const ANSWER_BYTES_MAX = 512 * 1024 ** 2;

/** The node could not be asked, or does not answer as a node of this cluster. */
export class PeerFailure extends Error {
  override readonly name = 'PeerFailure';
}

/** The node does not hold the shard, as of a position of the log up to which it has everything. */
export class ShardAbsentError extends Error {
  override readonly name = 'ShardAbsentError';
  readonly position: number;

  constructor(position: number) {
    super('the node does not hold the shard any more, or not yet');
    this.position = position;
  }
}

export type PeerClientOptions = { readonly seal: Seal; readonly clock: Clock; readonly answerBytesMax?: number };

export class PeerClient {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #answerBytesMax: number;
  readonly #groups: QuestionGroups;
  readonly #http = new HttpAgent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  readonly #https = new HttpsAgent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });

  constructor({ seal, clock, answerBytesMax = ANSWER_BYTES_MAX }: PeerClientOptions) {
    this.#seal = seal;
    this.#clock = clock;
    this.#answerBytesMax = answerBytesMax;
    this.#groups = new QuestionGroups(async (address, group, signal) => {
      // The seal says that a node of this cluster has written it.
      return decodeMessage(await this.#bytes(address, group, signal)) as readonly ShardAnswer[];
    });
  }

  /** @throws ServiceError where the shard refuses; ShardAbsentError where it is not there; PeerFailure where there is no answer */
  async ask(address: string, question: ShardQuestion | CopyQuestion, signal: AbortSignal): Promise<unknown> {
    const answer = 'copy' in question ? await this.#single(address, question, signal) : await this.#groups.ask(address, question, signal);
    if ('absentAt' in answer) throw new ShardAbsentError(answer.absentAt);
    if ('refusal' in answer) throw new ServiceError(answer.refusal.code, answer.refusal.details);
    if ('status' in answer) throw failureOf(answer.status);
    return answer.result;
  }

  /** An answer as it comes, which that to a question for a piece of a copy is. */
  bytes(address: string, question: CopyQuestion, signal: AbortSignal): Promise<Buffer> {
    return this.#bytes(address, question, signal);
  }

  async #single(address: string, question: CopyQuestion, signal: AbortSignal): Promise<ShardAnswer> {
    return decodeMessage(await this.bytes(address, question, signal)) as ShardAnswer;
  }

  #bytes(address: string, message: QuestionGroup | CopyQuestion, signal: AbortSignal): Promise<Buffer> {
    const body = encodeMessage(message);
    const seal = this.#seal.question(body, this.#clock.nowMs());
    return this.#exchange(address, { body, seal, signal });
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  async #exchange(address: string, { body, seal, signal }: { readonly body: Buffer; readonly seal: string; readonly signal: AbortSignal }) {
    const url = new URL(SHARDS_PATH, address);
    const isTls = url.protocol === 'https:';
    try {
      const reply = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { [SEAL_HEADER]: seal, 'content-type': 'application/octet-stream', 'content-length': body.length };
        const send = isTls ? httpsRequest : httpRequest;
        const outgoing = send(url, { method: 'POST', agent: isTls ? this.#https : this.#http, headers, signal }, resolve);
        outgoing.on('error', reject);
        outgoing.end(body);
      });
      return await this.#bytesOf(reply, seal);
    } catch (cause) {
      if (cause instanceof PeerFailure) throw cause;
      throw new PeerFailure(signal.aborted ? 'it did not answer in time' : `the connection failed: ${reasonOf(cause)}`, { cause });
    }
  }

  /** What is no answer of this cluster is not read. */
  async #bytesOf(reply: IncomingMessage, question: string): Promise<Buffer> {
    const { statusCode: status = 0, headers } = reply;
    const given = headers[SEAL_HEADER];
    const stated = typeof given === 'string' ? this.#seal.admitsAnswer(given, question) : undefined;
    if (status !== 200 || stated === undefined || stated.bytes > this.#answerBytesMax) {
      reply.destroy();
      if (status !== 200) throw failureOf(status);
      if (stated === undefined) throw new PeerFailure('its answer is not signed with the secret of this cluster');
      throw new PeerFailure(`its answer is longer than ${this.#answerBytesMax} bytes; ask for fewer points`);
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > stated.bytes) throw new PeerFailure(CHANGED);
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    if (!isStatedBody(body, stated)) throw new PeerFailure(CHANGED);
    return body;
  }
}

const CHANGED = 'its answer was changed in transit';

const STATUSES: { readonly [status: number]: string } = {
  401: 'it does not know the secret of this cluster, or its clock differs by more than a minute',
  404: 'it accepts no requests from other nodes: SERVICE_CLUSTER_SECRET is not set there',
  409: 'the shard is still being copied to it',
  410: 'it no longer has the copy',
  413: 'the request is larger than its SERVICE_BODY_LIMIT_BYTES',
  503: 'it is not ready',
};

function failureOf(status: number): PeerFailure {
  return new PeerFailure(STATUSES[status] ?? `it answered with the status ${status}`);
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause);
}
