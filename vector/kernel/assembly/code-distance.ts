/**
 * Distances between codes, as unsigned integers that order as the distances do. Sixteen-bit products are added in pairs into 32 bits, which
 * hold the largest sum: 65536 components times 255 squared. Four candidates at a time share the loads of the one that they are held
 * against, and a candidate that is on its way from memory does not keep the others waiting.
 */
import { DOT, EUCLID, codeStride, metric } from './layout';

const MANHATTAN: u32 = 2;
/** Turns the order of signed integers into that of unsigned ones. */
const SIGN: i32 = i32.MIN_VALUE;

// @ts-ignore: decorator
@inline function terms(kind: u32, a: v128, code: usize): v128 {
  const b = v128.load_ext<i8>(code);
  if (kind == DOT) return i32x4.dot_i16x8_s(a, b);
  const difference = i16x8.sub(a, b);
  if (kind == EUCLID) return i32x4.dot_i16x8_s(difference, difference);
  return i32x4.extadd_pairwise_i16x8_s(i16x8.abs(difference));
}

// @ts-ignore: decorator
@inline function sum(kind: u32, a: usize, b: usize): u32 {
  let even = i32x4.splat(0), odd = i32x4.splat(0);
  const wideEnd = a + (codeStride & ~15);
  const isOdd = (codeStride & 8) != 0;
  for (; a < wideEnd; a += 16, b += 16) {
    even = i32x4.add(even, terms(kind, v128.load_ext<i8>(a), b));
    odd = i32x4.add(odd, terms(kind, v128.load_ext<i8>(a, 8), b + 8));
  }
  if (isOdd) even = i32x4.add(even, terms(kind, v128.load_ext<i8>(a), b));
  const total = i32x4.add(even, odd);
  return (
    i32x4.extract_lane(total, 0) + i32x4.extract_lane(total, 1) + (i32x4.extract_lane(total, 2) + i32x4.extract_lane(total, 3))
  );
}

// @ts-ignore: decorator
@inline function sumFour(kind: u32, from: usize, a: usize, b: usize, c: usize, d: usize): v128 {
  let sa = i32x4.splat(0), sb = i32x4.splat(0), sc = i32x4.splat(0), sd = i32x4.splat(0);
  for (const end = from + codeStride; from < end; from += 8, a += 8, b += 8, c += 8, d += 8) {
    const point = v128.load_ext<i8>(from);
    sa = i32x4.add(sa, terms(kind, point, a));
    sb = i32x4.add(sb, terms(kind, point, b));
    sc = i32x4.add(sc, terms(kind, point, c));
    sd = i32x4.add(sd, terms(kind, point, d));
  }
  const ab = i32x4.add(v128.shuffle<i32>(sa, sb, 0, 4, 1, 5), v128.shuffle<i32>(sa, sb, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(sc, sd, 0, 4, 1, 5), v128.shuffle<i32>(sc, sd, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

/** Smaller is nearer: dot is negated, euclid squared. */
export function codeOrder(a: usize, b: usize): u32 {
  if (metric == DOT) return SIGN - sum(DOT, a, b);
  if (metric == EUCLID) return sum(EUCLID, a, b);
  return sum(MANHATTAN, a, b);
}

/** `codeOrder` from one code to four others. */
export function codeOrders(from: usize, a: usize, b: usize, c: usize, d: usize): v128 {
  if (metric == DOT) return i32x4.sub(i32x4.splat(SIGN), sumFour(DOT, from, a, b, c, d));
  if (metric == EUCLID) return sumFour(EUCLID, from, a, b, c, d);
  return sumFour(MANHATTAN, from, a, b, c, d);
}
