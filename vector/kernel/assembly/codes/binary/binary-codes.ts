// SPDX-License-Identifier: Apache-2.0
/**
 * Binary codes (J. Gao, C. Long, RaBitQ: quantizing high-dimensional vectors with a theoretical error bound for approximate nearest
 * neighbor search, SIGMOD 2024, arXiv 2405.12497): the signs of the randomly rotated difference between a vector and the centre of all
 * vectors. With r the rotated difference, x the vector of signs and q another rotated vector, <x, q> |r|^2 / <x, r> is an unbiased estimate
 * of <r, q>. Its error falls with the number of components.
 *
 * A second bit, as far as there are second bits, separates large components from small ones: x then has 3 and 1 in place of 2. See J. Gao
 * et al., Practical and asymptotically optimal quantization of high-dimensional vectors, SIGMOD 2025, arXiv 2409.09913. Unlike the paper,
 * one threshold in units of a vector's length serves all vectors, in place of the best one for each. With a bit and a half for each
 * component, half of the components have two bits.
 *
 * A code; numbers are float32:
 *   0  its part of the distance: |r|^2 by euclid; by dot |c|^2 / 2 - <v, c> for the vector v and the centre c
 *   4  |r|^2 / <x, r>, twice that by euclid
 *   8  |r|, times the root of two by euclid
 *  12  signs, where a set bit is zero or positive; then the second bits: x is twice the sign plus the second bit, where a set bit is 1 and
 *      any other -1
 *
 * A query of the vector q that codes are compared with:
 *   0  its part of the distance; 4  d; 8  its number of bit planes
 *  16  for each word of signs one word for each plane: a component of q is d times the sum of its signs, those of plane i times 2^i
 */
import { component, fourComponents } from '../../memory/components';
import { CODE_HEADER_BYTES, DOT, PLANES, dimension, fineWords, metric, pointBytes, signWords } from '../../memory/layout';
import { rotate } from './binary-rotate';

// The codebook: seed of the rotation; half the square of the centre; the centre, padded with zeros.
const HALF_SQUARE: usize = 4;
const CENTRE: usize = 16;

/**
 * Components from this share of their root mean square on are large: for normally distributed components the squared error is then least
 * (J. Max, Quantizing for minimum distortion, 1960).
 */
const LARGE: f64 = 0.9957;

const ADDEND: usize = 0;
const FACTOR: usize = 4;
const LENGTH: usize = 8;

// @ts-ignore: decorator
@inline export function binaryCodebookBytes(): u32 { return <u32>CENTRE + (signWords << 8); }
// @ts-ignore: decorator
@inline export function centreOf(codebook: usize): usize { return codebook + CENTRE; }

/** Call it when the centre is in place. */
export function finishBinaryCodebook(codebook: usize, seed: u32): void {
  store<u32>(codebook, seed);
  const centre = centreOf(codebook);
  store<f32>(codebook, <f32>(squareOf(centre, signWords << 6) / 2), HALF_SQUARE);
}

/** The sum of squares of `count` float32, in four sums, as the reference implementation adds them. */
export function squareOf(values: usize, count: u32): f64 {
  let even = f64x2.splat(0), odd = f64x2.splat(0);
  for (const end = values + (count << 2); values < end; values += 16) {
    const four = v128.load(values);
    const low = f64x2.promote_low_f32x4(four);
    const high = f64x2.promote_low_f32x4(v128.shuffle<f32>(four, four, 2, 3, 2, 3));
    even = f64x2.add(even, f64x2.mul(low, low));
    odd = f64x2.add(odd, f64x2.mul(high, high));
  }
  return f64x2.extract_lane(even, 0) + f64x2.extract_lane(even, 1) + (f64x2.extract_lane(odd, 0) + f64x2.extract_lane(odd, 1));
}

/** Writes the difference between a vector and the centre. */
export function centre(vector: usize, codebook: usize, target: usize): void {
  const middle = centreOf(codebook);
  const padded = signWords << 6;
  let i: u32 = 0;
  for (; i < dimension; i += 4) v128.store(target + (i << 2), f32x4.sub(fourComponents(vector, i), v128.load(middle + (i << 2))));
  for (; i < padded; i += 4) v128.store(target + (i << 2), f32x4.splat(0));
}

/** Room for a rotated vector behind the planes of a query. */
// @ts-ignore: decorator
@inline function rotatedIn(scratch: usize): usize { return scratch + pointBytes - (signWords << 8); }

/**
 * Writes the rotated difference between a vector and the centre to the scratch memory, which has `pointBytes`. Returns the vector's part of
 * the distance.
 */
function rotateDifference(vector: usize, codebook: usize, scratch: usize): f64 {
  const rotated = rotatedIn(scratch);
  centre(vector, codebook, rotated);
  rotate(rotated, signWords << 6, load<u32>(codebook));
  return metric == DOT ? <f64>load<f32>(codebook, HALF_SQUARE) - product(vector, centreOf(codebook)) : squareOf(rotated, signWords << 6);
}

function product(vector: usize, middle: usize): f64 {
  let sum: f64 = 0;
  for (let i: u32 = 0; i < dimension; i++) sum += <f64>component(vector, i) * <f64>load<f32>(middle + (i << 2));
  return sum;
}

