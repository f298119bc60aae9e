// SPDX-License-Identifier: Apache-2.0
/**
 * Distances from a vector of signed bytes to a product code (H. Jégou, M. Douze, C. Schmid, Product quantization for nearest neighbor
 * search, TPAMI 2011): each byte of the code names one of the 256 centroids of a sub-vector. It is the asymmetric distance of the paper,
 * but without a table of distances for each search. Centroids are bytes too, so a code is read through the codebook straight into the lanes
 * of a distance between bytes. For sub-vectors of up to four components the codebook is no larger than such a table, stays in the cache
 * from one search to the next, and serves every metric.
 */
import { DOT, EUCLID, metric } from '../../memory/layout';
import { CENTROIDS } from './product-assign';

const MANHATTAN: u32 = 2;

/** Maps the order of signed integers to that of unsigned ones. */
const SIGN: i32 = i32.MIN_VALUE;

// @ts-ignore: decorator
@inline function terms(kind: u32, a: v128, b: v128): v128 {
  if (kind == DOT) return i32x4.dot_i16x8_s(a, b);
  const difference = i16x8.sub(a, b);
  if (kind == EUCLID) return i32x4.dot_i16x8_s(difference, difference);
  return i32x4.extadd_pairwise_i16x8_s(i16x8.abs(difference));
}

/** The centroid that a byte of a code names; `codebook` begins with the centroids of that byte. */
// @ts-ignore: decorator
@inline function centroid(width: u32, codebook: usize, code: usize): usize { return codebook + <u32>load<u8>(code) * width; }

/** Eight components, from the centroids that hold them. */
// @ts-ignore: decorator
@inline function eightOf(width: u32, codebook: usize, code: usize): v128 {
  const next = CENTROIDS * width;
  if (width == 8) return v128.load_ext<i8>(centroid(8, codebook, code));
  let bytes: v128;
  if (width == 4) {
    bytes = v128.load_zero<u32>(centroid(4, codebook, code));
    bytes = v128.load_lane<u32>(centroid(4, codebook + next, code + 1), bytes, 1);
  } else if (width == 2) {
    bytes = v128.load_lane<u16>(centroid(2, codebook, code), i16x8.splat(0), 0);
    bytes = v128.load_lane<u16>(centroid(2, codebook + next, code + 1), bytes, 1);
    bytes = v128.load_lane<u16>(centroid(2, codebook + 2 * next, code + 2), bytes, 2);
    bytes = v128.load_lane<u16>(centroid(2, codebook + 3 * next, code + 3), bytes, 3);
  } else {
    bytes = v128.load_lane<u8>(centroid(1, codebook, code), i8x16.splat(0), 0);
    bytes = v128.load_lane<u8>(centroid(1, codebook + next, code + 1), bytes, 1);
    bytes = v128.load_lane<u8>(centroid(1, codebook + 2 * next, code + 2), bytes, 2);
    bytes = v128.load_lane<u8>(centroid(1, codebook + 3 * next, code + 3), bytes, 3);
    bytes = v128.load_lane<u8>(centroid(1, codebook + 4 * next, code + 4), bytes, 4);
    bytes = v128.load_lane<u8>(centroid(1, codebook + 5 * next, code + 5), bytes, 5);
    bytes = v128.load_lane<u8>(centroid(1, codebook + 6 * next, code + 6), bytes, 6);
    bytes = v128.load_lane<u8>(centroid(1, codebook + 7 * next, code + 7), bytes, 7);
  }
  return i16x8.extend_low_i8x16_s(bytes);
}

// @ts-ignore: decorator
@inline function sum(kind: u32, width: u32, codebook: usize, point: usize, code: usize, end: usize): u32 {
  let total = i32x4.splat(0);
  if (width == 16) {
    for (; code < end; code += 1, point += 16, codebook += CENTROIDS * 16) {
      const at = centroid(16, codebook, code);
      total = i32x4.add(total, terms(kind, v128.load_ext<i8>(point), v128.load_ext<i8>(at)));
      total = i32x4.add(total, terms(kind, v128.load_ext<i8>(point, 8), v128.load_ext<i8>(at, 8)));
    }
  } else {
    for (; code < end; code += 8 / width, point += 8, codebook += CENTROIDS * 8) {
      total = i32x4.add(total, terms(kind, v128.load_ext<i8>(point), eightOf(width, codebook, code)));
    }
  }
  return (
    i32x4.extract_lane(total, 0) + i32x4.extract_lane(total, 1) + (i32x4.extract_lane(total, 2) + i32x4.extract_lane(total, 3))
  );
}

// @ts-ignore: decorator
@inline function sumOfKind(kind: u32, width: u32, codebook: usize, point: usize, code: usize, end: usize): u32 {
  if (width == 16) return sum(kind, 16, codebook, point, code, end);
  if (width == 8) return sum(kind, 8, codebook, point, code, end);
  if (width == 4) return sum(kind, 4, codebook, point, code, end);
  if (width == 2) return sum(kind, 2, codebook, point, code, end);
  return sum(kind, 1, codebook, point, code, end);
}

/**
 * The distance from a vector of bytes to a code of `bytes` bytes, as an unsigned integer: smaller is nearer, dot is negated, euclid
 * squared.
 */
export function productOrder(width: u32, codebook: usize, point: usize, code: usize, bytes: u32): u32 {
  if (metric == DOT) return SIGN - sumOfKind(DOT, width, codebook, point, code, code + bytes);
  if (metric == EUCLID) return sumOfKind(EUCLID, width, codebook, point, code, code + bytes);
  return sumOfKind(MANHATTAN, width, codebook, point, code, code + bytes);
}
