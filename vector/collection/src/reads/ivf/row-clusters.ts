/**
 * The rows of a filter, each in the group of the mean that it is nearest to: an inverted file. Where a filter leaves out what lies around the query, what is nearest
 * of the rest lies scattered, but in the groups whose means are nearest all the same. A search looks at these alone.
 *
 * Groups stay true while rows change: a row that changed belongs to no group any more, and is looked at in any case.
 */
import type { SpaceReader } from '@sextant/vector-kernel';
import type { RowSet } from '@sextant/vector-storage';
import type { MatchingRows } from '../matching-rows.ts';

/** What tells the nearest groups: they are told apart by as many steps of distance, and only those of the last step are sorted. */
const STEPS = 256;

export type LearnedGroups = {
  /** The mean of each group, by its number; of float32, whatever the vectors are. */
  readonly means: SpaceReader;
  readonly groups: number;
  /** How far the rows of each group lie from its mean along any direction, the root of the mean square. */
  readonly spreads: Float32Array;
  /** By group, in a group ascending. */
  readonly rows: Uint32Array;
  /** Rows that were looked at; those without a vector are in no group. */
  readonly looked: number;
  /** Where each group begins; one more, where the last ends. */
  readonly starts: Uint32Array;
};

/** The groups among the rows that match now. */
type Among = {
  readonly matching: MatchingRows;
  /** Rows that are where their group says. */
  readonly grouped: RowSet;
  /** Whether groups have rows that are not. */
  readonly hasGaps: boolean;
  /** Rows that match and are in no group. */
  readonly loose: Uint32Array;
};

export class RowGroups {
  readonly #learned: LearnedGroups;
  /** Rows that have not changed since they were looked at. */
  readonly #intact: RowSet;
  #among: Among | undefined;

  /** @param intact rows that were grouped, or have no vector, and have not changed since; it is the groups' own from now on */
  constructor(learned: LearnedGroups, intact: RowSet) {
    this.#learned = learned;
    this.#intact = intact;
  }

  get count(): number {
    return this.#learned.groups;
  }

  get bytes(): number {
    const { means, rows, starts, spreads } = this.#learned;
    return means.bytesUsed + spreads.byteLength + rows.byteLength + starts.byteLength + 2 * this.#intact.words.byteLength;
  }

  change(rows: Iterable<number>): void {
    for (const row of rows) this.#intact.delete(row);
    this.#among = undefined;
  }

  /** How many rows match and are in no group. */
  looseCount(matching: MatchingRows): number {
    return this.#amongst(matching).loose.length;
  }

