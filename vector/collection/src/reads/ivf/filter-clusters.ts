/**
 * The groups of one filter's rows, for each vector that is searched by it: when they are learned, what is found by them, and when they are given up. Learning costs as
 * much as some hundred looks at every row, so it begins when as much was spent on these: no filter costs more than twice what it would have without.
 */
import type { MatchingRows } from '../matching-rows.ts';
import { groupedCost, learningCost, type RowBytes, rankingCost } from '../search-costs.ts';
import { meansFor, rowsLearned } from './k-means.ts';
import { GroupTrial } from './probe-trial.ts';
import type { GroupLook, RowGroups } from './row-clusters.ts';

const SPACES_MAX = 4;
/** Searches for numbers of rows of one magnitude are tried together. */
const MAGNITUDES_MAX = 8;
/** Of the rows as many may have changed before all are grouped anew. */
const LOOSE_MAX = 1 / 8;
/** They find a little less than a look at every row, so they have to cost less by as much. */
const WORTH = 0.75;
/** Of what a look at every row finds, groups are to have all but this, with a beam as it is by default: that look goes by codes and misses some itself. A wider beam asks for more. */
const MISSED = 0.02;
const BEAM = 128;

/** What is asked of groups. */
export type GroupSearch = {
  readonly matching: MatchingRows;
  readonly dimension: number;
  readonly bytes: RowBytes;
  /** How many rows are asked for, and how widely. */
  readonly count: number;
  readonly ef: number;
};

export type GroupAdvice =
  /** There are none; what is spent without them counts towards learning them. */
  | { readonly kind: 'none' }
  /** Look at every row, and note what groups would have had. */
  | { readonly kind: 'try' }
  /** Look at the groups that reach so far. */
  | { readonly kind: 'use'; readonly reach: number; readonly cost: number };

type Tried = { readonly groups: GroupLook; readonly bound: number; readonly count: number; readonly ef: number };

/** The groups of a filter's rows, by the ordinal of the vector. */
export class FilterGroups {
  readonly #spaces = new Map<number, SpaceGroups>();

  get bytes(): number {
    let bytes = 0;
    for (const space of this.#spaces.values()) bytes += space.bytes;
    return bytes;
  }

  /** Undefined where searches in too many other vectors came before. */
  of(ordinal: number): SpaceGroups | undefined {
    const known = this.#spaces.get(ordinal);
    if (known !== undefined || this.#spaces.size >= SPACES_MAX) return known;
    const space = new SpaceGroups();
    this.#spaces.set(ordinal, space);
    return space;
  }

  change(rows: ReadonlySet<number>): void {
    for (const space of this.#spaces.values()) space.change(rows);
  }

  drop(): void {
    for (const space of this.#spaces.values()) space.drop();
  }
}

/** A learning that is under way, and is told which rows have changed meanwhile. */
export type Learning = { readonly changed: (rows: Iterable<number>) => void };

function foundFor(ef: number): number {
  return 1 - MISSED * Math.min(1, BEAM / ef);
}

export class SpaceGroups {
  #groups: RowGroups | undefined;
  #learning: Learning | undefined;
  #spent = 0;
  readonly #trials = new Map<number, GroupTrial>();

  get bytes(): number {
    return this.#groups?.bytes ?? 0;
  }

  /** The groups, where they were learned. */
  get learned(): RowGroups | undefined {
    return this.#groups;
  }

  /** To be asked once for each search that a look at every row would cost `sweepCost`. */
  advise({ matching, bytes, dimension, count, ef }: GroupSearch, sweepCost: number): GroupAdvice {
    const groups = this.#groups;
    if (groups === undefined) return { kind: 'none' };
    const loose = groups.looseCount(matching);
    if (loose > LOOSE_MAX * matching.count) {
      this.drop();
      return { kind: 'none' };
    }
    const trial = this.trial(count);
    if (trial.isDue()) return { kind: 'try' };
    const cost = rankingCost({ means: groups.count, dimension }) + groupedCost({ rows: loose + trial.share * matching.count, bytes });
    return cost < WORTH * sweepCost ? { kind: 'use', reach: trial.reachFor(foundFor(ef)), cost } : { kind: 'none' };
  }

  /** What a look at every row has found, held against the groups that a search by them would have chosen: the nearest first, and what may hold rows nearer than `bound`. */
  note(found: readonly number[], { groups, bound, count, ef }: Tried): void {
    const trial = this.trial(count);
    trial.note(found, groups.reachesFor(found, bound));
    groups.chooseWithin(bound, trial.reachFor(foundFor(ef)));
    trial.noteShare(groups.share);
  }

  /** Counts what was spent without groups. Where that is as much as learning costs, it is time to `begin` it. */
  spend(cost: number, { matching, bytes, dimension }: GroupSearch): { readonly isTime: boolean } {
    this.#spent += cost;
    if (this.#groups !== undefined || this.#learning !== undefined) return { isTime: false };
    const means = meansFor(matching.count, dimension);
    return { isTime: means > 0 && this.#spent >= learningCost({ rows: rowsLearned(matching.count, means), bytes }) };
  }

  begin(learning: Learning): void {
    this.#learning = learning;
    this.#spent = 0;
  }

  /** Whether it is still this learning that is waited for. */
  awaits(learning: Learning): boolean {
    return this.#learning === learning;
  }

  end(learning: Learning, groups: RowGroups | undefined): void {
    if (this.#learning !== learning) return;
    this.#learning = undefined;
    this.#groups = groups;
    this.#trials.clear();
  }

  change(rows: ReadonlySet<number>): void {
    this.#groups?.change(rows);
    this.#learning?.changed(rows);
  }

  drop(): void {
    this.#groups = undefined;
    this.#learning = undefined;
    this.#spent = 0;
    this.#trials.clear();
  }

  trial(count: number): GroupTrial {
    const magnitude = Math.min(MAGNITUDES_MAX, Math.floor(Math.log2(count)));
    const known = this.#trials.get(magnitude);
    if (known !== undefined) return known;
    const trial = new GroupTrial();
    this.#trials.set(magnitude, trial);
    return trial;
  }
}
