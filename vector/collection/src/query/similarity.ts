/**
 * Similarity of two stored vectors of one name, larger is nearer: the dot product, or the negated distance, squared for Euclid. In the precision of
 * float64, but for multivectors.
 */
import type { Distance, MultiVector, SparseVector } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { MaxSim, type Metric } from '@sextant/vector-kernel';
import { joined } from '../multi-vectors.ts';

export type DenseValues = ArrayLike<number>;

/** A vector of any kind; those that are compared are of one. */
export type Vector = DenseValues | MultiVector | SparseVector;

export type Similarity = (a: Vector, b: Vector) => number;

/** Cosine compares what is stored normalised. */
export function similarityOf(distance: Distance): Similarity {
  switch (distance) {
    case 'Cosine':
    case 'Dot':
      return (a, b) => sum(denseOf(a), denseOf(b), (x, y) => x * y);
    case 'Euclid':
      return (a, b) => -sum(denseOf(a), denseOf(b), (x, y) => (x - y) ** 2);
    case 'Manhattan':
      return (a, b) => -sum(denseOf(a), denseOf(b), (x, y) => Math.abs(x - y));
  }
}

/** The dot product of sparse vectors; zero where they share no index. Indices ascend. */
export const sparseSimilarity: Similarity = (left, right) => {
  const [a, b] = [sparseOf(left), sparseOf(right)];
  let total = 0;
  for (let mine = 0, theirs = 0; mine < a.indices.length && theirs < b.indices.length; ) {
    const difference = (a.indices[mine] ?? 0) - (b.indices[theirs] ?? 0);
    if (difference === 0) total += (a.values[mine] ?? 0) * (b.values[theirs] ?? 0);
    if (difference <= 0) mine++;
    if (difference >= 0) theirs++;
  }
  return total;
};

/** MaxSim of multivectors: for each vector of the first the similarity to the nearest of the second, all added up. */
export function maxSimilarity(space: { readonly dimension: number; readonly metric: Metric }): Similarity {
  const float32 = (vector: Vector) => joined(multiOf(vector).map((each) => Float32Array.from(each)));
  return (a, b) => -new MaxSim(float32(a), space).distanceTo(float32(b));
}

export function denseOf(vector: Vector): DenseValues {
  assert(isDense(vector), 'vectors of one name are of one kind');
  return vector;
}

export function multiOf(vector: Vector): MultiVector {
  assert(!('indices' in vector) && !isDense(vector), 'vectors of one name are of one kind');
  return vector;
}

function isDense(vector: Vector): vector is DenseValues {
  return !('indices' in vector) && typeof vector[0] !== 'object';
}

export function sparseOf(vector: Vector): SparseVector {
  assert('indices' in vector, 'vectors of one name are of one kind');
  return vector;
}

function sum(a: DenseValues, b: DenseValues, term: (x: number, y: number) => number): number {
  let total = 0;
  for (let index = 0; index < a.length; index++) total += term(a[index] ?? 0, b[index] ?? 0);
  return total;
}
