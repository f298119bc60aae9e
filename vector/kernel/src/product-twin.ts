/** Product quantization in plain TypeScript: centroids, codes and nearness as the kernel makes them, to the last bit. For tests. */
import { twinNearness } from './twin.ts';
import type { Metric } from './vector-space.ts';

/** The 256 centroids of one sub-vector, one after the other. */
export type TwinBook = readonly Int8Array[];

const centroids = 256;
const rounds = 8;

/** k-means from points all over the sample; a centroid that is nearest to none moves to the point that is farthest from all. */
export function twinTrain(sample: readonly Int8Array[]): TwinBook {
  let book: Int8Array[] = Array.from({ length: centroids }, (_, i) => pointAt(sample, Math.floor((sample.length * i) / centroids)).slice());
  let error = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const nearest = sample.map((point) => twinNearest(point, book));
    const squares = sample.map((point, i) => squareBetween(point, pointAt(book, nearest[i] ?? 0)));
    const remaining = squares.reduce((sum, square) => sum + square, 0);
    if (remaining >= error || remaining === 0) break;
    error = remaining;
    book = book.map((centroid, index) => meanOf(sample.filter((_, i) => nearest[i] === index)) ?? centroid);
    for (let index = 0; index < centroids; index++) {
      if (nearest.includes(index)) continue;
      const farthest = squares.reduce((best, square, i) => (square > (squares[best] ?? 0) ? i : best), 0);
      if (squares[farthest] === 0) break;
      const moved = pointAt(sample, farthest).slice();
      book[index] = moved;
      for (const [i, point] of sample.entries()) squares[i] = Math.min(squares[i] ?? 0, squareBetween(point, moved));
    }
  }
  return book;
}

/** The lowest index of those nearest. */
export function twinNearest(point: Int8Array, book: TwinBook): number {
  let best = 0;
  let bestSquare = Number.POSITIVE_INFINITY;
  for (const [index, centroid] of book.entries()) {
    const square = squareBetween(point, centroid);
    if (square >= bestSquare) continue;
    best = index;
    bestSquare = square;
  }
  return best;
}

/** The code of a point of bytes, and what it stands for. */
export function twinProductCode(point: Int8Array, books: readonly TwinBook[]): { readonly code: number[]; readonly decoded: Int8Array } {
  const width = point.length / books.length;
  const code = books.map((book, i) => twinNearest(point.subarray(i * width, (i + 1) * width), book));
  const decoded = new Int8Array(point.length);
  for (const [i, index] of code.entries()) decoded.set(pointAt(books[i] ?? [], index), i * width);
  return { code, decoded };
}

/** From a point of bytes to a code: the nearness of the point to what the code stands for. */
export function twinProductNearness(metric: Metric, point: Int8Array, code: readonly number[], books: readonly TwinBook[]): number {
  const width = point.length / books.length;
  const decoded = new Int8Array(point.length);
  for (const [i, index] of code.entries()) decoded.set(pointAt(books[i] ?? [], index), i * width);
  return twinNearness(metric, point, decoded);
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
