/**
 * Which way a nearest-neighbour request goes. Costs are counted in distances computed: an exact scan of n rows costs n; a
 * graph walk costs about ef * m, and under a filter that passes the share s it visits about 1 / s times as many nodes until it has
 * ef accepted ones. Distances in the walk are scattered over memory and cost about twice those of a scan. So with
 * n = s * N candidates of N rows, the scan wins while n <= 2 * ef * m * N / n.
 */

export type SearchPlan =
  /** Every live row, exactly. */
  | { readonly kind: 'scan-all' }
  /** The rows of the filter, exactly. */
  | { readonly kind: 'scan-candidates' }
  /** The graph, accepting only the rows of the filter. */
  | { readonly kind: 'filtered-graph' }
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
  readonly bytesPerVector: number;
  /** Bytes of vectors below which a scan is always chosen. */
  readonly fullScanBytes: number;
  readonly filter: 'none' | 'known-rows' | 'to-evaluate';
  /** Rows that may pass the filter. */
  readonly candidateCount: number;
};

/** Evaluating a payload costs about as much as this many distances. */
const EVALUATION_COST = 20;

export function planSearch(input: PlanInput): SearchPlan {
  // A beam as wide as the collection would visit everything anyway.
  const exact = input.exact || input.indexedCount === 0 || input.ef >= input.liveCount;
  if (input.filter === 'none') return { kind: exact ? 'scan-all' : 'graph' };
  if (exact) return { kind: 'scan-candidates' };
  if (input.filter === 'known-rows') return { kind: scanWins(input) ? 'scan-candidates' : 'filtered-graph' };
  return { kind: input.candidateCount * EVALUATION_COST <= input.ef * input.m ? 'scan-candidates' : 'post-check' };
}

function scanWins({ candidateCount, liveCount, ef, m, bytesPerVector, fullScanBytes }: PlanInput): boolean {
  if (candidateCount * bytesPerVector <= fullScanBytes) return true;
  return candidateCount * candidateCount <= 2 * ef * m * liveCount;
}
