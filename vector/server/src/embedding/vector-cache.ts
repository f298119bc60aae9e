// SPDX-License-Identifier: Apache-2.0
/** Vectors of the texts that were asked for last, by a hash of model, options and text; as many as fit into a number of bytes. */
import { createHash } from 'node:crypto';

/** Of an entry, beside its vector: the key, and what the map and its objects take. */
const ENTRY_BYTES = 200;

export class VectorCache {
  readonly #bytesMax: number;
  /** In the order in which they were used, the longest unused first. */
  readonly #vectors = new Map<string, Float32Array>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Float32Array | undefined {
    const vector = this.#vectors.get(key);
    if (vector === undefined) return undefined;
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    return vector;
  }

  put(key: string, vector: Float32Array): void {
    this.#remove(key);
    this.#vectors.set(key, vector);
    this.#bytes += sizeOf(vector);
    for (const oldest of this.#vectors.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const vector = this.#vectors.get(key);
    if (vector === undefined) return;
    this.#vectors.delete(key);
    this.#bytes -= sizeOf(vector);
  }
}

/** Of 256 bits, so that two texts never share one. */
export function cacheKey(model: string, dimensions: number | undefined, text: string): string {
  return createHash('sha256')
    .update(`${model}\0${dimensions ?? ''}\0`)
    .update(text)
    .digest('base64');
}

function sizeOf(vector: Float32Array): number {
  return vector.byteLength + ENTRY_BYTES;
}
