// SPDX-License-Identifier: Apache-2.0
/**
 * Scalar codes: one signed byte for each component of a vector, by which the graph is built and searched. One scale and one offset serve
 * the whole space, so distances between codes are exact integers. For dot products the offset is zero. Vectors of bytes by euclid or
 * manhattan are their own codes. Reduced codes (reduced-codes.ts) and the centroids of product codes (product-codes.ts) are made of these;
 * binary codes (binary-codes.ts) are not.
 */
import { fourComponents } from '../../memory/components';
import { CODE_OFFSET, CODE_SCALE, dimension, isShifted, pointBytes } from '../../memory/layout';

/** Symmetric, so that the negative of every code is a code. */
const CODE_MIN: i8 = -127;

// @ts-ignore: decorator
@inline function encodeFour(components: v128, offset: v128, scale: v128): v128 {
  // Saturates: far values become the farthest codes, "not a number" becomes zero.
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(f32x4.sub(components, offset), scale)));
}

// @ts-ignore: decorator
@inline function narrow(low: v128, high: v128): i64 {
  const words = i16x8.narrow_i32x4_s(low, high);
  return i64x2.extract_lane(i8x16.max_s(i8x16.narrow_i16x8_s(words, words), i8x16.splat(CODE_MIN)), 0);
}

/**
 * Encodes `bytes` components, a multiple of eight, from the `first` on. Beyond the end of a vector all rows have the same bytes, which do
 * not count.
 */
export function encodePart(vector: usize, first: u32, bytes: u32, point: usize): void {
  const offset = f32x4.splat(load<f32>(CODE_OFFSET));
  const scale = f32x4.splat(load<f32>(CODE_SCALE));
  for (const last = point + bytes; point < last; first += 8, point += 8) {
    const low = first < dimension ? encodeFour(fourComponents(vector, first), offset, scale) : i32x4.splat(0);
    const high = first + 4 < dimension ? encodeFour(fourComponents(vector, first + 4), offset, scale) : i32x4.splat(0);
    store<i64>(point, narrow(low, high));
  }
}

/** Writes a vector as one byte for each component. */
export function encodePoint(vector: usize, point: usize): void {
  encodePart(vector, 0, pointBytes, point);
}

/** The code of all components of a vector: shifted bytes are their own, others are written to `target`. */
export function wholeCode(vector: usize, target: usize): usize {
  if (isShifted) return vector;
  encodePoint(vector, target);
  return target;
}
