// SPDX-License-Identifier: Apache-2.0
/**
 * Similarity of two stored vectors of one name, larger is nearer: the dot product, the cosine, or the negated distance, squared for Euclid. In the
 * precision of float64, but for multivectors.
 */
import type { MultiVector, SparseVector } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { MaxSim, type Metric } from '@sextant/vector-kernel';
import { joined } from '../model/multi-vectors.ts';

export type DenseValues = ArrayLike<number>;

/** A vector of any kind; those that are compared are of one. */
export type Vector = DenseValues | MultiVector | SparseVector;

export type Similarity = (a: Vector, b: Vector) => number;

/** By the kernel's metric: `dot` is the cosine of what is stored normalised, `cosine` that of what is not. */
export function similarityOf(metric: Metric): Similarity {
  switch (metric) {
    case 'cosine':
      return (a, b) => cosine(denseOf(a), denseOf(b));
    case 'dot':
      return (a, b) => sum(denseOf(a), denseOf(b), (x, y) => x * y);
    case 'euclid':
      return (a, b) => -sum(denseOf(a), denseOf(b), (x, y) => (x - y) ** 2);
    case 'manhattan':
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

/** A vector of zeros is equally far from all, as for the kernel. */
function cosine(a: DenseValues, b: DenseValues): number {
  let [product, aSquares, bSquares] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    const [x, y] = [a[index] ?? 0, b[index] ?? 0];
    product += x * y;
    aSquares += x * x;
    bSquares += y * y;
  }
  const squares = aSquares * bSquares;
  return squares === 0 ? 0 : product / Math.sqrt(squares);
}

function sum(a: DenseValues, b: DenseValues, term: (x: number, y: number) => number): number {
  let total = 0;
  for (let index = 0; index < a.length; index++) total += term(a[index] ?? 0, b[index] ?? 0);
  return total;
}
