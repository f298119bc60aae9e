// SPDX-License-Identifier: Apache-2.0
/**
 * The directions in which vectors differ most, by subspace iteration from a random start: Halko, Martinsson, Tropp, "Finding Structure with Randomness",
 * SIAM Review 53(2), 2011, algorithm 4.4. Few rounds suffice, since any basis of nearly that space serves.
 */
import { seededRandom } from '@sextant/foundation-std';
import type { Turn } from './turns.ts';

const ROUNDS = 4;
const SEED = 1;

/** Orthonormal, row by row; `rows` are centred, and at least as many as the directions. */
export async function principalDirections(rows: readonly Float32Array[], count: number, turn: Turn): Promise<Float32Array> {
  const dimension = rows[0]?.length ?? 0;
  const random = seededRandom(SEED);
  let basis = orthonormal(
    Float32Array.from({ length: count * dimension }, () => random.next() - 0.5),
    dimension,
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float32Array(basis.length);
    for (const row of rows) {
      await turn(2 * basis.length);
      for (let start = 0; start < basis.length; start += dimension) {
        const weight = dot(basis, start, row);
        for (let at = 0; at < dimension; at += 1) next[start + at] = (next[start + at] ?? 0) + weight * (row[at] ?? 0);
      }
    }
    await turn(count * basis.length);
    basis = orthonormal(next, dimension);
  }
  return basis;
}

/** Of the row of `matrix` that begins at `start`. */
export function dot(matrix: Float32Array, start: number, vector: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += (matrix[start + at] ?? 0) * (vector[at] ?? 0);
  return sum;
}

/** By Gram and Schmidt, twice over for the rounding. A row that the others span becomes zero. */
function orthonormal(rows: Float32Array, dimension: number): Float32Array {
  for (let start = 0; start < rows.length; start += dimension) {
    const row = rows.subarray(start, start + dimension);
    const lengthBefore = Math.sqrt(dot(row, 0, row));
    for (let pass = 0; pass < 2; pass += 1) {
      for (let other = 0; other < start; other += dimension) {
        const share = dot(rows, other, row);
        for (let at = 0; at < dimension; at += 1) row[at] = (row[at] ?? 0) - share * (rows[other + at] ?? 0);
      }
    }
    const length = Math.sqrt(dot(row, 0, row));
    const isSpanned = length <= 1e-6 * lengthBefore;
    for (let at = 0; at < dimension; at += 1) row[at] = isSpanned ? 0 : (row[at] ?? 0) / length;
  }
  return rows;
}
