// SPDX-License-Identifier: Apache-2.0
/**
 * Finds the nearest of the 256 centroids of a sub-vector, by the squared distance of their bytes. Four centroids are compared at a time;
 * the width of a sub-vector decides how they fill the lanes.
 */

export const CENTROIDS: u32 = 256;

/** Squared distance of the centroid that was found last. */
export let nearestSquare: i32 = 0;

// @ts-ignore: decorator
@inline function square(difference: v128): v128 { return i32x4.dot_i16x8_s(difference, difference); }

/** Four sums from four vectors of partial sums. */
// @ts-ignore: decorator
@inline function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

// @ts-ignore: decorator
@inline function squareOfSixteen(low: v128, high: v128, at: usize): v128 {
  return i32x4.add(square(i16x8.sub(low, v128.load_ext<i8>(at))), square(i16x8.sub(high, v128.load_ext<i8>(at, 8))));
}

/** Squared distances of four consecutive centroids. `low` and `high` hold the sub-vector, as often as it fits. */
// @ts-ignore: decorator
@inline function squaresOfFour(width: u32, low: v128, high: v128, at: usize): v128 {
  if (width == 16) {
    return sums(
      squareOfSixteen(low, high, at), squareOfSixteen(low, high, at + 16),
      squareOfSixteen(low, high, at + 32), squareOfSixteen(low, high, at + 48),
    );
  }
  if (width == 8) {
    return sums(
      square(i16x8.sub(low, v128.load_ext<i8>(at))), square(i16x8.sub(low, v128.load_ext<i8>(at, 8))),
      square(i16x8.sub(low, v128.load_ext<i8>(at, 16))), square(i16x8.sub(low, v128.load_ext<i8>(at, 24))),
    );
  }
  if (width == 4) {
    const ab = square(i16x8.sub(low, v128.load_ext<i8>(at)));
    const cd = square(i16x8.sub(low, v128.load_ext<i8>(at, 8)));
    return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 2, 4, 6), v128.shuffle<i32>(ab, cd, 1, 3, 5, 7));
  }
  if (width == 2) return square(i16x8.sub(low, v128.load_ext<i8>(at)));
  const difference = i16x8.sub(low, i16x8.extend_low_i8x16_s(v128.load_zero<u32>(at)));
  return i32x4.extmul_low_i16x8_s(difference, difference);
}

// @ts-ignore: decorator
@inline function nearestOf(width: u32, low: v128, high: v128, codebook: usize): u32 {
  let best = i32x4.splat(i32.MAX_VALUE);
  let bestIndex = i32x4.splat(0);
  let index = i32x4(0, 1, 2, 3);
  for (const end = codebook + CENTROIDS * width; codebook < end; codebook += width << 2) {
    const squares = squaresOfFour(width, low, high, codebook);
    const isNearer = i32x4.lt_s(squares, best);
    best = i32x4.min_s(best, squares);
    bestIndex = v128.bitselect(index, bestIndex, isNearer);
    index = i32x4.add(index, i32x4.splat(4));
  }
  // Among equals the lower index, whichever lane it is in.
  let key = laneKey(i32x4.extract_lane(best, 0), i32x4.extract_lane(bestIndex, 0));
  key = min(key, laneKey(i32x4.extract_lane(best, 1), i32x4.extract_lane(bestIndex, 1)));
  key = min(key, laneKey(i32x4.extract_lane(best, 2), i32x4.extract_lane(bestIndex, 2)));
  key = min(key, laneKey(i32x4.extract_lane(best, 3), i32x4.extract_lane(bestIndex, 3)));
  nearestSquare = <i32>(key >> 8);
  return <u32>key & 0xff;
}

// @ts-ignore: decorator
@inline function laneKey(square: i32, index: i32): u64 { return (<u64>square << 8) | <u64>index; }

/** Index of the centroid nearest to a sub-vector of `width` bytes (1, 2, 4, 8 or 16); the lowest among equals. */
export function nearestCentroid(width: u32, point: usize, codebook: usize): u32 {
  if (width == 16) return nearestOf(16, v128.load_ext<i8>(point), v128.load_ext<i8>(point, 8), codebook);
  if (width == 8) return nearestOf(8, v128.load_ext<i8>(point), i16x8.splat(0), codebook);
  if (width == 4) return nearestOf(4, i16x8.extend_low_i8x16_s(v128.load_splat<u32>(point)), i16x8.splat(0), codebook);
  if (width == 2) return nearestOf(2, i16x8.extend_low_i8x16_s(v128.load_splat<u16>(point)), i16x8.splat(0), codebook);
  return nearestOf(1, i16x8.splat(load<i8>(point)), i16x8.splat(0), codebook);
}
