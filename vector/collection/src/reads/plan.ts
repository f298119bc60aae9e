/**
 * Which way a nearest-neighbour request goes. Between the ways costs decide (search-costs.ts), where they find what they should: a walk among the
 * rows of a filter loses its way where few rows pass, or where those around the query pass less often than others do.
 */
import type { GroupAdvice } from './ivf/filter-clusters.ts';
import type { OpenFilter } from './known-filter.ts';
import { type RowBytes, scanCost, sweepCost, walkCost } from './search-costs.ts';

/** How rows are found, among all or among those of a filter. */
export type RowPlan =
  /** Each of them, exactly. */
  | { readonly kind: 'scan' }
  /** Each of them, by codes first; `lacking` is what it costs where groups of the rows would do for less, and counts towards learning these. */
  | { readonly kind: 'sweep'; readonly lacking?: number }
  /** The graph; with a filter, from one of its rows to the next. */
  | { readonly kind: 'walk'; readonly ef: number }
  /** Those in the nearest groups and in others that reach so far, by codes first. */
  | { readonly kind: 'groups'; readonly reach: number }
  /** The sweep answers, and says what groups would have missed. */
  | { readonly kind: 'trial' };

export type SearchPlan =
  | RowPlan
  /** The nearest `count` rows, each then held against the filter: where no index decides. */
  | { readonly kind: 'post-check'; readonly among: RowPlan; readonly count: number; readonly cost: number }
  /** Every row that may match is held against the filter; then the way is chosen among those that do. */
  | { readonly kind: 'evaluate' };

export type PlanInput = {
  readonly exact: boolean;
  /** How many rows are asked for. */
  readonly count: number;
  /** Rows that the graph reaches; 0 without a graph. */
  readonly indexedCount: number;
  readonly liveCount: number;
  /** How many graphs a walk goes through: each shard has one. */
  readonly graphs: number;
  readonly ef: number;
  readonly m: number;
  readonly bytes: RowBytes;
  /** Bytes of vectors up to which all rows of a filter are looked at. */
  readonly fullScanBytes: number;
  /** Rows that may match; undefined where all may. */
  readonly candidateCount: number | undefined;
  /** Present where that a row may match does not say that it does. */
  readonly open?: OpenFilter;
  /** The share of rows around the query that may match; it is asked for only where it matters. */
  readonly shareAround: () => number;
  /** What is known of groups of the filter's rows, where it leaves out what lies around the query and a sweep costs so much; to be asked once for a search. */
  readonly groups: (sweepCost: number) => GroupAdvice;
};

/** How many rows lie beyond the expected number in nineteen cases of twenty: two standard deviations. */
const DEVIATIONS = 2;
/**
 * Shares that pass below which a walk finds fewer: with one row in a hundred it takes twice the beam to reach recall 0.95, and with one in two
 * hundred the rows within two steps are too few to hang together. Measured on GloVe vectors, m 16.
 */
const SHARE_FOR_WALK_MIN = 0.005;
const SHARE_FOR_BEAM = 0.03;
const BEAM_FOR_FEW = 2;
/**
 * Where half of all words pass at random, a beam as wide as finds 0.950 of all finds 0.937, and one a fifth wider 0.949. Where a tenth passes, it finds as much as
 * without a filter, and so does any among vectors that differ in few directions: of half of 69,000 pictures 0.998.
 */
const SHARES_FOR_SOME = { least: 0.3, most: 0.6 };
const BEAM_FOR_SOME = 1.2;
/**
 * Where so much less passes around the query than elsewhere, its nearest lie scattered, and it takes a beam as much wider to find them. With a half in place of
 * four fifths, one search in five among the farther half of 100,000 words walked all the same, and recall was 0.02 less.
 */
const ASTRAY = 0.8;
const BEAM_FOR_ASTRAY = 8;
/** Even so it finds fewer, and meets hardly a row twice on its way: it has to be as much cheaper. */
const COST_FOR_ASTRAY = 10;
/**
 * Where a sweep costs little more than a walk, groups would not pay for what they take to learn. Where they are there, a walk is left to queries around which nearly as many pass as
 * without a filter: with half of all words far from the queries it finds 0.87 of what is around those where 0.4 to 0.7 pass.
 */
const COST_FOR_GROUPS = 1.5;

type Priced = { readonly plan: RowPlan; readonly cost: number };

export function planSearch(input: PlanInput): SearchPlan {
  const { open } = input;
  return open === undefined ? cheapest(input, input).plan : planOpen(input, open);
}

/** Looks for as many rows as hold enough that match; every payload is evaluated once that would have cost no more than what was spent so far. */
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
  // A beam as wide as the collection would visit everything anyway.
  if (input.exact || input.indexedCount === 0 || ef >= liveCount) return scan(candidateCount ?? liveCount);
  if (candidateCount === undefined) return { plan: { kind: 'walk', ef }, cost: graphs * walkCost({ ef, m, bytes, share: 1 }) };
  const scanned = scan(candidateCount);
  const sweep: Priced = { plan: { kind: 'sweep' }, cost: sweepCost({ rows: candidateCount, bytes, shards: graphs }) };
  if (scanned.cost <= sweep.cost) return scanned;
  const share = Math.min(1, candidateCount / liveCount);
  const walk = (beam: number): Priced => ({ plan: { kind: 'walk', ef: beam }, cost: graphs * walkCost({ ef: beam, m, bytes, share }) });
  const straight = walk(Math.round(ef * widerFor(share, bytes)));
  const isBelowThreshold = candidateCount * bytes.vector <= input.fullScanBytes;
  if (isBelowThreshold || share < SHARE_FOR_WALK_MIN || sweep.cost <= straight.cost) return sweep;
  const around = input.shareAround();
  const isAstray = around < share * ASTRAY;
  // Among rows of which nearly all pass, a walk finds its way as without a filter.
  if (!isAstray && around >= (1 + share) / 2) return share < SHARE_FOR_BEAM ? straight : walk(ef);
  if (!isAstray && sweep.cost <= COST_FOR_GROUPS * straight.cost) return straight;
  const astray = walk(ef * BEAM_FOR_ASTRAY);
  if (isAstray && sweep.cost > COST_FOR_ASTRAY * astray.cost) return astray;
  if (sweep.cost <= COST_FOR_GROUPS * straight.cost) return sweep;
  const advice = input.groups(sweep.cost);
  switch (advice.kind) {
    case 'none':
      return isAstray ? { plan: { kind: 'sweep', lacking: sweep.cost }, cost: sweep.cost } : straight;
    case 'try':
      return { plan: { kind: 'trial' }, cost: sweep.cost };
    case 'use':
      return { plan: { kind: 'groups', reach: advice.reach }, cost: advice.cost };
  }
}

/** Times the beam that a walk takes where so many pass. */
function widerFor(share: number, { projected }: RowBytes): number {
  if (share < SHARE_FOR_BEAM) return BEAM_FOR_FEW;
  return projected === undefined && share >= SHARES_FOR_SOME.least && share < SHARES_FOR_SOME.most ? BEAM_FOR_SOME : 1;
}