  /** A look for the rows nearest to a query, among those that match. */
  look(query: Float32Array, matching: MatchingRows): GroupLook {
    return new GroupLook(this.#learned, this.#amongst(matching), query);
  }

  #amongst(matching: MatchingRows): Among {
    if (this.#among?.matching === matching) return this.#among;
    const grouped = matching.set.clone().intersect(this.#intact);
    const hasGaps = grouped.count() < this.#learned.looked;
    this.#among = { matching, grouped, hasGaps, loose: matching.set.clone().subtract(grouped).toArray() };
    return this.#among;
  }
}

/**
 * One search among groups: the nearest of them first, then those that may hold a nearer row than the farthest that was found. How far the rows of a group reach towards
 * a query is told by how far they lie from their mean: what lies around a mean in many dimensions lies about a normal distribution wide along any one of them.
 */
export class GroupLook {
  readonly #learned: LearnedGroups;
  readonly #among: Among;
  readonly #distances: Float32Array;
  readonly #queryLength: number;
  readonly #isChosen: Uint8Array;
  #chosen: readonly number[] = [];
  #next = 0;
  #count = 0;
  #tookLoose = false;

  constructor(learned: LearnedGroups, among: Among, query: Float32Array) {
    this.#learned = learned;
    this.#among = among;
    this.#distances = learned.means.distances(query, { fromRow: 0, toRow: learned.groups });
    this.#queryLength = learned.means.metric === 'dot' ? lengthOf(query) : 0;
    this.#isChosen = new Uint8Array(learned.groups);
  }

  /** Takes the nearest groups, as many as hold no more than a share of all rows and one at least; and the rows of no group. Returns how many rows the groups hold. */
  chooseNearest(share: number): number {
    const { starts, rows } = this.#learned;
    return this.#choose(nearestUpTo(this.#distances, starts, Math.floor(share * rows.length)));
  }

  /** Takes those of the other groups that may hold a row that is nearer than `bound`: whose rows do that reach so many deviations towards the query. Returns how many rows they hold. */
  chooseWithin(bound: number, reach: number): number {
    const chosen: number[] = [];
    for (let group = 0; group < this.#isChosen.length; group++) {
      if (this.#isChosen[group] === 0 && this.#reachTo(group, bound) < reach) chosen.push(group);
    }
    return this.#choose(chosen);
  }

  /** The share of all rows that is in the groups that were chosen. */
  get share(): number {
    return this.#count / Math.max(1, this.#learned.rows.length);
  }

  /** For each of the rows the reach that `chooseWithin` would have had to be told to have it; 0 for rows that were chosen already. */
  reachesFor(wanted: readonly number[], bound: number): number[] {
    const { rows, starts } = this.#learned;
    const reaches = new Map<number, number>();
    const open = new Set(wanted.filter((row) => this.#among.grouped.has(row)));
    for (let group = 0; group < this.#isChosen.length && open.size > 0; group++) {
      for (const row of open) {
        if (!hasAscending(rows, row, starts[group] ?? 0, starts[group + 1] ?? 0)) continue;
        reaches.set(row, this.#isChosen[group] === 1 ? 0 : this.#reachTo(group, bound));
        open.delete(row);
      }
    }
    return wanted.map((row) => reaches.get(row) ?? 0);
  }

  /** The next rows, of at least one group and of more while they are fewer than `limit`; undefined where there are no more. Valid until this thread asks for others. */
  take(limit: number): Uint32Array | undefined {
    const { rows, starts } = this.#learned;
    const { grouped, hasGaps, loose } = this.#among;
    const first = this.#next;
    const looseTaken = this.#tookLoose ? 0 : loose.length;
    this.#tookLoose = true;
    if (first === this.#chosen.length && looseTaken === 0) return undefined;
    let room = looseTaken;
    while (this.#next < this.#chosen.length && (room < limit || this.#next === first)) {
      const group = this.#chosen[this.#next++] ?? 0;
      room += (starts[group + 1] ?? 0) - (starts[group] ?? 0);
    }
    const taken = scratchOf(room);
    if (looseTaken > 0) taken.set(loose);
    let count = looseTaken;
    for (let index = first; index < this.#next; index++) {
      const group = this.#chosen[index] ?? 0;
      const end = starts[group + 1] ?? 0;
      // A loop for each: searches spend a tenth of their time on the copy alone.
      if (hasGaps) {
        for (let at = starts[group] ?? 0; at < end; at++) {
          const row = rows[at] ?? 0;
          if (grouped.has(row)) taken[count++] = row;
        }
      } else {
        for (let at = starts[group] ?? 0; at < end; at++) taken[count++] = rows[at] ?? 0;
      }
    }
    return taken.subarray(0, count);
  }

  #choose(groups: readonly number[]): number {
    const { starts } = this.#learned;
    let count = 0;
    for (const group of groups) {
      this.#isChosen[group] = 1;
      count += (starts[group + 1] ?? 0) - (starts[group] ?? 0);
    }
    this.#count += count;
    this.#chosen = groups;
    this.#next = 0;
    return count;
  }

  /** How many deviations from the mean towards the query a row of the group lies that is as near as `bound`. */
  #reachTo(group: number, bound: number): number {
    const { means, spreads } = this.#learned;
    const distance = this.#distances[group] ?? 0;
    const spread = spreads[group] ?? 0;
    switch (means.metric) {
      case 'euclid': {
        // Of squares: what lies across adds to each.
        const across = spread * spread * means.dimension;
        return (distance + across - bound) / (2 * Math.sqrt(distance) * spread);
      }
      case 'manhattan':
        return (distance - bound) / (spread * Math.sqrt(means.dimension));
      default:
        return (distance - bound) / (this.#queryLength * spread);
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

/** Those of the nearest groups that hold no more than `limit` rows together, or the nearest alone. */
function nearestUpTo(distances: Float32Array, starts: Uint32Array, limit: number): readonly number[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const distance of distances) {
    if (distance < least) least = distance;
    if (distance > most && distance !== Number.POSITIVE_INFINITY) most = distance;
  }
  const scale = most > least ? (STEPS - 1) / (most - least) : 0;
  const steps = new Uint8Array(distances.length);
  const held = new Uint32Array(STEPS);
  for (let group = 0; group < distances.length; group++) {
    // What is infinitely far is so in steps, too; from zero on, cutting off is rounding down.
    const step = Math.min(STEPS - 1, ((distances[group] ?? 0) - least) * scale) | 0;
    steps[group] = step;
    held[step] = (held[step] ?? 0) + (starts[group + 1] ?? 0) - (starts[group] ?? 0);
  }
  let last = 0;
  let count = 0;
  while (last < STEPS - 1 && count + (held[last] ?? 0) <= limit) count += held[last++] ?? 0;
  const chosen: number[] = [];
  const open: number[] = [];
  for (let group = 0; group < distances.length; group++) {
    const step = steps[group] ?? 0;
    if (step > last) continue;
    if (step < last) chosen.push(group);
    else open.push(group);
  }
  open.sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0));
  for (const group of open) {
    count += (starts[group + 1] ?? 0) - (starts[group] ?? 0);
    if (count > limit && chosen.length > 0) break;
    chosen.push(group);
  }
  return chosen;
}
