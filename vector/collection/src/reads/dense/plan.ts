// SPDX-License-Identifier: Apache-2.0
/**
 * Chooses the plan of a nearest-neighbour search. Costs decide (search-costs.ts) among the plans that reach the recall: a graph search among the
 * rows of a filter misses many where few rows pass, or where those around the query pass less often than others do.
 */
import type { ClusterAdvice } from '../ivf/filter-clusters.ts';
import type { OpenFilter } from '../matching/known-filter.ts';
import { graphSearchCost, quantizedScanCost, type RowBytes, scanCost } from '../search-costs.ts';

/** How the nearest rows are found, among all or among those of a filter. */
export type RowPlan =
  /** An exact scan of all. */
  | { readonly kind: 'scan' }
  /** A quantized flat scan of all, with rescoring. `lacking` is its cost where clusters would cost less; it counts towards their training. */
  | { readonly kind: 'quantized-scan'; readonly lacking?: number }
  /** The graph; with a filter, from one matching row to the next. */
  | { readonly kind: 'graph'; readonly ef: number }
  /** A quantized scan of the nearest IVF clusters and of others within the probe bound. */
  | { readonly kind: 'ivf'; readonly probeBound: number }
  /** The quantized scan answers, and shows what clusters would have missed. */
  | { readonly kind: 'trial' };

export type SearchPlan =
  | RowPlan
  /** The nearest `count` rows, on each of which the filter is then evaluated: where no index decides. */
  | { readonly kind: 'post-check'; readonly among: RowPlan; readonly count: number; readonly cost: number }
  /** The filter is evaluated on every row that may match; then a plan is chosen for those that do. */
  | { readonly kind: 'evaluate' };

export type PlanInput = {
  readonly exact: boolean;
  /** The number of rows to find. */
  readonly count: number;
  /** Rows that the graph reaches; 0 without a graph. */
  readonly indexedCount: number;
  readonly liveCount: number;
  /** The number of graphs: each shard has one. */
  readonly graphs: number;
  readonly ef: number;
  readonly m: number;
  readonly bytes: RowBytes;
  /** Bytes of vectors up to which all rows of a filter are scanned. */
  readonly fullScanBytes: number;
  /** Rows that may match; undefined where all may. */
  readonly candidateCount: number | undefined;
  /** Present where that a row may match does not say that it does. */
  readonly open?: OpenFilter;
  /** The share of rows around the query that may match; computed only where it matters. */
  readonly shareAround: () => number;
  /** Whether clusters of the filter's rows serve a search whose quantized scan costs `scanCost`; called at most once per search. */
  readonly clusters: (scanCost: number) => ClusterAdvice;
};

/** How many rows lie beyond the expected number in nineteen cases of twenty: two standard deviations. */
const DEVIATIONS = 2;
/**
 * Shares of passing rows below which a graph search finds fewer: with one row in a hundred it takes twice the `ef` to reach recall 0.95, and with one in two
 * hundred the rows within two hops are too few to be connected. Measured on GloVe-100, m 16.
 */
const SHARE_FOR_GRAPH_MIN = 0.005;
const SHARE_FOR_EF = 0.03;
const EF_FOR_FEW = 2;
/**
 * Where a random half of GloVe-100 passes, the `ef` that has recall 0.950 without a filter has 0.937, and one a fifth larger has 0.949. Where a tenth passes, recall is the same as
 * without a filter, and so it is at any share for vectors that vary in few directions: 0.998 for half of Fashion-MNIST.
 */
const SHARES_FOR_SOME = { least: 0.3, most: 0.6 };
const EF_FOR_SOME = 1.2;
/**
 * Where so much less passes around the query than elsewhere, its nearest rows lie scattered, and it takes so many times the `ef` to find them. With a half in place of
 * four fifths, one search in five among the farther half of GloVe-100 (100,000 rows) used the graph all the same, and recall was 0.02 lower.
 */
const ASTRAY = 0.8;
const EF_FOR_ASTRAY = 8;
/** Even so it finds fewer, and hardly any row is already in the cache: it has to be so many times cheaper. */
const COST_FOR_ASTRAY = 10;
/**
 * Where a quantized scan costs little more than a graph search, clusters do not pay for their training. Once there are clusters, the graph serves only queries around which nearly all rows
 * pass: with the farther half of GloVe-100, its recall is 0.87 for queries around which 0.4 to 0.7 of the rows pass.
 */
