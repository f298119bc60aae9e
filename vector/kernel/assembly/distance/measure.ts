// SPDX-License-Identifier: Apache-2.0
/**
 * Chooses what the graph compares rows by: their codes while these are in use, otherwise their vectors. Either way nearness is an unsigned
 * integer, and smaller is nearer. The choice belongs to this instance. It is made when a search or a step of the indexer begins, and holds
 * until its end.
 */
import { encodeBinary, layOutBinary } from '../codes/binary/binary-codes';
import { binaryOrder, setLaidOut } from '../codes/binary/binary-distance';
import { decodeProduct } from '../codes/product/product-codes';
import { productOrder } from '../codes/product/product-distance';
import { reduce } from '../codes/reduced/reduced-codes';
import { wholeCode } from '../codes/scalar/scalar-codes';
import { orderOf, valueOf } from '../memory/keys';
import {
  CODEBOOK, CODES, EUCLID, MANHATTAN, QUERY_BITS, codeOf, codesOffset, codeStride, codeWidth, hasCodebook, isBinary, isReduced,
  isReducible, metric, pointBytes, readCodeLayout, releasesVectors, stride, vectorOf,
} from '../memory/layout';
import { query, queryCode } from '../memory/workspace';
import { codeOrder, setQueryCode } from './code-distance';
import { distance } from './distance';

export let coded: bool = false;
/** Bit planes of a query for binary codes by default, and while rows are linked. */
const QUERY_BITS_DEFAULT: u32 = 4;

/** The codebook of product or binary codes. */
let codebook: usize = 0;
/**
 * Whether product codes are compared with each other, for which one of them is decoded; and the address of the code that was decoded last.
 */
let decodes: bool = false;
let decoded: usize = 0;

export function chooseMeasure(): void {
  coded = atomic.load<u32>(CODES) != 0;
  readCodeLayout();
  codebook = load<u32>(CODEBOOK);
  decodes = false;
}

/**
 * For work on the graph, which compares rows with rows. Two product or binary codes say less about their distance than the vectors do, and
 * are no quicker to compare.
 */
export function chooseMeasureToLink(): void {
  chooseMeasure();
  if (!hasCodebook) return;
  decoded = 0;
  decodes = releasesVectors;
  if (!decodes) measureVectors();
}

export function measureVectors(): void {
  coded = false;
}

/** Address of the row's code or vector. */
// @ts-ignore: decorator
@inline export function pointOf(row: u32): usize { return coded ? codeOf(row) : vectorOf(row); }

/**
 * Whether the points of a block are contiguous, `comparedBytes` apart, and the offset of the first. Vectors that are to be released lie
 * anywhere.
 */
// @ts-ignore: decorator
@inline export function pointsAreSideBySide(): bool { return coded || !releasesVectors; }
// @ts-ignore: decorator
@inline export function pointsOffset(): u32 { return coded ? codesOffset : 0; }

/** Bytes of a row's code or vector. */
// @ts-ignore: decorator
@inline export function comparedBytes(): u32 { return coded ? codeStride : stride; }

/** Bytes that `layOut` writes to. */
// @ts-ignore: decorator
@inline export function laidOutBytes(): u32 { return isReducible ? pointBytes << 1 : pointBytes; }

/** Makes the query that codes are compared with, at `to` if it is not the vector itself. Returns its address. */
export function layOut(vector: usize, to: usize): usize {
  if (isBinary) {
    layOutForBinary(vector, to, load<u32>(QUERY_BITS));
    return to;
  }
  const whole = wholeCode(vector, to);
  if (!isReduced) return whole;
  reduce(whole, to + pointBytes);
  return to + pointBytes;
}

function layOutForBinary(vector: usize, point: usize, bits: u32): void {
  if (bits == 1) encodeBinary(vector, load<u32>(CODEBOOK), point, point);
  else layOutBinary(vector, load<u32>(CODEBOOK), point, max(bits, QUERY_BITS_DEFAULT));
  setLaidOut(bits == 1 ? 0 : point, 0);
}

/** What other rows are compared with while a row is linked: its laid-out vector where that says more than its code, otherwise its point. */
export function basePointOf(row: u32): usize {
  if (!isBinary || !coded || vectorOf(row) == 0) return pointOf(row);
  layOutBinary(vectorOf(row), codebook, query, QUERY_BITS_DEFAULT);
  setLaidOut(query, codeOf(row));
  return query;
}

/** From a point to a code. */
export function codeNearness(point: usize, code: usize): u32 {
  if (isBinary) return binaryOrder(point, code);
  if (codeWidth == 0) return codeOrder(point, code);
  return productOrder(codeWidth, codebook, decodes ? decodedFrom(point) : point, code, codeStride);
}

function decodedFrom(code: usize): usize {
  const point = query + pointBytes;
  if (code == decoded) return point;
  decodeProduct(code, codebook, point);
  decoded = code;
  return point;
}

/** Between rows of the graph: `b` is what `pointOf` returns, or `a` itself. */
export function nearness(a: usize, b: usize): u32 {
  return coded ? codeNearness(a, b) : orderOf(distance(a, b));
}

/** Whether points are codes that are compared with the query four at a time after `setQuery`. */
// @ts-ignore: decorator
@inline export function inFours(): bool { return coded && !hasCodebook; }

/** Prepares the comparison of many points with one. */
export function setQuery(point: usize): void {
  if (inFours()) setQueryCode(point, queryCode);
}

/**
 * Distances are multiplied by this before a neighbour has to be nearer, see `selectNeighbours`; by its root where distances are not
 * squared. On 20,000 GloVe-100 vectors a larger factor is a little better, on 100,000 a smaller one.
 */
const SHORTENED: f64 = 1 / 1.1;
const SHORTENED_ROOT: f64 = 0.9535;

/**
 * A distance from a point, shortened: only the part beyond the distance of the point from itself. By euclid, the reduced code of a point
 * may be as far from itself as from another, so the distance itself is shortened there.
 */
export function shortened(order: u32, toItself: u32): u32 {
  if (isReduced && coded && metric == EUCLID) return <u32>Math.ceil(<f64>order * SHORTENED);
  if (order <= toItself) return order;
  const share = metric == MANHATTAN ? SHORTENED_ROOT : SHORTENED;
  // Rounded up, so that the same integers are below it as below the product.
  if (coded && !isBinary) return toItself + <u32>Math.ceil(<f64>(order - toItself) * share);
  const nearest: f64 = valueOf(toItself);
  return orderOf(<f32>(nearest + (<f64>valueOf(order) - nearest) * share));
}
