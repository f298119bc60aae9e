// SPDX-License-Identifier: Apache-2.0
/**
 * Learns the 256 centroids of one sub-vector from a sample by k-means (S. Lloyd, Least squares quantization in PCM, 1982), in integers
 * throughout, so that equal samples give equal centroids everywhere. It begins with points from the whole sample. A centroid without points
 * moves to the point that is farthest from its centroid (T. Gonzalez, Clustering to minimize the maximum intercluster distance, 1985).
 */
import { CENTROIDS, nearestCentroid, nearestSquare } from './product-assign';

const ROUNDS: u32 = 8;

/** Bytes of scratch memory for a sample of `count` points of `width` bytes. */
export function trainingBytes(count: u32, width: u32): u32 {
  return CENTROIDS * ((width << 2) + 4) + (count << 2);
}

/** Writes the centroids of `count` points, at least one, to `codebook`; `scratch` has `trainingBytes`. */
export function train(width: u32, sample: usize, count: u32, codebook: usize, scratch: usize): void {
  for (let i: u32 = 0; i < CENTROIDS; i++) {
    memory.copy(codebook + i * width, sample + <u32>((<u64>count * i) / CENTROIDS) * width, width);
  }
  let error: u64 = u64.MAX_VALUE;
  for (let round: u32 = 0; round < ROUNDS; round++) {
    const squares = scratch + CENTROIDS * ((width << 2) + 4);
    const remaining = assign(width, sample, count, codebook, scratch, squares);
    if (remaining >= error || remaining == 0) return;
    error = remaining;
    moveToMeans(width, codebook, scratch);
    moveUnused(width, sample, count, codebook, scratch, squares);
  }
}

// @ts-ignore: decorator
@inline function countOf(scratch: usize, centroid: u32): usize { return scratch + (centroid << 2); }
// @ts-ignore: decorator
@inline function sumsOf(scratch: usize, width: u32, centroid: u32): usize { return scratch + (CENTROIDS << 2) + ((centroid * width) << 2); }

/** Adds each point to its nearest centroid. Returns the sum of the squared distances. */
function assign(width: u32, sample: usize, count: u32, codebook: usize, scratch: usize, squares: usize): u64 {
  memory.fill(scratch, 0, CENTROIDS * ((width << 2) + 4));
  let error: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const point = sample + i * width;
    const centroid = nearestCentroid(width, point, codebook);
    store<i32>(squares + (i << 2), nearestSquare);
    error += nearestSquare;
    store<u32>(countOf(scratch, centroid), load<u32>(countOf(scratch, centroid)) + 1);
    const sums = sumsOf(scratch, width, centroid);
    for (let c: u32 = 0; c < width; c++) store<i32>(sums + (c << 2), load<i32>(sums + (c << 2)) + load<i8>(point + c));
  }
  return error;
}

function moveToMeans(width: u32, codebook: usize, scratch: usize): void {
  for (let centroid: u32 = 0; centroid < CENTROIDS; centroid++) {
    const points = load<u32>(countOf(scratch, centroid));
    if (points == 0) continue;
    const sums = sumsOf(scratch, width, centroid);
    for (let c: u32 = 0; c < width; c++) {
      store<i8>(codebook + centroid * width + c, <i8>Math.floor(<f64>load<i32>(sums + (c << 2)) / <f64>points + 0.5));
    }
  }
}

function moveUnused(width: u32, sample: usize, count: u32, codebook: usize, scratch: usize, squares: usize): void {
  for (let centroid: u32 = 0; centroid < CENTROIDS; centroid++) {
    if (load<u32>(countOf(scratch, centroid)) != 0) continue;
    let farthest: u32 = 0;
    for (let i: u32 = 1; i < count; i++) if (load<i32>(squares + (i << 2)) > load<i32>(squares + (farthest << 2))) farthest = i;
    if (load<i32>(squares + (farthest << 2)) == 0) return;
    const moved = codebook + centroid * width;
    memory.copy(moved, sample + farthest * width, width);
    for (let i: u32 = 0; i < count; i++) {
      const square = squareBetween(width, sample + i * width, moved);
      if (square < load<i32>(squares + (i << 2))) store<i32>(squares + (i << 2), square);
    }
  }
}

function squareBetween(width: u32, a: usize, b: usize): i32 {
  let sum: i32 = 0;
  for (let c: u32 = 0; c < width; c++) {
    const difference = <i32>load<i8>(a + c) - <i32>load<i8>(b + c);
    sum += difference * difference;
  }
  return sum;
}
