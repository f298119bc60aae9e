// SPDX-License-Identifier: Apache-2.0
/**
 * Vectors that look like what models make: they use few of their many directions, they crowd in overlapping clusters, and there is a little
 * noise everywhere. Uniform noise would be easier to make and unlike any data, since its points all lie about equally far apart.
 */
import type { Random } from '@sextant/foundation-std';

export type VectorSet = {
  readonly count: number;
  readonly dimension: number;
  /** Row by row. */
  readonly values: Float32Array;
};

export const CLUSTERS = 32;
/** Directions that carry the data, of the many that there are. */
export const RANK = 24;
/** Of a cluster's centre, in units of the spread inside a cluster. */
const CENTER_SCALE = 1;
const NOISE = 0.05;

/** Draws sets from one mixture, so that queries come from where the points come from. */
export function lowRankMixture({
  dimension,
  random,
}: {
  readonly dimension: number;
  readonly random: Random;
}): (count: number) => VectorSet {
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const gaussians = (length: number) => Float32Array.from({ length }, gaussian);
  const centers = Array.from({ length: CLUSTERS }, () => gaussians(RANK));
  const basis = gaussians(RANK * dimension);
  return (count) => {
    const values = new Float32Array(count * dimension);
    for (let row = 0; row < count; row++) {
      const center = centers[random.integer(CLUSTERS)];
      const latent = Float32Array.from({ length: RANK }, (_, axis) => CENTER_SCALE * (center?.[axis] ?? 0) + gaussian());
      for (let column = 0; column < dimension; column++) {
        let value = NOISE * gaussian();
        for (let axis = 0; axis < RANK; axis++) value += ((latent[axis] ?? 0) * (basis[axis * dimension + column] ?? 0)) / Math.sqrt(RANK);
        values[row * dimension + column] = rounded(value);
      }
    }
    return { count, dimension, values };
  };
}

/** Row `index` as a plain array of the same short decimals, as a client would send it. */
export function rowOf({ dimension, values }: VectorSet, index: number): number[] {
  return Array.from(values.subarray(index * dimension, (index + 1) * dimension), rounded);
}

/** Four decimals: what a request then carries is what every reader of the set computes with. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
