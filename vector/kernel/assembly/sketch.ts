/**
 * Sketches: one cache line for each row, by which the graph is walked before codes are looked at. A sketch is what a code differs by from
 * the mean of all codes, projected on the few directions in which codes differ most, one byte for each direction, and a number for what the
 * projection leaves out. After LeanVec (arXiv 2312.16335); learn-sketches.ts finds the directions.
 *
 *   euclid   |x - y|^2 is about |p(x) - p(y)|^2 + |x - p(x)|^2 + |y - p(y)|^2    as if what the projections leave out were at right angles
 *   dot      -<x, y> is about -<p(x), p(y)> - <x, mean>                          and a rest that is the same for all x
 *
 * Sketches are made of codes, so they need no vector in memory. All is rounded to units of the sketch: nearness is an integer here, too.
 * The signs of all components of a turned code in their place (RaBitQ, arXiv 2405.12497) needed half as much time again at equal recall on
 * vectors of few directions; on pictures neither was ahead of codes.
 */
import { DOT, EUCLID, SKETCH, codeOf, pointBytes, metric, sketchOf } from './layout';

/** A multiple of eight; with the number that follows them they fit a cache line. */
export const DIRECTIONS: u32 = 56;
/** Directions that are multiplied at a time, so that they share what is loaded for them. */
const TOGETHER: u32 = 4;
/** Keeps sums within 32 bits: projections add at most 56 times 255 squared. */
const ADDEND_MAX: f64 = 1073741824;
/** Turns the order of signed integers into that of unsigned ones. */
const SIGN: i32 = i32.MIN_VALUE;

/**
 * Components of directions reach this far to either side and are stored with this much added to them: the processor's products of bytes want one
 * factor from 0 to 127, and no two neighbouring products may exceed sixteen bits.
 */
export const DIRECTION_MAX: i32 = 63;

// What sketches are made by, at SKETCH: two numbers; for each direction what is too much in a product with a code whose components sum up to zero;
// the mean of the codes; the directions.
/** Units of a sketch for one of a projection. */
const RATIO: usize = 0;
/** The square of the units of a sketch for one of a code. */
const SQUARE_UNIT: usize = 8;
const EXCESS: usize = 16;
const MEAN: usize = EXCESS + (DIRECTIONS << 2);

// @ts-ignore: decorator
@inline export function sketcherBytes(): u32 { return <u32>MEAN + (DIRECTIONS + 1) * pointBytes; }
// @ts-ignore: decorator
@inline export function meanCode(): usize { return <usize>load<u32>(SKETCH) + MEAN; }
// @ts-ignore: decorator
@inline function direction(index: u32): usize { return meanCode() + (index + 1) * pointBytes; }

/** Stores a component of a direction, from -DIRECTION_MAX to DIRECTION_MAX. */
export function setComponent(index: u32, component: u32, value: i32): void {
  store<u8>(direction(index) + component, <u8>(value + DIRECTION_MAX));
}

/** To be called when mean and directions are in place. */
export function setExcesses(): void {
  const mean = meanCode();
  for (let i: u32 = 0; i < DIRECTIONS; i++) {
    let excess: i32 = 0;
    for (let j: u32 = 0; j < pointBytes; j++) excess += <i32>load<i8>(mean + j) * (<i32>load<u8>(direction(i) + j) - DIRECTION_MAX);
    store<i32>(<usize>load<u32>(SKETCH) + EXCESS + (i << 2), excess);
  }
}

/** `scale`: units of the directions for one; `reach`: the longest projection, in units of a code. */
export function setUnits(scale: f64, reach: f64): void {
  const unit = <f64>i8.MAX_VALUE / reach;
  store<f64>(load<u32>(SKETCH), unit / scale, RATIO);
  store<f64>(load<u32>(SKETCH), unit * unit, SQUARE_UNIT);
}

export function sketchRow(row: u32): void {
  sketch(codeOf(row), sketchOf(row));
}

/** Writes the sketch of a code. */
export function sketch(code: usize, target: usize): void {
  const ratio = load<f64>(load<u32>(SKETCH), RATIO);
  let squares: f64 = 0;
  const added = DIRECTION_MAX * sumOf(code);
  for (let i: u32 = 0; i < DIRECTIONS; i += TOGETHER) squares += project(code, added, i, target + i, ratio);
  store<i32>(target, addend(code, squares * ratio * ratio), DIRECTIONS);
}

/** The sums of the lanes of four vectors. */
// @ts-ignore: decorator
@inline function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

/** The sum of a code's components. */
function sumOf(code: usize): i32 {
  let sum = i32x4.splat(0);
  for (let i: u32 = 0; i < pointBytes; i += 16) sum = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(code + i), i8x16.splat(1), sum);
  return i32x4.extract_lane(sums(sum, sum, sum, sum), 0);
}

/**
 * Projects on four directions from the `index`th on and writes them in units of the sketch; returns the sum of the squares of the projections.
 * `added` is what all products have too much for what was added to the directions. No engine's freedom matters here: it is about what lies outside.
 */
