// SPDX-License-Identifier: Apache-2.0
/**
 * An inverted file (IVF): each row of a filter is in the cluster of its nearest centroid. Where a filter excludes the rows around a query, the nearest of the
 * other rows lie scattered, yet in the clusters of the nearest centroids. A search scans these clusters alone.
 *
 * Clusters stay valid while rows change: a changed row leaves its cluster, and every search scans it.
 */
import type { SpaceReader } from '@sextant/vector-kernel';
import type { RowSet } from '@sextant/vector-storage';
import type { MatchingRows } from '../matching-rows.ts';

/** Clusters are ranked by so many steps of distance; only those of the last step are sorted. */
const STEPS = 256;

export type TrainedClusters = {
  /** The centroid of each cluster, by its number; float32, whatever the datatype of the vectors. */
  readonly centroids: SpaceReader;
  readonly clusters: number;
  /** The standard deviation of each cluster's rows from its centroid along any one direction. */
  readonly spreads: Float32Array;
  /** By cluster, ascending within a cluster. */
  readonly rows: Uint32Array;
  /** The number of rows that the training read; those without a vector are in no cluster. */
  readonly rowsRead: number;
  /** Where each cluster begins in `rows`, and where the last one ends. */
  readonly starts: Uint32Array;
};

/** The clusters among the rows that match now. */
type Among = {
  readonly matching: MatchingRows;
  /** Rows that match and are in a cluster. */
  readonly assigned: RowSet;
  /** Whether clusters list rows that have changed or do not match. */
  readonly hasGaps: boolean;
  /** Rows that match and are in no cluster. */
  readonly unassigned: Uint32Array;
};

export class RowClusters {
  readonly #trained: TrainedClusters;
  /** Rows that have not changed since the training read them. */
  readonly #intact: RowSet;
  #among: Among | undefined;

  /** @param intact rows that were assigned, or have no vector, and have not changed since; the clusters own the set from now on */
  constructor(trained: TrainedClusters, intact: RowSet) {
    this.#trained = trained;
    this.#intact = intact;
  }

  get count(): number {
    return this.#trained.clusters;
  }

  get bytes(): number {
    const { centroids, rows, starts, spreads } = this.#trained;
    return centroids.bytesUsed + spreads.byteLength + rows.byteLength + starts.byteLength + 2 * this.#intact.words.byteLength;
  }

  change(rows: Iterable<number>): void {
    for (const row of rows) this.#intact.delete(row);
    this.#among = undefined;
  }

  /** The number of rows that match and are in no cluster. */
  unassignedCount(matching: MatchingRows): number {
    return this.#amongst(matching).unassigned.length;
  }

