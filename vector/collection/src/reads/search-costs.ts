// SPDX-License-Identifier: Apache-2.0
/**
 * What the plans of a search cost, in microseconds, from the bytes that they read and the rows that they visit. The constants are those that
 * search-costs.bench.ts prints for GloVe-100 and Fashion-MNIST (784 components), rounded; its table shows which plan they lead to. On another
 * machine they are off by nearly the same factor, and only their ratios decide.
 */

/** A row that an exact scan measures: fixed, and for each byte of its vector. */
const SCANNED_ROW = 0.009;
const SCANNED_BYTE = 0.000023;
/** The same where vectors are read from storage. */
const READ_ROW = 2;
const READ_BYTE = 0.0004;
/** What a row of a cluster costs more: it is named by its number, and does not follow the row before it in memory. */
const NAMED_ROW = 0.003;
/** A row that is assigned to a cluster, beside being read. */
const ASSIGNED_ROW = 4;
/** Laying out the query where codes are projections: for each component of it and each byte of a code. */
const PROJECTED_BYTE = 0.00002;
/** A quantized flat scan: rescoring the nearest by their vectors; then for each row, fixed and for each byte of its code. */
const QUANTIZED_SCAN = 4;
const QUANTIZED_ROW = 0.0005;
const QUANTIZED_BYTE = 0.00005;
/** A row whose neighbours a graph search visits: fixed, and for each byte of the codes that it compares there. */
const EXPANSION = 0.8;
const EXPANSION_BYTE = 0.0003;
/** A neighbour's neighbour that is tested against the filter. */
const TESTED_ROW = 0.0004;
/** A point that is fetched and on which a filter is evaluated: fixed, and for each character of its payload. */
const EVALUATED_POINT = 2;
const EVALUATED_CHARACTER = 0.01;

/** What one row takes in memory. */
export type RowBytes = {
  readonly vector: number;
  /** The code that graph searches and quantized scans compare. */
  readonly code: number;
  /** Components of a vector, where codes are projections of it. */
  readonly projected?: number;
  /** Whether the vector is not in memory, but in storage alone. */
  readonly isVectorStored?: boolean;
};

type GraphSearch = { readonly ef: number; readonly m: number; readonly share: number; readonly bytes: RowBytes };

type Rows = { readonly rows: number; readonly bytes: RowBytes };

/** All of `rows` by their vectors. */
export function scanCost({ rows, bytes }: { readonly rows: number; readonly bytes: Omit<RowBytes, 'code'> }): number {
  if (bytes.isVectorStored) return rows * (READ_ROW + bytes.vector * READ_BYTE);
  return rows * (SCANNED_ROW + bytes.vector * SCANNED_BYTE);
}

/** All of `rows` by their codes, in so many shards. */
export function quantizedScanCost({ rows, bytes, shards = 1 }: Rows & { readonly shards?: number }): number {
  return shards * (QUANTIZED_SCAN + layoutCost(bytes)) + quantizedRowsCost({ rows, bytes });
}

/** The part of a quantized scan that grows with the rows. */
export function quantizedRowsCost({ rows, bytes }: Rows): number {
  return rows * (QUANTIZED_ROW + bytes.code * QUANTIZED_BYTE);
}

/** Rows of clusters by their codes. */
export function clusterScanCost({ rows, bytes }: Rows): number {
  return QUANTIZED_SCAN + layoutCost(bytes) + quantizedRowsCost({ rows, bytes }) + rows * NAMED_ROW;
}

/** Ranking the clusters by their centroids, of float32. */
export function centroidRankingCost({ centroids, dimension }: { readonly centroids: number; readonly dimension: number }): number {
  return scanCost({ rows: centroids, bytes: { vector: dimension * Float32Array.BYTES_PER_ELEMENT } });
}

/** Training clusters on so many rows, which are read from storage. */
export function trainingCost({ rows, bytes }: Rows): number {
  return rows * (READ_ROW + bytes.vector * READ_BYTE + ASSIGNED_ROW);
}

function layoutCost({ projected = 0, code }: RowBytes): number {
  return projected * code * PROJECTED_BYTE;
}

/**
 * A graph search expands about `ef` rows. With a filter it wants at each three quarters of a list of 2 m links, and tests as many
 * rows as that takes where a `share` of them passes, but no more than there are within two hops.
 */
export function graphSearchCost({ ef, m, share, bytes }: GraphSearch): number {
  const links = 2 * m;
  const tested = Math.min(links * (links + 1), (0.75 * links) / share);
  return layoutCost(bytes) + ef * (EXPANSION + bytes.code * EXPANSION_BYTE + tested * TESTED_ROW);
}

/** Fetching a point whose payload has so many characters, and evaluating a filter on it. */
export function evaluationCost(characters: number): number {
  return EVALUATED_POINT + characters * EVALUATED_CHARACTER;
}
