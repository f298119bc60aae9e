/** Similarity of two stored vectors, larger is nearer: the dot product, or the negated distance, squared for Euclid. In the precision of float64. */
import type { Distance } from '@sextant/contracts-vector';

export type Vector = ArrayLike<number>;

export type Similarity = (a: Vector, b: Vector) => number;

/** Cosine compares what is stored normalised. */
export function similarityOf(distance: Distance): Similarity {
  switch (distance) {
    case 'Cosine':
    case 'Dot':
      return (a, b) => sum(a, b, (x, y) => x * y);
    case 'Euclid':
      return (a, b) => -sum(a, b, (x, y) => (x - y) ** 2);
    case 'Manhattan':
      return (a, b) => -sum(a, b, (x, y) => Math.abs(x - y));
  }
}

function sum(a: Vector, b: Vector, term: (x: number, y: number) => number): number {
  let total = 0;
  for (let index = 0; index < a.length; index++) total += term(a[index] ?? 0, b[index] ?? 0);
  return total;
}
