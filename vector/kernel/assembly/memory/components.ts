// SPDX-License-Identifier: Apache-2.0
/**
 * Components of stored vectors as float32, from which codes are made. A float16 is widened by moving its bits and scaling by a power of
 * two, which also converts denormals. Its highest exponent counts as any other, as in the alternative format of ARM's processors: the
 * pattern of an infinity is 65536. Vectors of bytes have no codes.
 */
import { FLOAT32, datatype } from './layout';

/** 2^112: the difference between the exponent biases of float16 (15) and float32 (127). */
const REBIAS: i32 = 0x77800000;
/** The sign, and from bit 13 on the other bits of a float16. */
const BITS_OF_HALF: i32 = 0x8fffe000;

/** Four float16 that were sign-extended, as float32. */
// @ts-ignore: decorator
@inline export function widen(halves: v128): v128 {
  return f32x4.mul(v128.and(i32x4.shl(halves, 13), i32x4.splat(BITS_OF_HALF)), v128.splat<i32>(REBIAS));
}

/** Components `index` to `index` + 3 of a stored vector, `index` a multiple of four. */
// @ts-ignore: decorator
@inline export function fourComponents(vector: usize, index: u32): v128 {
  if (datatype == FLOAT32) return v128.load(vector + (index << 2));
  return widen(v128.load_ext<i16>(vector + (index << 1)));
}

export function component(vector: usize, index: u32): f32 {
  if (datatype == FLOAT32) return load<f32>(vector + (index << 2));
  return f32x4.extract_lane(widen(i32x4.splat(load<i16>(vector + (index << 1)))), 0);
}
