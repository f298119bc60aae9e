/** How the kernel keeps directions (assembly/codes/reduced/projection.ts). For tests. */

/** Components reach this far to either side. */
export const directionMax = 63;

/** Writes directions in fours: sixteen components of each, then the next sixteen of each. They are stored from 0 on; behind the last component stands what a zero becomes. */
export function placeDirections(target: Uint8Array, directions: readonly Int8Array[]): void {
  const stride = target.length / directions.length;
  target.fill(directionMax);
  for (const [i, direction] of directions.entries()) {
    for (const [j, value] of direction.entries()) {
      target[(i & ~3) * stride + (j & ~15) * 4 + (i & 3) * 16 + (j & 15)] = value + directionMax;
    }
  }
}
