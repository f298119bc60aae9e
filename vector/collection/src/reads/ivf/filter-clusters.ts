// SPDX-License-Identifier: Apache-2.0
/**
 * The IVF clusters of one filter's rows, for each vector that is searched with the filter: when they are trained, which probe bound they need, and when they are dropped. Training
 * costs as much as some hundred scans of all rows, so it begins once that much was spent on scans: no filter costs more than twice what it would without clusters.
 */
import type { MatchingRows } from '../matching-rows.ts';
import { centroidRankingCost, clusterScanCost, type RowBytes, trainingCost } from '../search-costs.ts';
import { centroidCountFor, rowsTrainedOn } from './k-means.ts';
import { ProbeTrial } from './probe-trial.ts';
import type { ClusterProbe, RowClusters } from './row-clusters.ts';

const SPACES_MAX = 4;
/** Searches whose `count` is of one magnitude share a trial. */
const MAGNITUDES_MAX = 8;
/** The clusters are dropped once this share of the rows is in none of them. */
const UNASSIGNED_MAX = 1 / 8;
/** A search of clusters finds a little less than a scan of all rows, so it has to cost this much less. */
const WORTH = 0.75;
/** The share of the rows found by a quantized scan that clusters may miss at the default `ef`. The scan misses some rows itself. A larger `ef` lowers the share. */
const MISSED = 0.02;
const DEFAULT_EF = 128;

/** A search that clusters may answer. */
export type ClusterSearch = {
  readonly matching: MatchingRows;
  readonly dimension: number;
  readonly bytes: RowBytes;
  /** The number of rows to find. */
  readonly count: number;
  readonly ef: number;
};

export type ClusterAdvice =
  /** Clusters do not serve this search; what it spends without them counts towards their training. */
  | { readonly kind: 'none' }
  /** Scan all rows, and note what a search of the clusters would have found. */
  | { readonly kind: 'try' }
  /** Search the clusters within the probe bound. */
  | { readonly kind: 'use'; readonly probeBound: number; readonly cost: number };

type Tried = { readonly probe: ClusterProbe; readonly maxDistance: number; readonly count: number; readonly ef: number };

/** The clusters of a filter's rows, by the ordinal of the vector. */
export class FilterClusters {
  readonly #spaces = new Map<number, SpaceClusters>();

  get bytes(): number {
    let bytes = 0;
    for (const space of this.#spaces.values()) bytes += space.bytes;
    return bytes;
  }

  /** Undefined where searches in too many other vectors came before. */
  of(ordinal: number): SpaceClusters | undefined {
    const known = this.#spaces.get(ordinal);
    if (known !== undefined || this.#spaces.size >= SPACES_MAX) return known;
    const space = new SpaceClusters();
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

/** A training that runs, and hears which rows change meanwhile. */
export type Training = { readonly changed: (rows: Iterable<number>) => void };

function foundFor(ef: number): number {
  return 1 - MISSED * Math.min(1, DEFAULT_EF / ef);
}

export class SpaceClusters {
  #clusters: RowClusters | undefined;
  #training: Training | undefined;
  #spent = 0;
  readonly #trials = new Map<number, ProbeTrial>();

  get bytes(): number {
    return this.#clusters?.bytes ?? 0;
  }

  /** The clusters; undefined until they are trained. */
  get trained(): RowClusters | undefined {
    return this.#clusters;
  }

  /** Called once per search. `scanCost` is the cost of a quantized scan of all rows. */
  advise({ matching, bytes, dimension, count, ef }: ClusterSearch, scanCost: number): ClusterAdvice {
    const clusters = this.#clusters;
    if (clusters === undefined) return { kind: 'none' };
    const unassigned = clusters.unassignedCount(matching);
    if (unassigned > UNASSIGNED_MAX * matching.count) {
      this.drop();
      return { kind: 'none' };
    }
    const trial = this.trial(count);
    if (trial.isDue()) return { kind: 'try' };
    const cost =
      centroidRankingCost({ centroids: clusters.count, dimension }) +
      clusterScanCost({ rows: unassigned + trial.share * matching.count, bytes });
    return cost < WORTH * scanCost ? { kind: 'use', probeBound: trial.probeBoundFor(foundFor(ef)), cost } : { kind: 'none' };
  }

  /** Compares the rows that a scan of all rows found with the clusters that a probe would have chosen: the nearest ones, and those that may hold rows nearer than `maxDistance`. */
  note(found: readonly number[], { probe, maxDistance, count, ef }: Tried): void {
    const trial = this.trial(count);
    trial.note(found, probe.probeBoundsFor(found, maxDistance));
    probe.chooseWithin(maxDistance, trial.probeBoundFor(foundFor(ef)));
    trial.noteShare(probe.share);
  }

  /** Counts what was spent without clusters. Once that equals the cost of the training, it is time to `begin` it. */
  spend(cost: number, { matching, bytes, dimension }: ClusterSearch): { readonly isTime: boolean } {
    this.#spent += cost;
    if (this.#clusters !== undefined || this.#training !== undefined) return { isTime: false };
    const centroids = centroidCountFor(matching.count, dimension);
    return { isTime: centroids > 0 && this.#spent >= trainingCost({ rows: rowsTrainedOn(matching.count, centroids), bytes }) };
  }

  begin(training: Training): void {
    this.#training = training;
    this.#spent = 0;
  }

  /** Whether this training has not been replaced or dropped. */
  awaits(training: Training): boolean {
    return this.#training === training;
  }

  end(training: Training, clusters: RowClusters | undefined): void {
    if (this.#training !== training) return;
    this.#training = undefined;
    this.#clusters = clusters;
    this.#trials.clear();
  }

  change(rows: ReadonlySet<number>): void {
    this.#clusters?.change(rows);
    this.#training?.changed(rows);
  }

  drop(): void {
    this.#clusters = undefined;
    this.#training = undefined;
    this.#spent = 0;
    this.#trials.clear();
  }

  trial(count: number): ProbeTrial {
    const magnitude = Math.min(MAGNITUDES_MAX, Math.floor(Math.log2(count)));
    const known = this.#trials.get(magnitude);
    if (known !== undefined) return known;
    const trial = new ProbeTrial();
    this.#trials.set(magnitude, trial);
    return trial;
  }
}
