/**
 * Similarity of two stored vectors of one name, larger is nearer: the dot product, or the negated distance, squared for Euclid. In the precision of
 * float64.
 */
import type { Distance, SparseVector } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';

export type DenseValues = ArrayLike<number>;

/** A vector of any kind; those that are compared are of one. */
export type Vector = DenseValues | SparseVector;

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

export function denseOf(vector: Vector): DenseValues {
  assert(!('indices' in vector), 'vectors of one name are of one kind');
  return vector;
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
