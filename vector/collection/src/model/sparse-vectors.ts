// SPDX-License-Identifier: Apache-2.0
/** Sparse vectors on their way between the wire and storage. They are in no space of memory: searches read their lists from storage. */
import type { NamedVectorInput, SparseVector, SparseVectorParams } from '@sextant/contracts-vector';
import type { SparseComponents } from '@sextant/vector-storage';
import type { CollectionConfig } from './collection-config.ts';
import { numbered, placesOf } from './vector-places.ts';

/** One sparse vector of a collection, as a dense one; its number in storage counts apart from those of spaces. */
export type SparseSchema = {
  readonly name: string;
  readonly ordinal: number;
  readonly params: SparseVectorParams;
  readonly since?: number;
};

export function sparseVectorsOf(config: CollectionConfig): readonly SparseSchema[] {
  return numbered(placesOf(config).sparse, Object.entries(config.params.sparse_vectors ?? {}));
}

/** Whether two vectors are of one kind: what may be changed later does not count. */
export function sameSparse(a: SparseVectorParams, b: SparseVectorParams): boolean {
  const kindOf = ({ modifier, index }: SparseVectorParams) => [modifier ?? 'none', index?.datatype ?? 'float32'].join();
  return kindOf(a) === kindOf(b);
}

export function isSparse(vector: NamedVectorInput | { readonly id: unknown }): vector is SparseVector {
  return 'indices' in vector;
}

/** By ascending index, in float32. The schema has seen to it that each index is there once. */
export function storedSparse({ indices, values }: SparseVector): SparseComponents {
  const order = Uint32Array.from(indices.keys()).sort((a, b) => (indices[a] ?? 0) - (indices[b] ?? 0));
  return {
    indices: Uint32Array.from(order, (at) => indices[at] ?? 0),
    values: Float32Array.from(order, (at) => values[at] ?? 0),
  };
}

export function returnedSparse({ indices, values }: SparseComponents): { readonly indices: number[]; readonly values: number[] } {
  return { indices: Array.from(indices), values: Array.from(values) };
}
