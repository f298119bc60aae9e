// SPDX-License-Identifier: Apache-2.0
/**
 * Questions that are asked in the same moment, as those of one read about its shards are, go to a node together: an exchange costs a node several times what
 * a small search does. What several of them ask is sent once. A question that is not needed any more is given up alone; the exchange ends with its last one.
 */
import type { GroupedQuestion, QuestionGroup, ShardAnswer, ShardQuestion } from './question.ts';

/** Another thread of the node may take those beyond, so that a large batch is not the work of one. */
const GROUP_MAX = 16;

export type SendGroup = (address: string, group: QuestionGroup, signal: AbortSignal) => Promise<readonly ShardAnswer[]>;

type Waiting = {
  readonly question: ShardQuestion;
  readonly signal: AbortSignal;
  readonly resolve: (answer: ShardAnswer) => void;
  readonly reject: (reason: unknown) => void;
};

export class QuestionGroups {
  readonly #send: SendGroup;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(send: SendGroup) {
    this.#send = send;
  }

  /** Rejects with the signal's reason when it aborts. */
  ask(address: string, question: ShardQuestion, signal: AbortSignal): Promise<ShardAnswer> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(address) ?? [];
      if (waiting.length === 0) {
        this.#waiting.set(address, waiting);
        queueMicrotask(() => this.#flush(address, waiting));
      }
      waiting.push({ question, signal, resolve, reject });
      if (waiting.length === GROUP_MAX) this.#waiting.delete(address);
    });
  }

  #flush(address: string, waiting: readonly Waiting[]): void {
    if (this.#waiting.get(address) === waiting) this.#waiting.delete(address);
    const ended = new AbortController();
    let left = waiting.length;
    for (const { signal, reject } of waiting) {
      const giveUp = () => {
        reject(signal.reason);
        left -= 1;
        if (left === 0) ended.abort(signal.reason);
      };
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    }
    if (left === 0) return;
    this.#send(address, groupOf(waiting), ended.signal).then(
      (answers) => {
        for (const [at, { resolve, reject }] of waiting.entries()) {
          const answer = answers[at];
          if (answer === undefined) reject(new Error('a question of the group has no answer'));
          else resolve(answer);
        }
      },
      (error: unknown) => {
        for (const { reject } of waiting) reject(error);
      },
    );
  }
}

function groupOf(waiting: readonly Waiting[]): QuestionGroup {
  const requests = new Map<unknown, number>();
  const questions = waiting.map(({ question: { request, ...question } }): GroupedQuestion => {
    if (request === undefined) return question;
    const at = requests.get(request) ?? requests.size;
    requests.set(request, at);
    return { ...question, request: at };
  });
  return { questions, requests: [...requests.keys()] };
}
