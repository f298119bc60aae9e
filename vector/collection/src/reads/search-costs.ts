/**
 * What the ways of a filtered search cost, in microseconds. The constants are those of search-costs.bench.ts on one core with AVX-512; on another
 * machine they are off by a factor that is nearly the same for all, and only their ratios decide. Those of an expansion lie between the bench's vectors, which
 * are random (0.13 and 0.0009), and real ones (GloVe 100-d 0.27, Fashion-MNIST 784-d 0.45 in all), of which a walk meets fewer anew at each step.
 */

/** A row that a scan measures: fixed, and for each component of its vector. */
const SCANNED_ROW = 0.025;
const SCANNED_COMPONENT = 0.0001;
/** A sweep: before it begins, then for each row, fixed and for each component of its code. */
const SWEEP = 1.6;
const SWEPT_ROW = 0.014;
const SWEPT_COMPONENT = 0.00005;
/** A row that a filtered walk goes on from: fixed, and for each component of the codes that it measures there. */
const EXPANSION = 0.17;
const EXPANSION_COMPONENT = 0.0005;
/** A neighbour's neighbour that is held against the filter. */
const TESTED_ROW = 0.0009;

type Rows = { readonly rows: number; readonly dimension: number };

/** All of `rows` by their vectors. */
export function scanCost({ rows, dimension }: Rows): number {
  return rows * (SCANNED_ROW + dimension * SCANNED_COMPONENT);
}

/** All of `rows` by their codes. */
export function sweepCost({ rows, dimension }: Rows): number {
  return SWEEP + rows * (SWEPT_ROW + dimension * SWEPT_COMPONENT);
}

/**
 * A filtered walk expands about as many rows as its beam is wide. At each it wants three quarters of a list of 2 m links, and tests as many
 * rows as that takes where a `share` of them passes, but no more than there are within two steps.
 */
export function walkCost({ ef, m, share, dimension }: { ef: number; m: number; share: number; dimension: number }): number {
  const links = 2 * m;
  const tested = Math.min(links * (links + 1), (0.75 * links) / share);
  return ef * (EXPANSION + dimension * EXPANSION_COMPONENT + tested * TESTED_ROW);
}
