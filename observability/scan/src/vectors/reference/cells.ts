// SPDX-License-Identifier: Apache-2.0
/** A fixed division of the space into cells around the means of k clusters, and how many of the vectors lie in each. */
import { CentroidSums, nearestCentroid, seededRandom } from '@sextant/foundation-std';
import type { Turn } from './turns.ts';

export const CELLS_MAX = 128;
/** A cell of fewer says nothing of its share. */
const POINTS_PER_CELL = 20;
const ROUNDS = 8;
const SEED = 2;

/** Row by row, of the dimension of the vectors; begun as k-means++ does (Arthur and Vassilvitskii, SODA 2007), so that small clusters have a cell of their own. */
export async function cellCenters(vectors: readonly Float32Array[], turn: Turn): Promise<Float32Array> {
  const dimension = vectors[0]?.length ?? 0;
  const count = Math.max(1, Math.min(CELLS_MAX, Math.floor(vectors.length / POINTS_PER_CELL)));
  const random = seededRandom(SEED);
  let centers = new Float32Array(count * dimension);
  const nearest = new Float64Array(vectors.length).fill(Number.POSITIVE_INFINITY);
  for (let cell = 0; cell < count; cell += 1) {
    const chosen = vectors[cell === 0 ? 0 : drawn(nearest, random.next())];
    if (chosen !== undefined) centers.set(chosen, cell * dimension);
    await turn(vectors.length * dimension);
    for (const [index, vector] of vectors.entries())
      nearest[index] = Math.min(nearest[index] ?? 0, squaredDistance(centers, cell * dimension, vector));
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const sums = new CentroidSums(count, dimension);
    for (const vector of vectors) {
      await turn(centers.length);
      sums.add(nearestCentroid(centers, vector, 0, dimension), vector);
    }
    centers = Float32Array.from(sums.means(centers));
  }
  return centers;
}

/** An index, as often as its weight says. */
function drawn(weights: Float64Array, share: number): number {
  let rest = share * weights.reduce((sum, weight) => sum + weight, 0);
  return Math.max(
    0,
    weights.findIndex((weight) => {
      rest -= weight;
      return rest < 0;
    }),
  );
}

/** Of the row of `matrix` that begins at `start`. */
function squaredDistance(matrix: Float32Array, start: number, vector: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) {
    const difference = (matrix[start + at] ?? 0) - (vector[at] ?? 0);
    sum += difference * difference;
  }
  return sum;
}

/** The shares (0 to 1) of the cells. */
export function sharesOf(cells: readonly number[], count: number): readonly number[] {
  const counts = Array.from({ length: count }, () => 0);
  for (const cell of cells) counts[cell] = (counts[cell] ?? 0) + 1;
  return counts.map((number) => (cells.length === 0 ? 0 : number / cells.length));
}

/** Of a cell, so that it is not empty by chance: of 3,000 such cells one is. */
const EMPTIED_POINTS_MIN = 8;
const LEFT_MAX = 0.1;

/**
 * The share that cells had together of which at most a tenth is left. Several cells share a topic where k-means divides it; the fall of each alone is then no more
 * than chance, and that they are empty at once is not.
 * @param points of the later sample
 */
export function emptiedShare(before: readonly number[], now: readonly number[], points: number): number {
  return before.reduce((sum, share, cell) => {
    const left = now[cell] ?? 0;
    return share * points < EMPTIED_POINTS_MIN || left > LEFT_MAX * share ? sum : sum + share - left;
  }, 0);
}
