/**
 * What the ways of a search cost, in microseconds, from the bytes that they read and the rows that they look at. The constants are those that
 * search-costs.bench.ts prints for GloVe vectors (100 components) and Fashion-MNIST (784), rounded; its table says what they lead the planner to. On another
 * machine they are off by a factor that is nearly the same for all, and only their ratios decide.
 */

/** A row that a scan measures: fixed, and for each byte of its vector. */
const SCANNED_ROW = 0.009;
const SCANNED_BYTE = 0.000023;
/** The same where vectors are read from storage. */
const READ_ROW = 2;
const READ_BYTE = 0.0004;
/** What a row of a group takes more: it is named by its number, and lies where the row before it does not. */
const NAMED_ROW = 0.003;
/** A row that is given a group, beside being read. */
const GROUPED_ROW = 4;
/** Laying out the query where codes are projections: for each component of it and each byte of a code. */
const PROJECTED_BYTE = 0.00002;
/** A sweep: the nearest, which are measured by their vectors; then for each row, fixed and for each byte of its code. */
const SWEEP = 4;
const SWEPT_ROW = 0.0005;
const SWEPT_BYTE = 0.00005;
/** A row that a walk goes on from: fixed, and for each byte of the codes that it compares there. */
const EXPANSION = 0.8;
const EXPANSION_BYTE = 0.0003;
/** A neighbour's neighbour that is held against the filter. */
const TESTED_ROW = 0.0004;
/** A point that is fetched and held against a filter: fixed, and for each character of its payload. */
const EVALUATED_POINT = 2;
const EVALUATED_CHARACTER = 0.01;

/** What one row takes in memory. */
export type RowBytes = {
  readonly vector: number;
  /** What walks and sweeps compare. */
  readonly code: number;
  /** Components of a vector, where codes are projections of it. */
  readonly projected?: number;
  /** Whether the vector is not in memory, but in storage alone. */
  readonly isVectorStored?: boolean;
};

type Rows = { readonly rows: number; readonly bytes: RowBytes };

/** All of `rows` by their vectors. */
export function scanCost({ rows, bytes }: { readonly rows: number; readonly bytes: Omit<RowBytes, 'code'> }): number {
  if (bytes.isVectorStored) return rows * (READ_ROW + bytes.vector * READ_BYTE);
  return rows * (SCANNED_ROW + bytes.vector * SCANNED_BYTE);
}

/** All of `rows` by their codes, in so many shards. */
export function sweepCost({ rows, bytes, shards = 1 }: Rows & { readonly shards?: number }): number {
  return shards * (SWEEP + layoutCost(bytes)) + sweptCost({ rows, bytes });
}

/** The part of a sweep that grows with the rows. */
export function sweptCost({ rows, bytes }: Rows): number {
  return rows * (SWEPT_ROW + bytes.code * SWEPT_BYTE);
}

/** Rows of groups by their codes. */
export function groupedCost({ rows, bytes }: Rows): number {
  return SWEEP + layoutCost(bytes) + sweptCost({ rows, bytes }) + rows * NAMED_ROW;
}

/** Which groups are nearest, by means of float32. */
export function rankingCost({ means, dimension }: { readonly means: number; readonly dimension: number }): number {
  return scanCost({ rows: means, bytes: { vector: dimension * Float32Array.BYTES_PER_ELEMENT } });
}

/** Grouping so many rows, which are read from storage. */
export function learningCost({ rows, bytes }: Rows): number {
  return rows * (READ_ROW + bytes.vector * READ_BYTE + GROUPED_ROW);
}

function layoutCost({ projected = 0, code }: RowBytes): number {
  return projected * code * PROJECTED_BYTE;
}

/**
 * A walk expands about as many rows as its beam is wide. With a filter it wants at each three quarters of a list of 2 m links, and tests as many
 * rows as that takes where a `share` of them passes, but no more than there are within two steps.
 */
export function walkCost({
  ef,
  m,
  share,
  bytes,
}: {
  readonly ef: number;
  readonly m: number;
  readonly share: number;
  readonly bytes: RowBytes;
}): number {
  const links = 2 * m;
  const tested = Math.min(links * (links + 1), (0.75 * links) / share);
  return layoutCost(bytes) + ef * (EXPANSION + bytes.code * EXPANSION_BYTE + tested * TESTED_ROW);
}

/** Fetching a point whose payload has so many characters, and holding it against a filter. */
export function evaluationCost(characters: number): number {
  return EVALUATED_POINT + characters * EVALUATED_CHARACTER;
}
