// SPDX-License-Identifier: Apache-2.0
/**
 * Projects codes of one byte for each component, less their mean, on learned directions. Reduced codes are made of such projections, after
 * LeanVec (arXiv 2312.16335) in its form for queries that are distributed like the points. A projector holds, in bytes:
 *
 *    0  units of a projection for one unit of a product, float64
 *    8  the square of the units of a projection for one unit of a code, float64
 *   16  for each direction its product with the mean; the mean of the codes; the directions, four interleaved: sixteen components of each,
 *       then the next sixteen of each, so that they are read in order
 */
import { pointBytes } from '../../memory/layout';

/** Directions that are multiplied together, so that they share loads. Their number is a multiple of it. */
export const DIRECTION_BATCH: u32 = 4;

/**
 * Components of directions reach this far on either side and are stored with this much added to them: the processor's byte products want
 * one factor from 0 to 127, and no two neighbouring products may exceed sixteen bits.
 */
export const DIRECTION_MAX: i32 = 63;

const SQUARE_UNIT: usize = 8;
const EXCESS: usize = 16;

// @ts-ignore: decorator
@inline export function projectorBytes(directions: u32): u32 { return <u32>EXCESS + (directions << 2) + (directions + 1) * pointBytes; }
// @ts-ignore: decorator
@inline export function meanCode(projector: usize, directions: u32): usize { return projector + EXCESS + (directions << 2); }
/** The four directions from the `index`th on. */
// @ts-ignore: decorator
@inline function fourFrom(projector: usize, directions: u32, index: u32): usize {
  return meanCode(projector, directions) + (index + 1) * pointBytes;
}
// @ts-ignore: decorator
@inline function componentOf(projector: usize, directions: u32, index: u32, component: u32): usize {
  return fourFrom(projector, directions, index & ~3) + ((component & ~15) << 2) + ((index & 3) << 4) + (component & 15);
}
// @ts-ignore: decorator
@inline export function ratioOf(projector: usize): f64 { return load<f64>(projector); }
// @ts-ignore: decorator
@inline export function squareUnitOf(projector: usize): f64 { return load<f64>(projector, SQUARE_UNIT); }

/** Stores a component of a direction, from -DIRECTION_MAX to DIRECTION_MAX. */
export function setComponent(projector: usize, directions: u32, index: u32, component: u32, value: i32): void {
  store<u8>(componentOf(projector, directions, index, component), <u8>(value + DIRECTION_MAX));
}

/** Call it when mean and directions are in place. */
export function setExcesses(projector: usize, directions: u32): void {
  const mean = meanCode(projector, directions);
  for (let i: u32 = 0; i < directions; i++) {
    let excess: i32 = 0;
    for (let j: u32 = 0; j < pointBytes; j++) {
      excess += <i32>load<i8>(mean + j) * (<i32>load<u8>(componentOf(projector, directions, i, j)) - DIRECTION_MAX);
    }
    store<i32>(projector + EXCESS + (i << 2), excess);
  }
}

/** `scale`: units of the directions for one; `unit`: units of a projection for one unit of a code. */
export function setUnits(projector: usize, scale: f64, unit: f64): void {
  store<f64>(projector, unit / scale);
  store<f64>(projector, unit * unit, SQUARE_UNIT);
}

/** The sums of the lanes of four vectors. */
// @ts-ignore: decorator
@inline export function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

/** By how much the offset of the stored directions raises all products of a code. */
export function addedTo(code: usize): i32 {
  let sum = i32x4.splat(0);
  for (let i: u32 = 0; i < pointBytes; i += 16) sum = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(code + i), i8x16.splat(1), sum);
  return DIRECTION_MAX * i32x4.extract_lane(sums(sum, sum, sum, sum), 0);
}

// @ts-ignore: decorator
@inline function multiply(components: v128, directions: v128, sum: v128): v128 {
  return i32x4.relaxed_dot_i8x16_i7x16_add_s(components, directions, sum);
}

/**
 * Projects on four directions from the `index`th on. The results of the relaxed instruction differ between engines only for inputs beyond
 * these bounds.
 */
export function projectFour(projector: usize, directions: u32, code: usize, added: i32, index: u32): v128 {
  let from = fourFrom(projector, directions, index);
  let a = i32x4.splat(0), b = i32x4.splat(0), c = i32x4.splat(0), d = i32x4.splat(0);
  // Second sums hide the latency of the products.
  let a2 = i32x4.splat(0), b2 = i32x4.splat(0), c2 = i32x4.splat(0), d2 = i32x4.splat(0);
  const end = code + pointBytes;
  for (; code + 16 < end; code += 32, from += 128) {
    const first = v128.load(code), second = v128.load(code, 16);
    a = multiply(first, v128.load(from), a);
    b = multiply(first, v128.load(from, 16), b);
    c = multiply(first, v128.load(from, 32), c);
    d = multiply(first, v128.load(from, 48), d);
    a2 = multiply(second, v128.load(from, 64), a2);
    b2 = multiply(second, v128.load(from, 80), b2);
    c2 = multiply(second, v128.load(from, 96), c2);
    d2 = multiply(second, v128.load(from, 112), d2);
  }
  if (code < end) {
    const last = v128.load(code);
    a = multiply(last, v128.load(from), a);
    b = multiply(last, v128.load(from, 16), b);
    c = multiply(last, v128.load(from, 32), c);
    d = multiply(last, v128.load(from, 48), d);
  }
  const excesses = v128.load(projector + EXCESS + (index << 2));
  return i32x4.sub(i32x4.sub(sums(i32x4.add(a, a2), i32x4.add(b, b2), i32x4.add(c, c2), i32x4.add(d, d2)), i32x4.splat(added)), excesses);
}

// @ts-ignore: decorator
@inline export function lowHalf(integers: v128): v128 { return f64x2.convert_low_i32x4_s(integers); }
// @ts-ignore: decorator
@inline export function highHalf(integers: v128): v128 {
  return f64x2.convert_low_i32x4_s(v128.shuffle<i32>(integers, integers, 2, 3, 2, 3));
}

// @ts-ignore: decorator
@inline function scaled(projections: v128, ratio: f64): v128 {
  return i32x4.trunc_sat_f64x2_s_zero(f64x2.nearest(f64x2.mul(projections, f64x2.splat(ratio))));
}

/** Projections, whose halves are `low` and `high`, as integers in their units. */
// @ts-ignore: decorator
@inline export function inUnits(low: v128, high: v128, ratio: f64): v128 {
  return v128.shuffle<i32>(scaled(low, ratio), scaled(high, ratio), 0, 1, 4, 5);
}

/** The sum of the squares of four projections, added in the order of the reference implementation. */
// @ts-ignore: decorator
@inline export function squareOfFour(low: v128, high: v128): f64 {
  const squares = f64x2.add(f64x2.mul(low, low), f64x2.mul(high, high));
  return f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1);
}

/**
 * The product of the difference between a code and the mean, with itself or with the mean. 65536 components add less than 2^31 to each of
 * four sums.
 */
export function productOfDifference(code: usize, mean: usize, withMean: bool): f64 {
  let sum = i32x4.splat(0);
  for (let i: u32 = 0; i < pointBytes; i += 8) {
    const middle = v128.load_ext<i8>(mean + i);
    const difference = i16x8.sub(v128.load_ext<i8>(code + i), middle);
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(difference, withMean ? middle : difference));
  }
  const low = lowHalf(sum), high = highHalf(sum);
  const whole = f64x2.add(low, high);
  return f64x2.extract_lane(whole, 0) + f64x2.extract_lane(whole, 1);
}
