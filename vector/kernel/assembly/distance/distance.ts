// SPDX-License-Identifier: Apache-2.0
/**
 * Distances between vectors of one datatype, padded with zeros. Smaller is nearer: dot is negated, euclid squared. Float16 components are
 * widened to float32; bytes are added as integers, so that nothing is rounded before the end. Four accumulators hide the latency of
 * additions; the reference implementation in TypeScript adds in the same order.
 */
import { scalarOrder } from '../codes/scalar/scalar-distance';
import { widen } from '../memory/components';
import { DOT, EUCLID, FLOAT16, MANHATTAN, UINT8, cosine, datatype, isShifted, metric, stride } from '../memory/layout';

// @ts-ignore: decorator
@inline function sum(a: v128, b: v128, c: v128, d: v128): f32 {
  const total = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
  return (
    f32x4.extract_lane(total, 0) + f32x4.extract_lane(total, 1) + (f32x4.extract_lane(total, 2) + f32x4.extract_lane(total, 3))
  );
}

/** Four components from the `index`th on, a multiple of four. */
// @ts-ignore: decorator
@inline function four(isHalf: bool, vector: usize, index: usize): v128 {
  return isHalf ? widen(v128.load_ext<i16>(vector + (index << 1))) : v128.load(vector + (index << 2));
}

// @ts-ignore: decorator
@inline function term(kind: u32, isHalf: bool, a: usize, b: usize, index: usize): v128 {
  if (kind == DOT) return f32x4.mul(four(isHalf, a, index), four(isHalf, b, index));
  const difference = f32x4.sub(four(isHalf, a, index), four(isHalf, b, index));
  return kind == EUCLID ? f32x4.mul(difference, difference) : f32x4.abs(difference);
}

// @ts-ignore: decorator
@inline function floatSum(kind: u32, isHalf: bool, a: usize, b: usize): f32 {
  let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
  const sixteen: usize = isHalf ? 32 : 64;
  const end = a + stride;
  const wideEnd = a + (<usize>stride & ~(sixteen - 1));
  for (; a < wideEnd; a += sixteen, b += sixteen) {
    s0 = f32x4.add(s0, term(kind, isHalf, a, b, 0));
    s1 = f32x4.add(s1, term(kind, isHalf, a, b, 4));
    s2 = f32x4.add(s2, term(kind, isHalf, a, b, 8));
    s3 = f32x4.add(s3, term(kind, isHalf, a, b, 12));
  }
  for (; a < end; a += sixteen >> 2, b += sixteen >> 2) s0 = f32x4.add(s0, term(kind, isHalf, a, b, 0));
  return sum(s0, s1, s2, s3);
}

// Separate functions, so that each is compiled for one case.
function dot(a: usize, b: usize): f32 { return floatSum(DOT, false, a, b); }
function euclid(a: usize, b: usize): f32 { return floatSum(EUCLID, false, a, b); }
function manhattan(a: usize, b: usize): f32 { return floatSum(MANHATTAN, false, a, b); }
function halfDot(a: usize, b: usize): f32 { return floatSum(DOT, true, a, b); }
function halfEuclid(a: usize, b: usize): f32 { return floatSum(EUCLID, true, a, b); }
function halfManhattan(a: usize, b: usize): f32 { return floatSum(MANHATTAN, true, a, b); }

/** The sum of products of bytes: 65536 times 255 squared is less than 2^32. */
function byteDot(a: usize, b: usize): u32 {
  let total = i32x4.splat(0);
  for (const end = a + stride; a < end; a += 8, b += 8) {
    total = i32x4.add(total, i32x4.dot_i16x8_s(v128.load_ext<u8>(a), v128.load_ext<u8>(b)));
  }
  return (
    i32x4.extract_lane(total, 0) + i32x4.extract_lane(total, 1) + (i32x4.extract_lane(total, 2) + i32x4.extract_lane(total, 3))
  );
}

/** The cosine of vectors that are not normalised. A zero vector is equally far from all. */
function byteCosine(a: usize, b: usize): f32 {
  const squares = <f64>byteDot(a, a) * <f64>byteDot(b, b);
  return squares == 0 ? 0 : <f32>(<f64>byteDot(a, b) / Math.sqrt(squares));
}

function byteDistance(a: usize, b: usize): f32 {
  // Shifted bytes are signed, and are compared like codes.
  if (isShifted) return <f32>scalarOrder(a, b);
  return <f32>0 - (cosine ? byteCosine(a, b) : <f32>byteDot(a, b));
}

/** Sums that overflow to "not a number" count as infinite. Zero has one sign, so that equal distances are equal keys. */
export function distance(a: usize, b: usize): f32 {
  let d: f32;
  if (datatype == UINT8) return byteDistance(a, b);
  if (datatype == FLOAT16) {
    if (metric == DOT) d = <f32>0 - halfDot(a, b);
    else if (metric == EUCLID) d = halfEuclid(a, b);
    else d = halfManhattan(a, b);
  } else if (metric == DOT) d = <f32>0 - dot(a, b);
  else if (metric == EUCLID) d = euclid(a, b);
  else d = manhattan(a, b);
  return d == d ? d : <f32>Infinity;
}
