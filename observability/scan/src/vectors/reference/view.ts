// SPDX-License-Identifier: Apache-2.0
/** A vector as a reference sees it: along the directions in which the vectors of the reference differ most, and how much of it lies beside them. */
import { dot } from './principal-directions.ts';

export type Frame = {
  /** Of the vectors of the reference, each of length one. */
  readonly mean: Float32Array;
  /** Orthonormal, row by row. */
  readonly directions: Float32Array;
};

export type View = {
  readonly coordinates: Float32Array;
  /** Length of what the coordinates leave out. */
  readonly beside: number;
  readonly norm: number;
};

/** The vector is finite and not zero. Its length is looked at apart from its direction. */
export function viewOf({ mean, directions }: Frame, vector: Float32Array): View {
  const dimension = mean.length;
  let square = 0;
  for (const component of vector) square += component * component;
  const norm = Math.sqrt(square);
  const centred = new Float32Array(dimension);
  for (let at = 0; at < dimension; at += 1) centred[at] = (vector[at] ?? 0) / norm - (mean[at] ?? 0);
  const coordinates = new Float32Array(directions.length / dimension);
  for (let axis = 0; axis < coordinates.length; axis += 1) coordinates[axis] = dot(directions, axis * dimension, centred);
  const inside = dot(coordinates, 0, coordinates);
  return { coordinates, beside: Math.sqrt(Math.max(0, dot(centred, 0, centred) - inside)), norm };
}

/** Which share (0 to 1) of what sets the vector apart from the mean lies beside the directions. */
export function besideShare({ coordinates, beside }: View): number {
  const inside = dot(coordinates, 0, coordinates);
  return beside === 0 ? 0 : (beside * beside) / (inside + beside * beside);
}

/** The members of a reference, row by row. */
export type Members = { readonly keys: Float64Array; readonly coordinates: Float32Array; readonly beside: Float32Array };

/** Of one that stands alone, two may be wrong themselves. */
const NEIGHBOUR = 3;
const AXES_AT_ONCE = 8;

/**
 * The distance to the third nearest member, without the point itself. What lies beside the directions is taken to be at right angles to each other, as random
 * directions of a high dimension nearly are.
 */
export function distanceToMembers({ keys, coordinates, beside }: Members, view: View, key: number): number {
  const axes = view.coordinates.length;
  // Squares, the least first.
  const nearest = Array.from({ length: NEIGHBOUR }, () => Number.POSITIVE_INFINITY);
  for (let member = 0; member < keys.length; member += 1) {
    if (keys[member] === key) continue;
    const least = nearest[NEIGHBOUR - 1] ?? 0;
    const own = beside[member] ?? 0;
    let square = own * own;
    // The first directions tell most, so that the others are seldom looked at.
    for (let from = 0; from < axes && square < least; from += AXES_AT_ONCE) {
      const to = Math.min(axes, from + AXES_AT_ONCE);
      for (let axis = from; axis < to; axis += 1) {
        const difference = (coordinates[member * axes + axis] ?? 0) - (view.coordinates[axis] ?? 0);
        square += difference * difference;
      }
    }
    if (square >= least) continue;
    let place = NEIGHBOUR - 1;
    while (place > 0 && (nearest[place - 1] ?? 0) > square) {
      nearest[place] = nearest[place - 1] ?? 0;
      place -= 1;
    }
    nearest[place] = square;
  }
  return Math.sqrt((nearest[NEIGHBOUR - 1] ?? 0) + view.beside * view.beside);
}
