// SPDX-License-Identifier: Apache-2.0
/**
 * k-means by Lloyd's iteration (S. Lloyd, Least squares quantization in PCM, 1982). A round assigns each point to a centroid, which the caller may do
 * exhaustively (`nearestCentroid`) or by an index over the centroids, and then moves each centroid to the mean of its points (`CentroidSums`).
 */

/** What was assigned to each centroid in one round. */
export class CentroidSums {
  /** Points of each centroid. */
  readonly counts: Uint32Array;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  readonly #dimension: number;

  constructor(centroids: number, dimension: number) {
    this.counts = new Uint32Array(centroids);
    this.#sums = new Float64Array(centroids * dimension);
    this.#squares = new Float64Array(centroids);
    this.#dimension = dimension;
  }

  /** Assigns the point that begins at `start` of the values. */
  add(centroid: number, values: Float32Array, start = 0): void {
    const sums = this.#sums;
    const dimension = this.#dimension;
    const first = centroid * dimension;
    let square = 0;
    for (let i = 0; i < dimension; i++) {
      const value = values[start + i] ?? 0;
      sums[first + i] = (sums[first + i] ?? 0) + value;
      square += value * value;
    }
    this.counts[centroid] = (this.counts[centroid] ?? 0) + 1;
    this.#squares[centroid] = (this.#squares[centroid] ?? 0) + square;
  }

  /** The mean of each centroid's points; a centroid without points stays where it was. */
  means(former: Float32Array): Float32Array {
    return former.map((value, at) => {
      const count = this.counts[Math.floor(at / this.#dimension)] ?? 0;
      return count === 0 ? value : (this.#sums[at] ?? 0) / count;
    });
  }

  /** The standard deviation of each centroid's points from their mean, along one direction. */
  spreads(means: Float32Array): Float32Array {
    return Float32Array.from(this.counts, (count, centroid) => {
      let square = 0;
      for (const value of means.subarray(centroid * this.#dimension, (centroid + 1) * this.#dimension)) square += value * value;
      return count === 0 ? 0 : Math.sqrt(Math.max(0, (this.#squares[centroid] ?? 0) / count - square) / this.#dimension);
    });
  }
}

/** The centroid nearest to the point that begins at `start` of the values; the first among equals. */
export function nearestCentroid(centroids: Float32Array, values: Float32Array, start: number, dimension: number): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let centroid = 0; centroid * dimension < centroids.length; centroid++) {
    let sum = 0;
    for (let i = 0; i < dimension; i++) {
      const difference = (values[start + i] ?? 0) - (centroids[centroid * dimension + i] ?? 0);
      sum += difference * difference;
    }
    if (sum < least) {
      least = sum;
      nearest = centroid;
    }
  }
  return nearest;
}

export type SortedByCentroid = {
  /** Indexes of the points, by centroid and then ascending. */
  readonly order: Uint32Array;
  /** Where the points of each centroid begin; one more, where the last end. */
  readonly starts: Uint32Array;
};

/** Sorts points by their centroid. A point whose centroid is `centroids` or more is left out. */
export function sortByCentroid(centroidOf: ArrayLike<number>, centroids: number): SortedByCentroid {
  const starts = new Uint32Array(centroids + 1);
  for (let index = 0; index < centroidOf.length; index++) {
    const centroid = centroidOf[index] ?? centroids;
    if (centroid < centroids) starts[centroid + 1] = (starts[centroid + 1] ?? 0) + 1;
  }
  for (let centroid = 0; centroid < centroids; centroid++) starts[centroid + 1] = (starts[centroid + 1] ?? 0) + (starts[centroid] ?? 0);
  const order = new Uint32Array(starts[centroids] ?? 0);
  const next = starts.slice();
  for (let index = 0; index < centroidOf.length; index++) {
    const centroid = centroidOf[index] ?? centroids;
    if (centroid >= centroids) continue;
    const at = next[centroid] ?? 0;
    order[at] = index;
    next[centroid] = at + 1;
  }
  return { order, starts };
}
