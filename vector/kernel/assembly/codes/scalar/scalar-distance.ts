// SPDX-License-Identifier: Apache-2.0
/**
 * Distances between codes of one byte for each component, as unsigned integers with the order of the distances. A code that many others are
 * compared with is laid out first (`setScalarQuery`), because the processor's byte products take one signed factor and one from 0 to 127:
 * it is split into its positive and its negative part. Products are added in 32 bits, which hold the largest sum: 65536 components times
 * 254 squared.
 *
 * Four candidates at a time share the loads of the query, and a candidate that is on its way from memory does not delay the others.
 */
import { DOT, EUCLID, MANHATTAN, isShifted, metric, pointBytes } from '../../memory/layout';

/** Maps the order of signed integers to that of unsigned ones. */
const SIGN: i32 = i32.MIN_VALUE;

/** Euclid for codes that use all values of a byte: -128 has no positive counterpart, so differences are squared as they are. */
const EUCLID_OF_BYTES: u32 = 5;

/** Where the query's code is laid out: for each sixteen components the positive and the negative part, or the code as it is. */
let queryCode: usize = 0;
/** The product of that code with itself. */
let querySquare: i32 = 0;

// @ts-ignore: decorator
@inline function kindOfCodes(): u32 { return metric == EUCLID && isShifted ? EUCLID_OF_BYTES : metric; }

/** Lays out a code at `to`, for `scalarOrders` until the next call. */
export function setScalarQuery(code: usize, to: usize): void {
  queryCode = to;
  const kind = kindOfCodes();
  querySquare = kind == EUCLID ? sum(DOT, code, code) : 0;
  const isSplit = kind == DOT || kind == EUCLID;
  const zero = i8x16.splat(0);
  for (const end = code + pointBytes; code < end; code += 16, to += 32) {
    const components = v128.load(code);
    v128.store(to, isSplit ? i8x16.max_s(components, zero) : components);
    v128.store(to, i8x16.max_s(i8x16.neg(components), zero), 16);
  }
}

/**
 * Adds the products of four signed components each and four from 0 to 127. The relaxed instruction differs between engines only outside
 * this range.
 */
// @ts-ignore: decorator
@inline function addProducts(signed: v128, positive: v128, sum: v128): v128 {
  return i32x4.relaxed_dot_i8x16_i7x16_add_s(signed, positive, sum);
}

// What a step adds to a candidate's two sums. Dot: products with the positive and with the negative part. Euclid: products, and squares.
// Where codes are not split, all goes to the first sum.

// @ts-ignore: decorator
@inline function addFirst(kind: u32, plus: v128, minus: v128, b: v128, sum: v128): v128 {
  if (kind == MANHATTAN) {
    const differences = i8x16.sub(i8x16.max_s(plus, b), i8x16.min_s(plus, b));
    return i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(differences)));
  }
  if (kind == EUCLID_OF_BYTES) {
    const low = i16x8.sub(i16x8.extend_low_i8x16_s(plus), i16x8.extend_low_i8x16_s(b));
    const high = i16x8.sub(i16x8.extend_high_i8x16_s(plus), i16x8.extend_high_i8x16_s(b));
    return i32x4.add(sum, i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high)));
  }
  const products = addProducts(b, plus, sum);
  return kind == DOT ? products : addProducts(i8x16.neg(b), minus, products);
}

// @ts-ignore: decorator
@inline function addSecond(kind: u32, minus: v128, b: v128, sum: v128): v128 {
  if (kind == MANHATTAN || kind == EUCLID_OF_BYTES) return sum;
  return kind == DOT ? addProducts(b, minus, sum) : addProducts(i8x16.abs(b), i8x16.abs(b), sum);
}

/** Combines both sums of a candidate; `base` is still to be added. */
// @ts-ignore: decorator
@inline function combine(kind: u32, first: v128, second: v128): v128 {
  if (kind == MANHATTAN || kind == EUCLID_OF_BYTES) return first;
  return i32x4.sub(second, kind == DOT ? first : i32x4.shl(first, 1));
}

// @ts-ignore: decorator
@inline function base(kind: u32): i32 { return kind == DOT ? SIGN : kind == EUCLID ? querySquare : 0; }

