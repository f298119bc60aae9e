/**
 * Vectors that look like what models make: many loose clusters, each near a plane of few dimensions in a space of many, and a little noise
 * everywhere. Uniform noise would be easier to make and unlike any data: its points all lie about equally far apart.
 */
import type { Random } from '@sextant/foundation-std';

export type VectorSet = {
  readonly count: number;
  readonly dimension: number;
  /** Row by row. */
  readonly values: Float32Array;
};

const CLUSTERS = 64;
const RANK = 12;
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
  const clusters = Array.from({ length: CLUSTERS }, () => ({ center: gaussians(dimension), basis: gaussians(RANK * dimension) }));
  return (count) => {
    const values = new Float32Array(count * dimension);
    for (let row = 0; row < count; row++) {
      const { center, basis } = clusters[random.integer(CLUSTERS)] ?? { center: gaussians(dimension), basis: gaussians(RANK * dimension) };
      const weights = gaussians(RANK);
      for (let column = 0; column < dimension; column++) {
        let value = (center[column] ?? 0) + NOISE * gaussian();
        for (let axis = 0; axis < RANK; axis++) value += ((weights[axis] ?? 0) * (basis[axis * dimension + column] ?? 0)) / Math.sqrt(RANK);
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
