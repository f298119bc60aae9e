// SPDX-License-Identifier: Apache-2.0
/** Writes directions as the kernel stores them (assembly/codes/reduced/projection.ts). For tests. */

/** The largest absolute value of a component. */
export const directionMax = 63;

/**
 * Writes directions in fours: sixteen components of each, then the next sixteen of each. They are stored from 0 on; padding is a stored
 * zero.
 */
export function placeDirections(target: Uint8Array, directions: readonly Int8Array[]): void {
  const stride = target.length / directions.length;
  target.fill(directionMax);
  for (const [i, direction] of directions.entries()) {
    for (const [j, value] of direction.entries()) {
      target[(i & ~3) * stride + (j & ~15) * 4 + (i & 3) * 16 + (j & 15)] = value + directionMax;
    }
  }
}
