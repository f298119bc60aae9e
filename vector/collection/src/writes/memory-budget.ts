// SPDX-License-Identifier: Apache-2.0
import type { DenseVector, NamedVectorInput, VectorInput } from '@sextant/contracts-vector';

/**
 * How much memory the vectors, codes and graphs of all collections may take together. It bounds what is written: what was accepted once is
 * always loaded, also under a lower limit.
 */
export class MemoryBudget {
  /** In bytes; `Infinity` leaves it to the system. */
  readonly limit: number;
  readonly #used: () => number;

  constructor({ limit, used }: { readonly limit: number; readonly used: () => number }) {
    this.limit = limit;
    this.#used = used;
  }

  /** Whether so many bytes may be taken beyond what is taken. */
  allows(bytes: number): boolean {
    return this.#used() + bytes <= this.limit;
  }
}

/** About what the vectors of points take in memory, which is what decides where a limit is near. */
export function vectorBytesOf(points: readonly { readonly vector: VectorInput }[]): number {
  return points.reduce((sum, { vector }) => sum + componentsOf(vector) * Float32Array.BYTES_PER_ELEMENT, 0);
}

function componentsOf(vector: VectorInput | NamedVectorInput): number {
  if (vector instanceof Float32Array) return vector.length;
  if (Array.isArray(vector)) return typeof vector[0] === 'number' ? vector.length : sumOf(vector as readonly DenseVector[]);
  // Sparse vectors are not in memory.
  return 'indices' in vector ? 0 : sumOf(Object.values(vector) as readonly NamedVectorInput[]);
}

function sumOf(vectors: readonly NamedVectorInput[]): number {
  return vectors.reduce((sum, vector) => sum + componentsOf(vector), 0);
}
