// SPDX-License-Identifier: Apache-2.0
/**
 * How nodes of a cluster know each other: a question carries the time, the length and the SHA-256 of its bytes, and an HMAC-SHA256 of these under the secret
 * that all nodes share, so that a node reads no byte of a question that is not its cluster's. An answer carries one of the question's seal and of its own bytes.
 * Neither shows the secret, and neither can be made up or changed on the way. A question that was heard can be asked again for a minute; it is a read, and its
 * answer goes to who asks.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Clocks of nodes may differ by so much. */
const VALID_MS = 60_000;

/** The length of a question, and the SHA-256 of it in hexadecimal digits. */
export type StatedBody = { readonly bytes: number; readonly digest: string };

export class Seal {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  question(body: Uint8Array, nowMs: number): string {
    const stated = `${nowMs}.${body.length}.${digestOf(body)}`;
    return `${stated}.${this.#of('question', stated)}`;
  }

  /** What a question of this cluster, and of now, says of its bytes; undefined for every other. */
  admits(seal: string, nowMs: number): StatedBody | undefined {
    const [, stated, time, bytes, digest = '', code = ''] = /^((\d{1,16})\.(\d{1,16})\.([0-9a-f]{64}))\.([0-9a-f]{64})$/.exec(seal) ?? [];
    if (stated === undefined || Math.abs(Number(time) - nowMs) > VALID_MS) return undefined;
    return isEqual(code, this.#of('question', stated)) ? { bytes: Number(bytes), digest } : undefined;
  }

  /** @param question its seal */
  answer(body: Uint8Array, question: string): string {
    return this.#of('answer', `${question}.${digestOf(body)}`);
  }

  isAnswer(seal: string, body: Uint8Array, question: string): boolean {
    return isEqual(seal, this.answer(body, question));
  }

  #of(kind: 'question' | 'answer', stated: string): string {
    return createHmac('sha256', this.#secret).update(`${kind} ${stated}`).digest('hex');
  }
}

export function isStatedBody(body: Uint8Array, { bytes, digest }: StatedBody): boolean {
  return body.length === bytes && digestOf(body) === digest;
}

function digestOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

function isEqual(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected));
}