  /** Begins a search for the rows nearest to a query, among those that match. */
  probe(query: Float32Array, matching: MatchingRows): ClusterProbe {
    return new ClusterProbe(this.#trained, this.#amongst(matching), query);
  }

  #amongst(matching: MatchingRows): Among {
    if (this.#among?.matching === matching) return this.#among;
    const assigned = matching.set.clone().intersect(this.#intact);
    const hasGaps = assigned.count() < this.#trained.rowsRead;
    this.#among = { matching, assigned, hasGaps, unassigned: matching.set.clone().subtract(assigned).toArray() };
    return this.#among;
  }
}

/**
 * One search of the clusters: the nearest ones first, then those that may hold a row nearer than the farthest one found. Along any one direction the rows of a cluster
 * are about normally distributed around their centroid, so the distance that a row must lie towards the query is measured in standard deviations of the cluster. The probe bound is
 * the largest such distance at which a cluster is still searched.
 */
export class ClusterProbe {
  readonly #trained: TrainedClusters;
  readonly #among: Among;
  readonly #distances: Float32Array;
  readonly #queryLength: number;
  readonly #isChosen: Uint8Array;
  #chosen: readonly number[] = [];
  #next = 0;
  #count = 0;
  #tookUnassigned = false;

  constructor(trained: TrainedClusters, among: Among, query: Float32Array) {
    this.#trained = trained;
    this.#among = among;
    this.#distances = trained.centroids.distances(query, { fromRow: 0, toRow: trained.clusters });
    this.#queryLength = trained.centroids.metric === 'dot' ? lengthOf(query) : 0;
    this.#isChosen = new Uint8Array(trained.clusters);
  }

  /** Chooses the nearest clusters, at least one and as many as hold no more than a share of all rows, and the rows of no cluster. Returns the number of rows in the clusters. */
  chooseNearest(share: number): number {
    const { starts, rows } = this.#trained;
    return this.#choose(nearestUpTo(this.#distances, starts, Math.floor(share * rows.length)));
  }

  /** Chooses the other clusters that may hold a row nearer than `maxDistance`: it would lie within `probeBound` deviations of the centroid. Returns the number of rows in them. */
  chooseWithin(maxDistance: number, probeBound: number): number {
    const chosen: number[] = [];
    for (let cluster = 0; cluster < this.#isChosen.length; cluster++) {
      if (this.#isChosen[cluster] === 0 && this.#deviationsTo(cluster, maxDistance) < probeBound) chosen.push(cluster);
    }
    return this.#choose(chosen);
  }

  /** The share of all rows that is in the chosen clusters. */
  get share(): number {
    return this.#count / Math.max(1, this.#trained.rows.length);
  }

  /** For each row the least `probeBound` with which `chooseWithin` includes it; 0 for rows of chosen clusters. */
  probeBoundsFor(wanted: readonly number[], maxDistance: number): number[] {
    const { rows, starts } = this.#trained;
    const probeBounds = new Map<number, number>();
    const open = new Set(wanted.filter((row) => this.#among.assigned.has(row)));
    for (let cluster = 0; cluster < this.#isChosen.length && open.size > 0; cluster++) {
      for (const row of open) {
        if (!hasAscending(rows, row, starts[cluster] ?? 0, starts[cluster + 1] ?? 0)) continue;
        probeBounds.set(row, this.#isChosen[cluster] === 1 ? 0 : this.#deviationsTo(cluster, maxDistance));
        open.delete(row);
      }
    }
    return wanted.map((row) => probeBounds.get(row) ?? 0);
  }

  /** The next rows: those of at least one cluster, and of more while they are fewer than `limit`; undefined at the end. Valid until the next call on this thread. */
  take(limit: number): Uint32Array | undefined {
    const { rows, starts } = this.#trained;
    const { assigned, hasGaps, unassigned } = this.#among;
    const first = this.#next;
    const unassignedTaken = this.#tookUnassigned ? 0 : unassigned.length;
    this.#tookUnassigned = true;
    if (first === this.#chosen.length && unassignedTaken === 0) return undefined;
    let room = unassignedTaken;
    while (this.#next < this.#chosen.length && (room < limit || this.#next === first)) {
      const cluster = this.#chosen[this.#next++] ?? 0;
      room += (starts[cluster + 1] ?? 0) - (starts[cluster] ?? 0);
    }
    const taken = scratchOf(room);
    if (unassignedTaken > 0) taken.set(unassigned);
    let count = unassignedTaken;
    for (let index = first; index < this.#next; index++) {
      const cluster = this.#chosen[index] ?? 0;
      const end = starts[cluster + 1] ?? 0;
      // A loop for each: searches spend a tenth of their time on the copy alone.
      if (hasGaps) {
        for (let at = starts[cluster] ?? 0; at < end; at++) {
          const row = rows[at] ?? 0;
          if (assigned.has(row)) taken[count++] = row;
        }
      } else {
        for (let at = starts[cluster] ?? 0; at < end; at++) taken[count++] = rows[at] ?? 0;
      }
    }
    return taken.subarray(0, count);
  }

  #choose(clusters: readonly number[]): number {
    const { starts } = this.#trained;
    let count = 0;
    for (const cluster of clusters) {
      this.#isChosen[cluster] = 1;
      count += (starts[cluster + 1] ?? 0) - (starts[cluster] ?? 0);
    }
    this.#count += count;
    this.#chosen = clusters;
    this.#next = 0;
    return count;
  }

  /** How many deviations from the centroid towards the query a row of the cluster lies whose distance is `maxDistance`. */
  #deviationsTo(cluster: number, maxDistance: number): number {
    const { centroids, spreads } = this.#trained;
    const distance = this.#distances[cluster] ?? 0;
    const spread = spreads[cluster] ?? 0;
    switch (centroids.metric) {
      case 'euclid': {
        // Of squares: what lies across adds to each.
        const across = spread * spread * centroids.dimension;
        return (distance + across - maxDistance) / (2 * Math.sqrt(distance) * spread);
      }
      case 'manhattan':
        return (distance - maxDistance) / (spread * Math.sqrt(centroids.dimension));
      default:
        return (distance - maxDistance) / (this.#queryLength * spread);
    }
  }
}

let scratch = new Uint32Array();

function scratchOf(length: number): Uint32Array {
  if (scratch.length < length) scratch = new Uint32Array(length);
  return scratch;
}

function hasAscending(rows: Uint32Array, row: number, from: number, to: number): boolean {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low < to && rows[low] === row;
}

function lengthOf(vector: Float32Array): number {
  let square = 0;
  for (const value of vector) square += value * value;
  return Math.sqrt(square);
}

/** The nearest clusters that together hold no more than `limit` rows, or the nearest alone. */
function nearestUpTo(distances: Float32Array, starts: Uint32Array, limit: number): readonly number[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const distance of distances) {
    if (distance < least) least = distance;
    if (distance > most && distance !== Number.POSITIVE_INFINITY) most = distance;
  }
  const scale = most > least ? (STEPS - 1) / (most - least) : 0;
  const steps = new Uint8Array(distances.length);
  const held = new Uint32Array(STEPS);
  for (let cluster = 0; cluster < distances.length; cluster++) {
    // What is infinitely far is so in steps, too; from zero on, cutting off is rounding down.
    const step = Math.min(STEPS - 1, ((distances[cluster] ?? 0) - least) * scale) | 0;
    steps[cluster] = step;
    held[step] = (held[step] ?? 0) + (starts[cluster + 1] ?? 0) - (starts[cluster] ?? 0);
  }
  let last = 0;
  let count = 0;
  while (last < STEPS - 1 && count + (held[last] ?? 0) <= limit) count += held[last++] ?? 0;
  const chosen: number[] = [];
  const open: number[] = [];
  for (let cluster = 0; cluster < distances.length; cluster++) {
    const step = steps[cluster] ?? 0;
    if (step > last) continue;
    if (step < last) chosen.push(cluster);
    else open.push(cluster);
  }
  open.sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0));
  for (const cluster of open) {
    count += (starts[cluster + 1] ?? 0) - (starts[cluster] ?? 0);
    if (count > limit && chosen.length > 0) break;
    chosen.push(cluster);
  }
  return chosen;
}
