// SPDX-License-Identifier: Apache-2.0
/**
 * How nodes of a cluster know each other: a question carries the time and an HMAC-SHA256 of it and of its bytes under the secret that all nodes share, and an
 * answer one of the question's and of its own bytes. Neither shows the secret, and neither can be made up or changed on the way. A question that was heard can
 * be asked again for a minute; it is a read, and its answer goes to who asks.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Clocks of nodes may differ by so much. */
const VALID_MS = 60_000;

export class Seal {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  question(body: Uint8Array, nowMs: number): string {
    return `${nowMs}.${this.#of('question', String(nowMs), body)}`;
  }

  /** Whether a question is one of this cluster's, and of now. */
  allows(seal: string, body: Uint8Array, nowMs: number): boolean {
    const [time = '', code = ''] = seal.split('.');
    if (!/^\d{1,16}$/.test(time) || Math.abs(Number(time) - nowMs) > VALID_MS) return false;
    return isEqual(code, this.#of('question', time, body));
  }

  /** @param question its seal */
  answer(body: Uint8Array, question: string): string {
    return this.#of('answer', question, body);
  }

  isAnswer(seal: string, body: Uint8Array, question: string): boolean {
    return isEqual(seal, this.answer(body, question));
  }

  #of(kind: 'question' | 'answer', context: string, body: Uint8Array): string {
    return createHmac('sha256', this.#secret).update(`${kind} ${context}\n`).update(body).digest('hex');
  }
}

function isEqual(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected));
}
