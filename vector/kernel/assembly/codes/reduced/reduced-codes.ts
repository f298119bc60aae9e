// SPDX-License-Identifier: Apache-2.0
/**
 * Reduced codes: one byte for each of the few directions in which a sample of rows differs most, and a number for what they lose. The graph
 * is built and searched by them as by codes of all components, and vectors rescore the answer. After LeanVec (arXiv 2312.16335).
 *
 *   euclid   |x - y|^2 is about |p(x) - p(y)|^2 + |x - p(x)|^2 + |y - p(y)|^2    as if what the projections lose were orthogonal
 *   dot      -<x, y> is about -<p(x), p(y)> - <x, mean> - <y, mean>              and a rest that is the same for all
 *
 * The directions are rotated at random within their span (learn-projection.ts), so that each carries as much as any other and one scale
 * serves all. A projection is a byte from 1 to 127, where 64 is zero: the processor's byte products want one signed factor and one from 0
 * to 127, so the query is laid out as signed bytes. The number follows the projections in four bytes; in the query they are zero.
 */
import { CODE_SCALE, DOT, REDUCER, codeOf, codeStride, metric } from '../../memory/layout';
import {
  DIRECTION_BATCH, addedTo, highHalf, inUnits, lowHalf, meanCode, productOfDifference, projectFour, projectorBytes, ratioOf, squareOfFour,
  squareUnitOf, sums,
} from './projection';

/** Bytes of a reduced code that are no projections. */
const ADDEND_BYTES: u32 = 4;
/** The byte that stands for zero, and the largest absolute value of a projection. */
const MIDDLE: i32 = 64;
export const REACHED: i32 = 63;
/** Keeps sums within 32 bits: projections add at most 252 times 126 squared. */
const ADDEND_MAX: f64 = 536870912;
/** Maps the order of signed integers to that of unsigned ones. */
const SIGN: i32 = i32.MIN_VALUE;

/** Directions of the codes in use. */
// @ts-ignore: decorator
@inline export function directionsOf(codeBytes: u32): u32 { return codeBytes - ADDEND_BYTES; }

/** Writes the reduced code of a code of all components. */
export function reduce(point: usize, target: usize): void {
  const projector: usize = load<u32>(REDUCER);
  const directions = directionsOf(codeStride);
  const ratio = ratioOf(projector);
  const added = addedTo(point);
  let squares: f64 = 0;
  let rounded = i32x4.splat(0);
  for (let i: u32 = 0; i < directions; i += DIRECTION_BATCH) {
    const projections = projectFour(projector, directions, point, added, i);
    const low = lowHalf(projections), high = highHalf(projections);
    const units = i32x4.max_s(i32x4.min_s(inUnits(low, high, ratio), i32x4.splat(REACHED)), i32x4.splat(-REACHED));
    const words = i16x8.narrow_i32x4_s(i32x4.add(units, i32x4.splat(MIDDLE)), i32x4.splat(0));
    store<i32>(target + i, i32x4.extract_lane(i8x16.narrow_i16x8_s(words, words), 0));
    rounded = i32x4.add(rounded, i32x4.mul(units, units));
    squares += squareOfFour(low, high);
  }
  const whole = productOfDifference(point, meanCode(projector, directions), metric == DOT) * squareUnitOf(projector);
  const inside = i32x4.extract_lane(sums(rounded, rounded, rounded, rounded), 0);
  const outside = metric == DOT ? -whole : max(whole - squares * ratio * ratio, 0) + <f64>inside;
  store<i32>(target + directions, <i32>nearest(min(max(outside, -ADDEND_MAX), ADDEND_MAX)));
}

/** What is learned for reduced codes: a projector, and behind it the squared loss that few rows of the sample exceed. */
// @ts-ignore: decorator
@inline export function reducerBytes(codeBytes: u32): u32 { return projectorBytes(directionsOf(codeBytes)) + 8; }
// @ts-ignore: decorator
@inline function seldomLeftOutIn(reducer: usize): usize { return reducer + projectorBytes(directionsOf(codeStride)); }

export function setSeldomLeftOut(square: f64): void {
  store<f64>(seldomLeftOutIn(load<u32>(REDUCER)), square);
}

/** The squared loss of a row's reduced code: what its directions leave out or clip, of the row's difference from the mean. */
export function squareLeftOut(whole: usize, row: u32): f64 {
  const reducer: usize = load<u32>(REDUCER);
  const square = productOfDifference(whole, meanCode(reducer, directionsOf(codeStride)), false) * squareUnitOf(reducer);
  return max(0, square - <f64>productOfReduced(codeOf(row), codeOf(row)));
}

