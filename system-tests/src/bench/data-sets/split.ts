// SPDX-License-Identifier: Apache-2.0
/** Which of a set's vectors are points and which are queries. */
import type { Random } from '@sextant/foundation-std';
import type { VectorSet } from '../../data/low-rank-mixture.ts';

/** Draws `queries` of the vectors, which are then no points, and puts the others in an order by chance, so that any first part is a fair sample. */
export function holdOut(set: VectorSet, queries: number, random: Random): { readonly points: VectorSet; readonly queries: VectorSet } {
  const order = Uint32Array.from({ length: set.count }, (_, row) => row);
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return { points: rowsOf(set, order.subarray(queries)), queries: rowsOf(set, order.subarray(0, queries)) };
}

/** Each vector over its length, as Cosine wants it; a vector of zeros stays. */
export function normalised({ count, dimension, values }: VectorSet): VectorSet {
  const unit = values.slice();
  for (let row = 0; row < count; row++) {
    const vector = unit.subarray(row * dimension, (row + 1) * dimension);
    const length = Math.hypot(...vector);
    if (length > 0) for (const [column, value] of vector.entries()) vector[column] = value / length;
  }
  return { count, dimension, values: unit };
}

function rowsOf({ dimension, values }: VectorSet, rows: Uint32Array): VectorSet {
  const chosen = new Float32Array(rows.length * dimension);
  for (const [at, row] of rows.entries()) chosen.set(values.subarray(row * dimension, (row + 1) * dimension), at * dimension);
  return { count: rows.length, dimension, values: chosen };
}
