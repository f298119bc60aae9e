// SPDX-License-Identifier: Apache-2.0
/**
 * How nodes of a cluster know each other: a question carries the time, the length and the SHA-256 of its bytes, and an HMAC-SHA256 of these under the secret
 * that all nodes share, so that a node reads no byte of a question that is not its cluster's. An answer carries the same of its own bytes and of the question's seal, so
 * that nothing of another one is read.
 * Neither shows the secret, and neither can be made up or changed on the way. A question that was heard can be asked again for a minute; it changes no
 * more than how long a copy is kept, and its answer goes to who asks.
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
    const stated = `${nowMs}.${statedOf(body)}`;
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
    const stated = statedOf(body);
    return `${stated}.${this.#of('answer', `${question}.${stated}`)}`;
  }

  /** What an answer of this cluster to a question says of its bytes; undefined for every other. */
  admitsAnswer(seal: string, question: string): StatedBody | undefined {
    const [, stated, bytes, digest = '', code = ''] = /^((\d{1,16})\.([0-9a-f]{64}))\.([0-9a-f]{64})$/.exec(seal) ?? [];
    if (stated === undefined) return undefined;
    return isEqual(code, this.#of('answer', `${question}.${stated}`)) ? { bytes: Number(bytes), digest } : undefined;
  }

  #of(kind: 'question' | 'answer', stated: string): string {
    return createHmac('sha256', this.#secret).update(`${kind} ${stated}`).digest('hex');
  }
}

function statedOf(body: Uint8Array): string {
  return `${body.length}.${digestOf(body)}`;
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
