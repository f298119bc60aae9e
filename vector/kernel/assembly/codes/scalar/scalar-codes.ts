/**
 * Codes: one signed byte for each component of a vector, which the graph is walked and built on. One scale and one offset serve the whole
 * space, so distances between codes are integers, and exact. Dot products keep zero where it is; the others may move it.
 * Of these reduced codes are made, where few directions say enough: see reduced-codes.ts. Vectors of bytes by euclid or manhattan are such codes themselves.
 * Where several components share a byte, these bytes are what centroids are made of: see product-codes.ts. Codes of bits are made in another way: see
 * binary-codes.ts.
 */
import { fourComponents } from '../../memory/components';
import { CODE_OFFSET, CODE_SCALE, dimension, isShifted, pointBytes } from '../../memory/layout';

/** As far from zero as the largest code, so that every code's negative is a code. */
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

/** `bytes` components, a multiple of eight, from the `first` on. Beyond a vector's end each row has the same, which counts for nothing. */
export function encodePart(vector: usize, first: u32, bytes: u32, point: usize): void {
  const offset = f32x4.splat(load<f32>(CODE_OFFSET));
  const scale = f32x4.splat(load<f32>(CODE_SCALE));
  for (const last = point + bytes; point < last; first += 8, point += 8) {
    const low = first < dimension ? encodeFour(fourComponents(vector, first), offset, scale) : i32x4.splat(0);
    const high = first + 4 < dimension ? encodeFour(fourComponents(vector, first + 4), offset, scale) : i32x4.splat(0);
    store<i64>(point, narrow(low, high));
  }
}

/** A vector as codes are compared with it: one byte for each component. */
export function encodePoint(vector: usize, point: usize): void {
  encodePart(vector, 0, pointBytes, point);
}

/** The code of all components that a vector has: shifted bytes are theirs, of others it is written to `target`. */
export function wholeCode(vector: usize, target: usize): usize {
  if (isShifted) return vector;
  encodePoint(vector, target);
  return target;
}
