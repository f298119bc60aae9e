/**
 * Groups of rows by k-means: means of a sample first, then every row goes to its nearest mean, which a small graph over the means finds. Work
 * comes in steps of about a tenth of a millisecond, between which others run.
 *
 * Measured on the farther halves of 100,000 words and 69,000 pictures: twice the root of the rows are as many means as pay for their ranking; neither a second
 * pass over the sample nor a larger sample brings the nearest ten sooner. Rows in place of means do much worse.
 */
import { attachIndexer, type Components, createVectorSpace, type Metric, type SpaceWriter } from '@sextant/vector-kernel';
import type { RowSet } from '@sextant/vector-storage';
import { type LearnedGroups, RowGroups } from './row-clusters.ts';

const MEANS_PER_ROOT = 2;
const MEANS_BYTES_MAX = 2 * 1024 * 1024;
const ROWS_PER_MEAN_MIN = 16;
/** Rows of the sample for each mean. */
const SAMPLED = 8;
/** Of the graph over the means: a row that is not given its nearest one is given one that is nearly as near. */
const MEANS_M = 8;
const MEANS_EF_CONSTRUCT = 32;
const MEANS_EF = 12;
const ROWS_PER_STEP = 16;
const LINKS_PER_STEP = 16;
/** Of address space; what is used is far less. */
const SPACE_BYTES_MAX = 64 * 1024 * 1024;
const NO_GROUP = 0xffff;

export type GroupSource = {
  readonly dimension: number;
  /** Of the vectors that are searched. */
  readonly metric: Metric;
  /** Ascending. */
  readonly rows: Uint32Array;
  /** Those of `rows` that have not changed since the learning began. */
  readonly intact: RowSet;
  readonly vector: (row: number) => Components | undefined;
};

/** How many means as many rows get; 0 where they are too few or their vectors too long. */
export function meansFor(rows: number, dimension: number): number {
  const most = Math.min(rows / ROWS_PER_MEAN_MIN, MEANS_BYTES_MAX / (dimension * Float32Array.BYTES_PER_ELEMENT), NO_GROUP);
  return Math.floor(Math.min(MEANS_PER_ROOT * Math.sqrt(rows), most));
}

/** Rows that are looked at while as many are grouped. */
export function rowsLearned(rows: number, means: number): number {
  return rows + SAMPLED * means;
}

/** A vector as means are made of it and compared with it: by cosine only its direction counts. */
export function asMean(vector: Components, metric: Metric): Float32Array {
  const values = vector instanceof Float32Array ? vector : Float32Array.from(vector);
  if (metric !== 'cosine') return values;
  const length = Math.hypot(...values);
  return length === 0 ? values : values.map((value) => value / length);
}

/** Works a little with each step. */
export function* learnGroups(source: GroupSource): Generator<void, RowGroups> {
  const { rows, dimension, metric, intact } = source;
  const vectorOf = (row: number) => {
    const stored = source.vector(row);
    return stored && asMean(stored, metric);
  };
  const count = meansFor(rows.length, dimension);
  let means: Float32Array = new Float32Array(count * dimension);
  for (let mean = 0; mean < count; mean++) {
    const vector = vectorOf(rows[Math.floor((mean * rows.length) / count)] ?? 0);
    if (vector !== undefined) means.set(vector, mean * dimension);
    if (mean % ROWS_PER_STEP === 0) yield;
  }
  const sample = sampleOf(rows, count * SAMPLED);
  means = meansOf(yield* assign(sample, { means, dimension, vectorOf }), means);
  const assigned = yield* assign(rows, { means, dimension, vectorOf });
  means = meansOf(assigned, means);
  const space = spaceOf(dimension, metric === 'cosine' ? 'dot' : metric, 0);
  const learned = {
    ...byGroup(rows, assigned.groupOf, count),
    means: space,
    groups: count,
    looked: rows.length,
    spreads: spreadsOf(assigned, means),
  };
  yield* put(space, means);
  return new RowGroups(learned, intact);
}

/** Evenly from all of them. */
function sampleOf(rows: Uint32Array, count: number): Uint32Array {
  if (count >= rows.length) return rows;
  return Uint32Array.from({ length: count }, (_, index) => rows[Math.floor(((index + 0.5) * rows.length) / count)] ?? 0);
}

