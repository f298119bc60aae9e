// SPDX-License-Identifier: Apache-2.0
/**
 * Multivectors on their way between the wire and storage: several dense vectors of one size for each point, compared by MaxSim. A point's are stored as one
 * array, one vector after the other. They are in no space of memory: searches read them from storage.
 */
import type { MultiVector, NamedVectorInput, VectorParams } from '@sextant/contracts-vector';
import type { Components } from '@sextant/vector-kernel';

export function isMultiParams({ multivector_config: config }: VectorParams): boolean {
  return config != null;
}

export function isMulti(vector: NamedVectorInput | { readonly id: unknown }): vector is MultiVector {
  return Array.isArray(vector) && typeof vector[0] === 'object';
}

/** @param vectors each as it would be stored alone, at least one */
export function joined(vectors: readonly Components[]): Components {
  const [first] = vectors;
  if (first === undefined) return new Float32Array(0);
  const all = first instanceof Float32Array ? Float32Array : first instanceof Float16Array ? Float16Array : Uint8Array;
  const whole = new all(vectors.length * first.length);
  for (const [index, vector] of vectors.entries()) whole.set(vector, index * first.length);
  return whole;
}

/** The vectors of a point one by one, as they are returned. */
export function returnedMulti({ size }: VectorParams, vectors: Components): readonly (readonly number[])[] {
  return Array.from({ length: vectors.length / size }, (_, index) => Array.from(vectors.subarray(index * size, (index + 1) * size)));
}
