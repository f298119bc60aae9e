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
import { DOT, EUCLID, SKETCH, codeOf, metric, sketchOf } from './layout';
import { TOGETHER, addedTo, highHalf, inUnits, lowHalf, meanCode, productOfDifference, projectFour, projectorBytes, ratioOf, squareOfFour, squareUnitOf, sums } from './projection';

/** A multiple of eight; with the number that follows them they fit a cache line. */
export const DIRECTIONS: u32 = 56;
/** Keeps sums within 32 bits: projections add at most 56 times 255 squared. */
const ADDEND_MAX: f64 = 1073741824;
/** Turns the order of signed integers into that of unsigned ones. */
const SIGN: i32 = i32.MIN_VALUE;

// @ts-ignore: decorator
@inline export function sketcherBytes(): u32 { return projectorBytes(DIRECTIONS); }

export function sketchRow(row: u32): void {
  sketch(codeOf(row), sketchOf(row));
}

/** Writes the sketch of a code. */
export function sketch(code: usize, target: usize): void {
  const sketcher: usize = load<u32>(SKETCH);
  const ratio = ratioOf(sketcher);
  let squares: f64 = 0;
  const added = addedTo(code);
  for (let i: u32 = 0; i < DIRECTIONS; i += TOGETHER) {
    const projections = projectFour(sketcher, DIRECTIONS, code, added, i);
    const low = lowHalf(projections), high = highHalf(projections);
    const words = i16x8.narrow_i32x4_s(inUnits(low, high, ratio), i32x4.splat(0));
    store<i32>(target + i, i32x4.extract_lane(i8x16.narrow_i16x8_s(words, words), 0));
    squares += squareOfFour(low, high);
  }
  store<i32>(target, addend(code, squares * ratio * ratio), DIRECTIONS);
}

/** What the nearness of this code to any other takes beside the projections, whose squares sum up to `inside`. */
function addend(code: usize, inside: f64): i32 {
  const sketcher: usize = load<u32>(SKETCH);
  const whole = productOfDifference(code, meanCode(sketcher, DIRECTIONS), metric == DOT) * squareUnitOf(sketcher);
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