const COST_FOR_CLUSTERS = 1.5;

type Priced = { readonly plan: RowPlan; readonly cost: number };

export function planSearch(input: PlanInput): SearchPlan {
  const { open } = input;
  return open === undefined ? cheapest(input, input).plan : planOpen(input, open);
}

/** Searches for as many rows as contain enough that match. All payloads are evaluated once that costs no more than what was spent so far. */
function planOpen(input: PlanInput, { share, undecided, evaluationCost, spent }: OpenFilter): SearchPlan {
  const candidates = input.candidateCount ?? input.liveCount;
  const count = Math.ceil((input.count + DEVIATIONS * Math.sqrt(input.count)) / share);
  if (count >= candidates) return { kind: 'evaluate' };
  const { plan, cost } = cheapest(input, { ef: Math.max(input.ef, count) });
  const checked = cost + count * evaluationCost * Math.min(1, undecided / candidates);
  if (undecided * evaluationCost <= spent + checked) return { kind: 'evaluate' };
  return { kind: 'post-check', among: plan, count, cost: checked };
}

function cheapest(input: PlanInput, { ef }: { readonly ef: number }): Priced {
  const { liveCount, graphs, candidateCount, bytes, m } = input;
  const scan = (rows: number): Priced => ({ plan: { kind: 'scan' }, cost: scanCost({ rows, bytes }) });
  // With such an `ef` a graph search would visit everything anyway.
  if (input.exact || input.indexedCount === 0 || ef >= liveCount) return scan(candidateCount ?? liveCount);
  if (candidateCount === undefined) return { plan: { kind: 'graph', ef }, cost: graphs * graphSearchCost({ ef, m, bytes, share: 1 }) };
  const scanned = scan(candidateCount);
  const quantized: Priced = { plan: { kind: 'quantized-scan' }, cost: quantizedScanCost({ rows: candidateCount, bytes, shards: graphs }) };
  if (scanned.cost <= quantized.cost) return scanned;
  const share = Math.min(1, candidateCount / liveCount);
  const graph = (wanted: number): Priced => ({
    plan: { kind: 'graph', ef: wanted },
    cost: graphs * graphSearchCost({ ef: wanted, m, bytes, share }),
  });
  const straight = graph(Math.round(ef * efFactorFor(share, bytes)));
  const isBelowThreshold = candidateCount * bytes.vector <= input.fullScanBytes;
  if (isBelowThreshold || share < SHARE_FOR_GRAPH_MIN || quantized.cost <= straight.cost) return quantized;
  const around = input.shareAround();
  const isAstray = around < share * ASTRAY;
  // Where nearly all rows pass, a graph search works as without a filter.
  if (!isAstray && around >= (1 + share) / 2) return share < SHARE_FOR_EF ? straight : graph(ef);
  if (!isAstray && quantized.cost <= COST_FOR_CLUSTERS * straight.cost) return straight;
  const astray = graph(ef * EF_FOR_ASTRAY);
  if (isAstray && quantized.cost > COST_FOR_ASTRAY * astray.cost) return astray;
  if (quantized.cost <= COST_FOR_CLUSTERS * straight.cost) return quantized;
  const advice = input.clusters(quantized.cost);
  switch (advice.kind) {
    case 'none':
      return isAstray ? { plan: { kind: 'quantized-scan', lacking: quantized.cost }, cost: quantized.cost } : straight;
    case 'try':
      return { plan: { kind: 'trial' }, cost: quantized.cost };
    case 'use':
      return { plan: { kind: 'ivf', probeBound: advice.probeBound }, cost: advice.cost };
  }
}

/** The factor by which a graph search has to raise `ef` where such a share passes. */
function efFactorFor(share: number, { projected }: RowBytes): number {
  if (share < SHARE_FOR_EF) return EF_FOR_FEW;
  return projected === undefined && share >= SHARES_FOR_SOME.least && share < SHARES_FOR_SOME.most ? EF_FOR_SOME : 1;
}
