// SPDX-License-Identifier: Apache-2.0
/**
 * Reference implementation of product quantization in plain TypeScript: centroids, codes and nearness, equal to the last bit. For tests.
 */
import { referenceNearness } from './reference.ts';
import type { Metric } from './vector-space.ts';

/** The 256 centroids of one sub-vector. */
export type ReferenceCodebook = readonly Int8Array[];

const centroids = 256;
const rounds = 8;

/** k-means, starting with points from the whole sample. A centroid without points moves to the point that is farthest from its centroid. */
export function referenceTrain(sample: readonly Int8Array[]): ReferenceCodebook {
  let codebook: Int8Array[] = Array.from({ length: centroids }, (_, i) =>
    pointAt(sample, Math.floor((sample.length * i) / centroids)).slice(),
  );
  let error = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const nearest = sample.map((point) => referenceNearest(point, codebook));
    const squares = sample.map((point, i) => squareBetween(point, pointAt(codebook, nearest[i] ?? 0)));
    const remaining = squares.reduce((sum, square) => sum + square, 0);
    if (remaining >= error || remaining === 0) break;
    error = remaining;
    codebook = codebook.map((centroid, index) => meanOf(sample.filter((_, i) => nearest[i] === index)) ?? centroid);
    for (let index = 0; index < centroids; index++) {
      if (nearest.includes(index)) continue;
      const farthest = squares.reduce((best, square, i) => (square > (squares[best] ?? 0) ? i : best), 0);
      if (squares[farthest] === 0) break;
      const moved = pointAt(sample, farthest).slice();
      codebook[index] = moved;
      for (const [i, point] of sample.entries()) squares[i] = Math.min(squares[i] ?? 0, squareBetween(point, moved));
    }
  }
  return codebook;
}

/** The lowest index of the nearest. */
export function referenceNearest(point: Int8Array, codebook: ReferenceCodebook): number {
  let best = 0;
  let bestSquare = Number.POSITIVE_INFINITY;
  for (const [index, centroid] of codebook.entries()) {
    const square = squareBetween(point, centroid);
    if (square >= bestSquare) continue;
    best = index;
    bestSquare = square;
  }
  return best;
}

/** The code of a vector of bytes, and the vector that it represents. */
export function referenceProductCode(
  point: Int8Array,
  codebooks: readonly ReferenceCodebook[],
): { readonly code: number[]; readonly decoded: Int8Array } {
  const width = point.length / codebooks.length;
  const code = codebooks.map((codebook, i) => referenceNearest(point.subarray(i * width, (i + 1) * width), codebook));
  const decoded = new Int8Array(point.length);
  for (const [i, index] of code.entries()) decoded.set(pointAt(codebooks[i] ?? [], index), i * width);
  return { code, decoded };
}

/** The nearness of a vector of bytes to the vector that a code represents. */
export function referenceProductNearness(
  metric: Metric,
  point: Int8Array,
  code: readonly number[],
  codebooks: readonly ReferenceCodebook[],
): number {
  const width = point.length / codebooks.length;
  const decoded = new Int8Array(point.length);
  for (const [i, index] of code.entries()) decoded.set(pointAt(codebooks[i] ?? [], index), i * width);
  return referenceNearness(metric, point, decoded);
}

function meanOf(points: readonly Int8Array[]): Int8Array | undefined {
  const [first] = points;
  return first?.map((_, c) => Math.floor(points.reduce((sum, point) => sum + (point[c] ?? 0), 0) / points.length + 0.5));
}

function squareBetween(a: Int8Array, b: Int8Array): number {
  return a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0);
}

function pointAt(points: readonly Int8Array[], index: number): Int8Array {
  return points[index] ?? new Int8Array();
}
