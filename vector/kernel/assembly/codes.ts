/**
 * Codes: one signed byte for each component of a vector, which the graph is walked and built on. One scale and one offset serve the whole
 * space, so distances between codes are integers, and exact. Dot products keep zero where it is; the others may move it.
 */
import { CODE_OFFSET, CODE_SCALE, codeOf, stride, vectorOf } from './layout';

// @ts-ignore: decorator
@inline function encodeFour(vector: usize, offset: v128, scale: v128): v128 {
  // Saturates: far values become the farthest codes, "not a number" becomes zero.
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(f32x4.sub(v128.load(vector), offset), scale)));
}

// @ts-ignore: decorator
@inline function narrow(low: v128, high: v128): i64 {
  const words = i16x8.narrow_i32x4_s(low, high);
  return i64x2.extract_lane(i8x16.narrow_i16x8_s(words, words), 0);
}

/** The padding of a vector becomes the same code in every row and so counts for nothing. */
export function encode(vector: usize, code: usize): void {
  const offset = f32x4.splat(load<f32>(CODE_OFFSET));
  const scale = f32x4.splat(load<f32>(CODE_SCALE));
  const end = vector + stride;
  for (; vector + 32 <= end; vector += 32, code += 8) {
    store<i64>(code, narrow(encodeFour(vector, offset, scale), encodeFour(vector + 16, offset, scale)));
  }
  if (vector < end) store<i64>(code, narrow(encodeFour(vector, offset, scale), i32x4.splat(0)));
}

export function encodeRow(row: u32): void {
  encode(vectorOf(row), codeOf(row));
}
