/**
 * Which way a nearest-neighbour request goes. Between the ways of a filtered search costs decide (search-costs.ts), where both find what they
 * should: a walk loses its way where few rows pass, or where those around the query pass less often than others do.
 */
import { scanCost, sweepCost, walkCost } from './search-costs.ts';

export type SearchPlan =
  /** Every live row, exactly. */
  | { readonly kind: 'scan-all' }
  /** The rows of the filter, exactly. */
  | { readonly kind: 'scan-candidates' }
  /** The rows of the filter, by their codes. */
  | { readonly kind: 'sweep-candidates' }
  /** The graph of the rows of the filter. */
  | { readonly kind: 'filtered-graph'; readonly ef: number }
  /** The graph alone. */
  | { readonly kind: 'graph' }
  /** The graph, each hit then held against its payload: for filters that no index decides. */
  | { readonly kind: 'post-check' };

export type PlanInput = {
  readonly exact: boolean;
  /** Rows that the graph reaches; 0 without a graph. */
  readonly indexedCount: number;
  readonly liveCount: number;
  readonly ef: number;
  readonly m: number;
  readonly dimension: number;
  /** Bytes of vectors up to which all rows of a filter are looked at. */
  readonly fullScanBytes: number;
  readonly filter: 'none' | 'known-rows' | 'to-evaluate';
  /** Rows that may pass the filter. */
  readonly candidateCount: number;
  /** The share of rows around the query that pass; it is asked for only where it matters. */
  readonly shareAround: () => number;
};

/** Evaluating a payload costs about as much as this many distances. */
const EVALUATION_COST = 20;

/**
 * Shares that pass below which a walk finds fewer: with one row in a hundred it takes twice the beam to reach recall 0.95, and with one in two
 * hundred the rows within two steps are too few to hang together. Measured on GloVe vectors, m 16.
 */
const SHARE_FOR_WALK_MIN = 0.005;
const SHARE_FOR_BEAM = 0.03;
const BEAM_FOR_FEW = 2;
/** Where so much less passes around the query than elsewhere, its nearest lie scattered, and it takes a beam as much wider to find them. */
const ASTRAY = 0.5;
const BEAM_FOR_ASTRAY = 8;
/** On its way there it meets hardly a row twice, and measures more at each step. */
const COST_FOR_ASTRAY = 3;

export function planSearch(input: PlanInput): SearchPlan {
  // A beam as wide as the collection would visit everything anyway.
  const exact = input.exact || input.indexedCount === 0 || input.ef >= input.liveCount;
  if (input.filter === 'none') return { kind: exact ? 'scan-all' : 'graph' };
  if (exact) return { kind: 'scan-candidates' };
  if (input.filter === 'known-rows') return planKnownRows(input);
  return { kind: input.candidateCount * EVALUATION_COST <= input.ef * input.m ? 'scan-candidates' : 'post-check' };
}

function planKnownRows(input: PlanInput): SearchPlan {
  const { candidateCount: rows, liveCount, dimension, m, fullScanBytes, shareAround } = input;
  const share = Math.min(1, rows / liveCount);
  const all = sweepCost({ rows, dimension });
  if (scanCost({ rows, dimension }) <= all) return { kind: 'scan-candidates' };
  const walk = (ef: number) => walkCost({ ef, m, share, dimension });
  const ef = input.ef * (share < SHARE_FOR_BEAM ? BEAM_FOR_FEW : 1);
  if (rows * dimension * Float32Array.BYTES_PER_ELEMENT <= fullScanBytes || share < SHARE_FOR_WALK_MIN || all <= walk(ef)) {
    return { kind: 'sweep-candidates' };
  }
  if (shareAround() >= share * ASTRAY) return { kind: 'filtered-graph', ef };
  const wider = ef * BEAM_FOR_ASTRAY;
  return all <= COST_FOR_ASTRAY * walk(wider) ? { kind: 'sweep-candidates' } : { kind: 'filtered-graph', ef: wider };
}
