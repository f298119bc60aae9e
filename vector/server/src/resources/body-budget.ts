// SPDX-License-Identifier: Apache-2.0
/**
 * A bound on the bytes of request bodies that all serving threads hold at a time, so that many large uploads cannot fill the
 * memory. A body counts from before its first byte is read until its answer is sent.
 */
import { ServiceError } from '@sextant/contracts-vector';

const BYTES_HELD = 0;
/** Bodies up to this size are not counted: the sockets that the system allows bound them well enough. */
export const FREE_BODY_BYTES = 64 * 1024;
/** Large bodies are answered within about this time. */
const RETRY_AFTER_SECONDS = 1;

export class BodyBudget {
  readonly #held: BigInt64Array;
  readonly #bytesMax: number;

  /** @param shared one counter for all threads; see `allocate` */
  constructor(shared: SharedArrayBuffer, bytesMax: number) {
    this.#held = new BigInt64Array(shared);
    this.#bytesMax = bytesMax;
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  }

  get bytesHeld(): number {
    return Number(Atomics.load(this.#held, BYTES_HELD));
  }

  /** Takes room for a body, and returns how to release it; throws `overloaded` when there is none. */
  take(bytes: number): () => void {
    if (bytes <= FREE_BODY_BYTES) return () => undefined;
    const before = Number(Atomics.add(this.#held, BYTES_HELD, BigInt(bytes)));
    const release = () => void Atomics.sub(this.#held, BYTES_HELD, BigInt(bytes));
    // A body on its own is always let in: its size is bounded by the body limit.
    if (before > 0 && before + bytes > this.#bytesMax) {
      release();
      throw new ServiceError('overloaded', { seconds: RETRY_AFTER_SECONDS });
    }
    return release;
  }
}