/** Whether the row's code loses more than those of nearly all rows that the directions were learned from. */
export function liesOutside(whole: usize, row: u32): bool {
  return squareLeftOut(whole, row) > load<f64>(seldomLeftOutIn(load<u32>(REDUCER)));
}

/** By how much the orders of two rows differ where their distances differ by one. */
export function unitOfOrders(): f64 {
  const scale = <f64>load<f32>(CODE_SCALE);
  return scale * scale * squareUnitOf(load<u32>(REDUCER));
}

/** Sixteen projections as signed bytes; the number behind them becomes zeros. */
// @ts-ignore: decorator
@inline function signed(code: usize, isLast: bool): v128 {
  const bytes = i8x16.sub(v128.load(code), i8x16.splat(<i8>MIDDLE));
  return isLast ? i32x4.replace_lane(bytes, 3, 0) : bytes;
}

// @ts-ignore: decorator
@inline function addProducts(signed: v128, positive: v128, sum: v128): v128 {
  return i32x4.relaxed_dot_i8x16_i7x16_add_s(signed, positive, sum);
}

/** By how much the offset `MIDDLE` raises the sum of products with a code. */
// @ts-ignore: decorator
@inline function excessOf(sumOfSigned: i32): i32 { return MIDDLE * sumOfSigned; }

/** The product of the projections of two codes. */
function productOfReduced(a: usize, b: usize): i32 {
  let products = i32x4.splat(0), ones = i32x4.splat(0);
  const last = a + codeStride - 16;
  for (; a <= last; a += 16, b += 16) {
    const projections = signed(a, a == last);
    products = addProducts(projections, v128.load(b), products);
    ones = addProducts(projections, i8x16.splat(1), ones);
  }
  const product = i32x4.extract_lane(sums(products, products, products, products), 0);
  return product - excessOf(i32x4.extract_lane(sums(ones, ones, ones, ones), 0));
}

/** The order of one code by its distance from another, neither of them laid out. */
export function reducedOrder(a: usize, b: usize): u32 {
  const product = productOfReduced(a, b);
  const addends = load<i32>(a + directionsOf(codeStride)) + load<i32>(b + directionsOf(codeStride));
  return metric == DOT ? SIGN + addends - product : addends - (product << 1);
}

/** Lays out a code at `to`. Returns what `reducedOrders` adds to the order of every candidate. */
export function layOutReduced(code: usize, to: usize): i32 {
  const addend = load<i32>(code + directionsOf(codeStride));
  let ones = i32x4.splat(0);
  const last = code + codeStride - 16;
  for (; code <= last; code += 16, to += 16) {
    const projections = signed(code, code == last);
    v128.store(to, projections);
    ones = addProducts(projections, i8x16.splat(1), ones);
  }
  const excess = excessOf(i32x4.extract_lane(sums(ones, ones, ones, ones), 0));
  return addend + (metric == DOT ? SIGN + excess : excess << 1);
}

/**
 * The orders of four codes by their distance from the code that is laid out at `from`. Smaller is nearer: dot is negated, euclid squared.
 */
export function reducedOrders(from: usize, base: i32, a: usize, b: usize, c: usize, d: usize): v128 {
  const number = directionsOf(codeStride);
  let addends = i32x4.splat(load<i32>(a + number));
  addends = i32x4.replace_lane(addends, 1, load<i32>(b + number));
  addends = i32x4.replace_lane(addends, 2, load<i32>(c + number));
  addends = i32x4.replace_lane(addends, 3, load<i32>(d + number));
  let sa = i32x4.splat(0), sb = i32x4.splat(0), sc = i32x4.splat(0), sd = i32x4.splat(0);
  for (const end = from + codeStride; from < end; from += 32, a += 32, b += 32, c += 32, d += 32) {
    const first = v128.load(from), second = v128.load(from, 16);
    sa = addProducts(second, v128.load(a, 16), addProducts(first, v128.load(a), sa));
    sb = addProducts(second, v128.load(b, 16), addProducts(first, v128.load(b), sb));
    sc = addProducts(second, v128.load(c, 16), addProducts(first, v128.load(c), sc));
    sd = addProducts(second, v128.load(d, 16), addProducts(first, v128.load(d), sd));
  }
  const products = sums(sa, sb, sc, sd);
  return i32x4.sub(i32x4.add(addends, i32x4.splat(base)), metric == DOT ? products : i32x4.shl(products, 1));
}
