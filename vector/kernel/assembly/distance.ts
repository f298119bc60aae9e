/**
 * Distances between vectors that are padded with zeros to a multiple of four. Smaller is nearer: dot is negated, euclid is
 * squared. Four accumulators hide the latency of the additions; the twin in TypeScript adds in the same order.
 */
import { DOT, EUCLID, metric, stride } from './layout';

// @ts-ignore: decorator
@inline function sum(a: v128, b: v128, c: v128, d: v128): f32 {
  const total = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
  return (
    f32x4.extract_lane(total, 0) + f32x4.extract_lane(total, 1) + (f32x4.extract_lane(total, 2) + f32x4.extract_lane(total, 3))
  );
}

// @ts-ignore: decorator
@inline function dotTerm(a: usize, b: usize, offset: usize): v128 {
  return f32x4.mul(v128.load(a + offset), v128.load(b + offset));
}

// @ts-ignore: decorator
@inline function euclidTerm(a: usize, b: usize, offset: usize): v128 {
  const difference = f32x4.sub(v128.load(a + offset), v128.load(b + offset));
  return f32x4.mul(difference, difference);
}

// @ts-ignore: decorator
@inline function manhattanTerm(a: usize, b: usize, offset: usize): v128 {
  return f32x4.abs(f32x4.sub(v128.load(a + offset), v128.load(b + offset)));
}

function dot(a: usize, b: usize): f32 {
  let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
  const wideEnd = a + (stride & ~63);
  const end = a + stride;
  for (; a < wideEnd; a += 64, b += 64) {
    s0 = f32x4.add(s0, dotTerm(a, b, 0));
    s1 = f32x4.add(s1, dotTerm(a, b, 16));
    s2 = f32x4.add(s2, dotTerm(a, b, 32));
    s3 = f32x4.add(s3, dotTerm(a, b, 48));
  }
  for (; a < end; a += 16, b += 16) s0 = f32x4.add(s0, dotTerm(a, b, 0));
  return sum(s0, s1, s2, s3);
}

function euclid(a: usize, b: usize): f32 {
  let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
  const wideEnd = a + (stride & ~63);
  const end = a + stride;
  for (; a < wideEnd; a += 64, b += 64) {
    s0 = f32x4.add(s0, euclidTerm(a, b, 0));
    s1 = f32x4.add(s1, euclidTerm(a, b, 16));
    s2 = f32x4.add(s2, euclidTerm(a, b, 32));
    s3 = f32x4.add(s3, euclidTerm(a, b, 48));
  }
  for (; a < end; a += 16, b += 16) s0 = f32x4.add(s0, euclidTerm(a, b, 0));
  return sum(s0, s1, s2, s3);
}

function manhattan(a: usize, b: usize): f32 {
  let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
  const wideEnd = a + (stride & ~63);
  const end = a + stride;
  for (; a < wideEnd; a += 64, b += 64) {
    s0 = f32x4.add(s0, manhattanTerm(a, b, 0));
    s1 = f32x4.add(s1, manhattanTerm(a, b, 16));
    s2 = f32x4.add(s2, manhattanTerm(a, b, 32));
    s3 = f32x4.add(s3, manhattanTerm(a, b, 48));
  }
  for (; a < end; a += 16, b += 16) s0 = f32x4.add(s0, manhattanTerm(a, b, 0));
  return sum(s0, s1, s2, s3);
}

/** Sums that overflow to "not a number" count as infinitely far; zero has one sign, so that equal distances are equal keys. */
export function distance(a: usize, b: usize): f32 {
  let d: f32;
  if (metric == DOT) d = <f32>0 - dot(a, b);
  else if (metric == EUCLID) d = euclid(a, b);
  else d = manhattan(a, b);
  return d == d ? d : <f32>Infinity;
}
