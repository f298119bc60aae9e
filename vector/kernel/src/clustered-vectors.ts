// SPDX-License-Identifier: Apache-2.0
import { type Random, seededRandom } from '@sextant/foundation-std';

/** Normalised vectors in Gaussian clusters, which resemble real embeddings more than uniform noise does. For tests and benches. */
export function clusteredVectors(options: { count: number; dimension: number; clusters: number; seed: number }): Float32Array[] {
  const { count, dimension, clusters, seed } = options;
  const random = seededRandom(seed);
  const gaussian = gaussianOf(random);
  const centres = Array.from({ length: clusters }, () => Float32Array.from({ length: dimension }, gaussian));
  return Array.from({ length: count }, () => {
    const centre = centres[random.integer(clusters)] ?? new Float32Array(dimension);
    const vector = centre.slice();
    for (let at = 0; at < dimension; at++) vector[at] = (vector[at] ?? 0) + gaussian() * 0.7;
    return normalised(vector);
  });
}

function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}

/** Clustered vectors, not normalised, that span `rank` directions, with a little noise in all of them. */
export function lowRankVectors(options: {
  count: number;
  dimension: number;
  rank: number;
  clusters: number;
  seed: number;
}): Float32Array[] {
  const { count, dimension, rank, clusters, seed } = options;
  const random = seededRandom(seed + 1);
  const gaussian = gaussianOf(random);
  const directions = Array.from({ length: rank }, () => Float32Array.from({ length: dimension }, gaussian));
  return clusteredVectors({ count, dimension: rank, clusters, seed }).map((latent) => {
    // Evenly spread: of the noise only its size matters.
    const vector = new Float32Array(dimension);
    for (let at = 0; at < dimension; at++) vector[at] = (random.next() - 0.5) * 0.07 + 0.5;
    for (let i = 0; i < rank; i += STEP) addTimes(vector, directions, latent, i);
    return vector;
  });
}

/** Directions that are added at a time. */
const STEP = 4;

/** Most of what a test of wide vectors takes, so without a call or a rounding to float32 for each component of each direction. */
function addTimes(sum: Float32Array, directions: readonly Float32Array[], times: Float32Array, first: number): void {
  const none = new Float32Array(sum.length);
  const [a = none, b = none, c = none, d = none] = directions.slice(first, first + STEP);
  const [ofA = 0, ofB = 0, ofC = 0, ofD = 0] = times.subarray(first, first + STEP);
  for (let at = 0; at < sum.length; at++)
    sum[at] = (sum[at] ?? 0) + ofA * (a[at] ?? 0) + ofB * (b[at] ?? 0) + ofC * (c[at] ?? 0) + ofD * (d[at] ?? 0);
}

/** The same vectors as bytes around 128, with so many steps for one. */
export function asBytes(vectors: readonly Float32Array[], steps: number): Uint8Array[] {
  return vectors.map((vector) => Uint8Array.from(vector, (value) => Math.max(0, Math.min(255, 128 + Math.round(value * steps)))));
}

/** Box and Muller, A note on the generation of random normal deviates, 1958. */
function gaussianOf(random: Random): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