function project(code: usize, added: i32, index: u32, target: usize, ratio: f64): f64 {
  const first = direction(index);
  let a = i32x4.splat(0), b = i32x4.splat(0), c = i32x4.splat(0), d = i32x4.splat(0);
  for (let i: u32 = 0; i < pointBytes; i += 16) {
    const from = first + i;
    const components = v128.load(code + i);
    a = i32x4.relaxed_dot_i8x16_i7x16_add_s(components, v128.load(from), a);
    b = i32x4.relaxed_dot_i8x16_i7x16_add_s(components, v128.load(from + pointBytes), b);
    c = i32x4.relaxed_dot_i8x16_i7x16_add_s(components, v128.load(from + pointBytes * 2), c);
    d = i32x4.relaxed_dot_i8x16_i7x16_add_s(components, v128.load(from + pointBytes * 3), d);
  }
  const excesses = v128.load(<usize>load<u32>(SKETCH) + EXCESS + (index << 2));
  const projections = i32x4.sub(i32x4.sub(sums(a, b, c, d), i32x4.splat(added)), excesses);
  const low = f64x2.convert_low_i32x4_s(projections);
  const high = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(projections, projections, 2, 3, 2, 3));
  const words = i16x8.narrow_i32x4_s(v128.shuffle<i32>(inUnits(low, ratio), inUnits(high, ratio), 0, 1, 4, 5), i32x4.splat(0));
  store<i32>(target, i32x4.extract_lane(i8x16.narrow_i16x8_s(words, words), 0));
  const squares = f64x2.add(f64x2.mul(low, low), f64x2.mul(high, high));
  return f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1);
}

// @ts-ignore: decorator
@inline function inUnits(projections: v128, ratio: f64): v128 {
  return i32x4.trunc_sat_f64x2_s_zero(f64x2.nearest(f64x2.mul(projections, f64x2.splat(ratio))));
}

/** What the nearness of this code to any other takes beside the projections, whose squares sum up to `inside`. */
function addend(code: usize, inside: f64): i32 {
  const mean = meanCode();
  let sum: i64 = 0;
  for (let i: u32 = 0; i < pointBytes; i += 8) {
    const middle = v128.load_ext<i8>(mean + i);
    const difference = i16x8.sub(v128.load_ext<i8>(code + i), middle);
    const products = i32x4.dot_i16x8_s(difference, metric == DOT ? middle : difference);
    sum += i32x4.extract_lane(products, 0) + i32x4.extract_lane(products, 1) + (i32x4.extract_lane(products, 2) + i32x4.extract_lane(products, 3));
  }
  const whole = <f64>sum * load<f64>(load<u32>(SKETCH), SQUARE_UNIT);
  const outside = metric == DOT ? -whole : max(whole - inside, 0);
  return <i32>nearest(min(max(outside, -ADDEND_MAX), ADDEND_MAX));
}

// @ts-ignore: decorator
@inline function terms(kind: u32, a: v128, b: usize): v128 {
  if (kind == DOT) return i32x4.dot_i16x8_s(a, v128.load_ext<i8>(b));
  const difference = i16x8.sub(a, v128.load_ext<i8>(b));
  return i32x4.dot_i16x8_s(difference, difference);
}

// @ts-ignore: decorator
@inline function ordersOf(kind: u32, from: usize, a: usize, b: usize, c: usize, d: usize): v128 {
  let sa = i32x4.splat(0), sb = i32x4.splat(0), sc = i32x4.splat(0), sd = i32x4.splat(0);
  for (let i: u32 = 0; i < DIRECTIONS; i += 8) {
    const point = v128.load_ext<i8>(from + i);
    sa = i32x4.add(sa, terms(kind, point, a + i));
    sb = i32x4.add(sb, terms(kind, point, b + i));
    sc = i32x4.add(sc, terms(kind, point, c + i));
    sd = i32x4.add(sd, terms(kind, point, d + i));
  }
  const addends = i32x4.replace_lane(
    i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(load<i32>(a, DIRECTIONS)), 1, load<i32>(b, DIRECTIONS)), 2, load<i32>(c, DIRECTIONS)),
    3, load<i32>(d, DIRECTIONS),
  );
  const whole = sums(sa, sb, sc, sd);
  if (kind == EUCLID) return i32x4.add(whole, addends);
  return i32x4.add(i32x4.sub(i32x4.splat(SIGN), whole), addends);
}

/** From one sketch to four others, unsigned integers that order as the distances do. Smaller is nearer: dot is negated, euclid squared. */
// @ts-ignore: decorator
@inline export function sketchOrders(from: usize, a: usize, b: usize, c: usize, d: usize): v128 {
  return metric == DOT ? ordersOf(DOT, from, a, b, c, d) : ordersOf(EUCLID, from, a, b, c, d);
}

export function sketchOrder(from: usize, to: usize): u32 {
  return i32x4.extract_lane(sketchOrders(from, to, to, to, to), 0);
}