function spaceOf(dimension: number, metric: Metric, m: number): SpaceWriter {
  const options = { dimension, metric, m, efConstruct: MEANS_EF_CONSTRUCT, seed: 1, bytesMax: SPACE_BYTES_MAX };
  return createVectorSpace(m === 0 ? { ...options, quantization: 'none' } : options);
}

function* put(space: SpaceWriter, means: Float32Array): Generator<void, void> {
  const { dimension } = space;
  for (let mean = 0; mean < means.length / dimension; mean++) {
    space.put(mean, means.subarray(mean * dimension, (mean + 1) * dimension), 1);
    if (mean % ROWS_PER_STEP === 0) yield;
  }
}

type Assigned = {
  readonly groupOf: Uint16Array;
  readonly sums: Float32Array;
  readonly counts: Uint32Array;
  readonly squares: Float64Array;
};

/** Gives each row its nearest mean, whatever the metric by what lies between them: groups are to be close. Rows without a vector get none. */
function* assign(
  rows: Uint32Array,
  {
    means,
    dimension,
    vectorOf,
  }: { readonly means: Float32Array; readonly dimension: number; readonly vectorOf: (row: number) => Float32Array | undefined },
): Generator<void, Assigned> {
  const space = spaceOf(dimension, 'euclid', MEANS_M);
  yield* put(space, means);
  const indexer = attachIndexer(space.handle);
  while (space.pendingCount > 0) {
    indexer.link(LINKS_PER_STEP);
    indexer.reclaim();
    yield;
  }
  const groupOf = new Uint16Array(rows.length).fill(NO_GROUP);
  const sums = new Float32Array(means.length);
  const counts = new Uint32Array(means.length / dimension);
  const squares = new Float64Array(counts.length);
  for (let index = 0; index < rows.length; index++) {
    if (index % ROWS_PER_STEP === 0) yield;
    const vector = vectorOf(rows[index] ?? 0);
    if (vector === undefined) continue;
    const group = space.search(vector, { k: 1, ef: MEANS_EF }).rows[0] ?? 0;
    groupOf[index] = group;
    counts[group] = (counts[group] ?? 0) + 1;
    const start = group * dimension;
    let square = 0;
    for (let at = 0; at < dimension; at++) {
      const value = vector[at] ?? 0;
      sums[start + at] = (sums[start + at] ?? 0) + value;
      square += value * value;
    }
    squares[group] = (squares[group] ?? 0) + square;
  }
  return { groupOf, sums, counts, squares };
}

/** The means of what was assigned; one that nothing was assigned to stays where it is. */
function meansOf({ sums, counts }: Assigned, former: Float32Array): Float32Array {
  const dimension = former.length / counts.length;
  return sums.map((sum, at) => {
    const count = counts[Math.floor(at / dimension)] ?? 0;
    return count === 0 ? (former[at] ?? 0) : sum / count;
  });
}

/** Of the rows of each group around its mean. */
function spreadsOf({ counts, squares }: Assigned, means: Float32Array): Float32Array {
  const dimension = means.length / counts.length;
  return Float32Array.from(counts, (count, group) => {
    let square = 0;
    for (const value of means.subarray(group * dimension, (group + 1) * dimension)) square += value * value;
    return count === 0 ? 0 : Math.sqrt(Math.max(0, (squares[group] ?? 0) / count - square) / dimension);
  });
}

function byGroup(rows: Uint32Array, groupOf: Uint16Array, groups: number): Pick<LearnedGroups, 'rows' | 'starts'> {
  const starts = new Uint32Array(groups + 1);
  for (const group of groupOf) if (group !== NO_GROUP) starts[group + 1] = (starts[group + 1] ?? 0) + 1;
  for (let group = 0; group < groups; group++) starts[group + 1] = (starts[group + 1] ?? 0) + (starts[group] ?? 0);
  const sorted = new Uint32Array(starts[groups] ?? 0);
  const next = starts.slice();
  for (const [index, group] of groupOf.entries()) {
    if (group === NO_GROUP) continue;
    const at = next[group] ?? 0;
    sorted[at] = rows[index] ?? 0;
    next[group] = at + 1;
  }
  return { rows: sorted, starts };
}
