// SPDX-License-Identifier: Apache-2.0
/**
 * A separate module: the distance between a list of vectors and a list of query vectors by MaxSim, the sum over the query vectors of the
 * distance to the nearest vector (O. Khattab and M. Zaharia, "ColBERT", SIGIR 2020, section 3.3). Smaller is nearer: dot is negated, euclid
 * squared, as in the kernel.
 *
 * The caller fills the module's memory: consecutive float32 vectors, each of a multiple of four components, padded with zeros. Four query
 * vectors are processed together, so that a vector is loaded once for four.
 */

export const DOT: u32 = 0;
export const EUCLID: u32 = 1;
export const MANHATTAN: u32 = 2;

// @ts-ignore: decorator
@inline function term(kind: u32, a: v128, b: v128): v128 {
  if (kind == DOT) return f32x4.mul(a, b);
  const difference = f32x4.sub(a, b);
  return kind == EUCLID ? f32x4.mul(difference, difference) : f32x4.abs(difference);
}

// @ts-ignore: decorator
@inline function total(kind: u32, sum: v128): f32 {
  const all =
    f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3));
  return kind == DOT ? -all : all;
}

// @ts-ignore: decorator
@inline function nearestOfFour(kind: u32, query: usize, bytes: usize, vectors: usize, end: usize): f64 {
  let best0 = f32.MAX_VALUE, best1 = f32.MAX_VALUE, best2 = f32.MAX_VALUE, best3 = f32.MAX_VALUE;
  for (let vector = vectors; vector < end; vector += bytes) {
    let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
    for (let at: usize = 0; at < bytes; at += 16) {
      const four = v128.load(vector + at);
      const first = query + at;
      s0 = f32x4.add(s0, term(kind, v128.load(first), four));
      s1 = f32x4.add(s1, term(kind, v128.load(first + bytes), four));
      s2 = f32x4.add(s2, term(kind, v128.load(first + 2 * bytes), four));
      s3 = f32x4.add(s3, term(kind, v128.load(first + 3 * bytes), four));
    }
    best0 = min(best0, total(kind, s0));
    best1 = min(best1, total(kind, s1));
    best2 = min(best2, total(kind, s2));
    best3 = min(best3, total(kind, s3));
  }
  return <f64>best0 + <f64>best1 + (<f64>best2 + <f64>best3);
}

// @ts-ignore: decorator
@inline function nearestOfOne(kind: u32, query: usize, bytes: usize, vectors: usize, end: usize): f64 {
  let best = f32.MAX_VALUE;
  for (let vector = vectors; vector < end; vector += bytes) {
    let sum = f32x4.splat(0);
    for (let at: usize = 0; at < bytes; at += 16) sum = f32x4.add(sum, term(kind, v128.load(query + at), v128.load(vector + at)));
    best = min(best, total(kind, sum));
  }
  return <f64>best;
}

// @ts-ignore: decorator
@inline function sumOver(kind: u32, query: usize, queryEnd: usize, bytes: usize, vectors: usize, end: usize): f64 {
  let sum: f64 = 0;
  let at = query;
  for (; at + 4 * bytes <= queryEnd; at += 4 * bytes) sum += nearestOfFour(kind, at, bytes, vectors, end);
  for (; at < queryEnd; at += bytes) sum += nearestOfOne(kind, at, bytes, vectors, end);
  return sum;
}

// Separate functions, so that each is compiled for one case.
function dot(query: usize, queryEnd: usize, bytes: usize, vectors: usize, end: usize): f64 {
  return sumOver(DOT, query, queryEnd, bytes, vectors, end);
}
function euclid(query: usize, queryEnd: usize, bytes: usize, vectors: usize, end: usize): f64 {
  return sumOver(EUCLID, query, queryEnd, bytes, vectors, end);
}
function manhattan(query: usize, queryEnd: usize, bytes: usize, vectors: usize, end: usize): f64 {
  return sumOver(MANHATTAN, query, queryEnd, bytes, vectors, end);
}

/** @param bytes of one vector; all addresses are multiples of 16 */
export function distance(kind: u32, query: usize, queryEnd: usize, bytes: usize, vectors: usize, end: usize): f64 {
  if (kind == DOT) return dot(query, queryEnd, bytes, vectors, end);
  return kind == EUCLID ? euclid(query, queryEnd, bytes, vectors, end) : manhattan(query, queryEnd, bytes, vectors, end);
}