/** Writes the code of a vector. */
export function encodeBinary(vector: usize, codebook: usize, code: usize, scratch: usize): void {
  const addend = rotateDifference(vector, codebook, scratch);
  const rotated = rotatedIn(scratch);
  const count = signWords << 6;
  const square = squareOf(rotated, count);
  const signs = code + CODE_HEADER_BYTES;
  const along = writeSigns(rotated, signs) * 2 + writeSeconds(rotated, signs, <f32>(LARGE * Math.sqrt(square / <f64>count)));
  const twice: f64 = metric == DOT ? 1 : 2;
  store<f32>(code, <f32>addend, ADDEND);
  store<f32>(code, along > 0 ? <f32>((twice * square) / along) : 0, FACTOR);
  store<f32>(code, <f32>Math.sqrt(twice * square), LENGTH);
}

// @ts-ignore: decorator
@inline function sum(even: v128, odd: v128): f64 {
  return f64x2.extract_lane(even, 0) + f64x2.extract_lane(even, 1) + (f64x2.extract_lane(odd, 0) + f64x2.extract_lane(odd, 1));
}

/** Writes the signs. Returns the sum of the absolute values of the components. */
function writeSigns(rotated: usize, signs: usize): f64 {
  let even = f64x2.splat(0), odd = f64x2.splat(0);
  for (const end = signs + (signWords << 3); signs < end; signs++) {
    let bits: i32 = 0;
    for (let i: u32 = 0; i < 8; i += 4, rotated += 16) {
      const four = v128.load(rotated);
      bits |= i32x4.bitmask(f32x4.ge(four, f32x4.splat(0))) << i;
      const sizes = f32x4.abs(four);
      even = f64x2.add(even, f64x2.promote_low_f32x4(sizes));
      odd = f64x2.add(odd, f64x2.promote_low_f32x4(v128.shuffle<f32>(sizes, sizes, 2, 3, 2, 3)));
    }
    store<u8>(signs, <u8>bits);
  }
  return sum(even, odd);
}

/** Writes the second bits behind the signs. Returns the sum of the absolute values of the large components less that of the small ones. */
function writeSeconds(rotated: usize, signs: usize, large: f32): f64 {
  let even = f64x2.splat(0), odd = f64x2.splat(0);
  const seconds = signs + (signWords << 3);
  for (let at: u32 = 0; at < fineWords << 3; at++) {
    let bits: i32 = 0;
    for (let i: u32 = 0; i < 8; i += 4, rotated += 16) {
      const sizes = f32x4.abs(v128.load(rotated));
      const isLarge = f32x4.ge(sizes, f32x4.splat(large));
      bits |= i32x4.bitmask(isLarge) << i;
      const signed = v128.bitselect(sizes, f32x4.neg(sizes), isLarge);
      even = f64x2.add(even, f64x2.promote_low_f32x4(signed));
      odd = f64x2.add(odd, f64x2.promote_low_f32x4(v128.shuffle<f32>(signed, signed, 2, 3, 2, 3)));
    }
    // The second bit of a large component equals its sign, that of a small one does not.
    store<u8>(seconds + at, <u8>~(bits ^ <i32>load<u8>(signs + at)));
  }
  return sum(even, odd);
}

/** Writes a vector as a query with `bits` planes, 2 to 8. The rotated vector stays behind the planes. */
export function layOutBinary(vector: usize, codebook: usize, point: usize, bits: u32): void {
  store<f32>(point, <f32>rotateDifference(vector, codebook, point), ADDEND);
  const rotated = rotatedIn(point);
  const steps = <f32>((1 << bits) - 1);
  const largest = largestOf(rotated);
  store<f32>(point, largest / steps, FACTOR);
  store<u32>(point, bits, LENGTH);
  const factor: f32 = largest > 0 ? steps / (largest * 2) : 0;
  for (let word: u32 = 0; word < signWords; word++) {
    const planes = point + PLANES + ((word * bits) << 3);
    for (let part: u32 = 0; part < 4; part++) {
      const from = rotated + (word << 8) + (part << 6);
      const low = i16x8.narrow_i32x4_s(levels(from, factor, steps), levels(from + 16, factor, steps));
      const high = i16x8.narrow_i32x4_s(levels(from + 32, factor, steps), levels(from + 48, factor, steps));
      const sixteen = i8x16.narrow_i16x8_u(low, high);
      for (let i: u32 = 0; i < bits; i++) store<u16>(planes + (i << 3) + (part << 1), <u16>i8x16.bitmask(i8x16.shl(sixteen, 7 - i)));
    }
  }
}

/** The nearest of the levels from 0 to `steps`, half of which are negative. */
// @ts-ignore: decorator
@inline function levels(from: usize, factor: f32, steps: f32): v128 {
  const scaled = f32x4.add(f32x4.mul(v128.load(from), f32x4.splat(factor)), f32x4.splat(steps / 2));
  return i32x4.trunc_sat_f32x4_s(f32x4.min(f32x4.nearest(scaled), f32x4.splat(steps)));
}

function largestOf(rotated: usize): f32 {
  let largest = f32x4.splat(0);
  for (const end = rotated + (signWords << 8); rotated < end; rotated += 16) largest = f32x4.pmax(largest, f32x4.abs(v128.load(rotated)));
  return max(
    max(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1)),
    max(f32x4.extract_lane(largest, 2), f32x4.extract_lane(largest, 3)),
  );
}

/** The squared distance of a code's vector from the centre. */
export function squareFromCentre(code: usize): f64 {
  const length = <f64>load<f32>(code, LENGTH);
  return metric == DOT ? length * length : (length * length) / 2;
}