// @ts-ignore: decorator
@inline function orderFour(kind: u32, a: usize, b: usize, c: usize, d: usize): v128 {
  let a1 = i32x4.splat(0), b1 = i32x4.splat(0), c1 = i32x4.splat(0), d1 = i32x4.splat(0);
  let a2 = i32x4.splat(0), b2 = i32x4.splat(0), c2 = i32x4.splat(0), d2 = i32x4.splat(0);
  let from = queryCode;
  for (const end = from + (pointBytes << 1); from < end; from += 32, a += 16, b += 16, c += 16, d += 16) {
    const plus = v128.load(from), minus = v128.load(from, 16);
    const va = v128.load(a), vb = v128.load(b), vc = v128.load(c), vd = v128.load(d);
    a1 = addFirst(kind, plus, minus, va, a1);
    b1 = addFirst(kind, plus, minus, vb, b1);
    c1 = addFirst(kind, plus, minus, vc, c1);
    d1 = addFirst(kind, plus, minus, vd, d1);
    a2 = addSecond(kind, minus, va, a2);
    b2 = addSecond(kind, minus, vb, b2);
    c2 = addSecond(kind, minus, vc, c2);
    d2 = addSecond(kind, minus, vd, d2);
  }
  const sa = combine(kind, a1, a2), sb = combine(kind, b1, b2), sc = combine(kind, c1, c2), sd = combine(kind, d1, d2);
  const ab = i32x4.add(v128.shuffle<i32>(sa, sb, 0, 4, 1, 5), v128.shuffle<i32>(sa, sb, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(sc, sd, 0, 4, 1, 5), v128.shuffle<i32>(sc, sd, 2, 6, 3, 7));
  const sums = i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
  return i32x4.add(sums, i32x4.splat(base(kind)));
}

// Separate functions, so that each has all registers to itself. They are not inlined because `scalarOrders` is inlined in several places.
function dotOrders(a: usize, b: usize, c: usize, d: usize): v128 { return orderFour(DOT, a, b, c, d); }
function euclidOrders(a: usize, b: usize, c: usize, d: usize): v128 { return orderFour(EUCLID, a, b, c, d); }
function euclidOrdersOfBytes(a: usize, b: usize, c: usize, d: usize): v128 { return orderFour(EUCLID_OF_BYTES, a, b, c, d); }
function manhattanOrders(a: usize, b: usize, c: usize, d: usize): v128 { return orderFour(MANHATTAN, a, b, c, d); }

/** The orders of four codes by their distance from the code of `setScalarQuery`. Smaller is nearer: dot is negated, euclid squared. */
// @ts-ignore: decorator
@inline export function scalarOrders(a: usize, b: usize, c: usize, d: usize): v128 {
  if (metric == DOT) return dotOrders(a, b, c, d);
  if (metric == EUCLID) return isShifted ? euclidOrdersOfBytes(a, b, c, d) : euclidOrders(a, b, c, d);
  return manhattanOrders(a, b, c, d);
}

// @ts-ignore: decorator
@inline function terms(kind: u32, a: v128, b: v128): v128 {
  if (kind == DOT) return i32x4.dot_i16x8_s(a, b);
  const difference = i16x8.sub(a, b);
  if (kind == EUCLID) return i32x4.dot_i16x8_s(difference, difference);
  return i32x4.extadd_pairwise_i16x8_s(i16x8.abs(difference));
}

// @ts-ignore: decorator
@inline function sum(kind: u32, a: usize, b: usize): i32 {
  let even = i32x4.splat(0), odd = i32x4.splat(0);
  for (const end = a + pointBytes; a < end; a += 16, b += 16) {
    even = i32x4.add(even, terms(kind, v128.load_ext<i8>(a), v128.load_ext<i8>(b)));
    odd = i32x4.add(odd, terms(kind, v128.load_ext<i8>(a, 8), v128.load_ext<i8>(b, 8)));
  }
  const total = i32x4.add(even, odd);
  return (
    i32x4.extract_lane(total, 0) + i32x4.extract_lane(total, 1) + (i32x4.extract_lane(total, 2) + i32x4.extract_lane(total, 3))
  );
}

/**
 * The order of one code by its distance from another, neither of them laid out. It also serves shifted bytes, whatever codes the space has.
 */
export function scalarOrder(a: usize, b: usize): u32 {
  if (metric == DOT) return SIGN - sum(DOT, a, b);
  if (metric == EUCLID) return sum(EUCLID, a, b);
  return sum(MANHATTAN, a, b);
}
