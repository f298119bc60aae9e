// SPDX-License-Identifier: Apache-2.0
/**
 * Trains IVF clusters by k-means: centroids come from a sample, then every row is assigned to its nearest centroid, which a small graph over the centroids finds. The
 * generator yields about every tenth of a millisecond, so that other work can run.
 *
 * Measured on the farther halves of GloVe-100 (100,000 rows) and Fashion-MNIST (69,000 rows): more centroids than twice the square root of the rows do not pay for their
 * ranking; neither a second pass over the sample nor a larger sample finds the nearest ten sooner. Rows in place of centroids do much worse.
 */
import { CentroidSums, sortByCentroid } from '@sextant/foundation-std';
import { attachIndexer, type Components, createVectorSpace, type Metric, type SpaceWriter } from '@sextant/vector-kernel';
import type { RowSet } from '@sextant/vector-storage';
import { RowClusters } from './row-clusters.ts';

const CENTROIDS_PER_ROOT = 2;
const CENTROIDS_BYTES_MAX = 2 * 1024 * 1024;
const ROWS_PER_CENTROID_MIN = 16;
/** Rows of the sample per centroid. */
const SAMPLED = 8;
/** Parameters of the graph over the centroids. A row that misses its nearest centroid gets one that is nearly as near. */
const CENTROIDS_M = 8;
const CENTROIDS_EF_CONSTRUCT = 32;
const CENTROIDS_EF = 12;
const ROWS_PER_STEP = 16;
const LINKS_PER_STEP = 16;
/** Of address space; what is used is far less. */
const SPACE_BYTES_MAX = 64 * 1024 * 1024;
const NO_CLUSTER = 0xffff;

export type ClusterSource = {
  readonly dimension: number;
  /** Of the vectors that are searched. */
  readonly metric: Metric;
  /** Ascending. */
  readonly rows: Uint32Array;
  /** Those of `rows` that have not changed since the training began. */
  readonly intact: RowSet;
  readonly vector: (row: number) => Components | undefined;
};

/** The number of centroids for so many rows; 0 where the rows are too few or their vectors too long. */
export function centroidCountFor(rows: number, dimension: number): number {
  const most = Math.min(rows / ROWS_PER_CENTROID_MIN, CENTROIDS_BYTES_MAX / (dimension * Float32Array.BYTES_PER_ELEMENT), NO_CLUSTER);
  return Math.floor(Math.min(CENTROIDS_PER_ROOT * Math.sqrt(rows), most));
}

/** The number of rows that a training reads. */
export function rowsTrainedOn(rows: number, centroids: number): number {
  return rows + SAMPLED * centroids;
}

/** A vector as centroids are computed from it and compared with it: for cosine only its direction counts. */
export function asCentroid(vector: Components, metric: Metric): Float32Array {
  const values = vector instanceof Float32Array ? vector : Float32Array.from(vector);
  if (metric !== 'cosine') return values;
  const length = Math.hypot(...values);
  return length === 0 ? values : values.map((value) => value / length);
}

/** Does a little work with each step. */
export function* trainClusters(source: ClusterSource): Generator<void, RowClusters> {
  const { rows, dimension, metric, intact } = source;
  const vectorOf = (row: number) => {
    const stored = source.vector(row);
    return stored && asCentroid(stored, metric);
  };
  const count = centroidCountFor(rows.length, dimension);
  let centroids: Float32Array = new Float32Array(count * dimension);
  for (let centroid = 0; centroid < count; centroid++) {
    const vector = vectorOf(rows[Math.floor((centroid * rows.length) / count)] ?? 0);
    if (vector !== undefined) centroids.set(vector, centroid * dimension);
    if (centroid % ROWS_PER_STEP === 0) yield;
  }
  const sample = sampleOf(rows, count * SAMPLED);
  const { sums } = yield* assign(sample, { centroids, dimension, vectorOf });
  centroids = sums.means(centroids);
  const assigned = yield* assign(rows, { centroids, dimension, vectorOf });
  centroids = assigned.sums.means(centroids);
  const space = spaceOf(dimension, metric === 'cosine' ? 'dot' : metric, 0);
  const { order, starts } = sortByCentroid(assigned.clusterOf, count);
  const trained = {
    rows: order.map((index) => rows[index] ?? 0),
    starts,
    centroids: space,
    clusters: count,
    rowsRead: rows.length,
    spreads: assigned.sums.spreads(centroids),
  };
  yield* put(space, centroids);
  return new RowClusters(trained, intact);
}

/** Evenly spaced rows. */
function sampleOf(rows: Uint32Array, count: number): Uint32Array {
  if (count >= rows.length) return rows;
  return Uint32Array.from({ length: count }, (_, index) => rows[Math.floor(((index + 0.5) * rows.length) / count)] ?? 0);
}

function spaceOf(dimension: number, metric: Metric, m: number): SpaceWriter {
  const options = { dimension, metric, m, efConstruct: CENTROIDS_EF_CONSTRUCT, seed: 1, bytesMax: SPACE_BYTES_MAX };
  return createVectorSpace(m === 0 ? { ...options, quantization: 'none' } : options);
}

function* put(space: SpaceWriter, centroids: Float32Array): Generator<void, void> {
  const { dimension } = space;
  for (let centroid = 0; centroid < centroids.length / dimension; centroid++) {
    space.put(centroid, centroids.subarray(centroid * dimension, (centroid + 1) * dimension), 1);
    if (centroid % ROWS_PER_STEP === 0) yield;
  }
}

type Assigning = {
  readonly centroids: Float32Array;
  readonly dimension: number;
  readonly vectorOf: (row: number) => Float32Array | undefined;
};
type Assigned = { readonly clusterOf: Uint16Array; readonly sums: CentroidSums };

/** Assigns each row to its nearest centroid, by Euclidean distance whatever the metric, so that clusters are compact. Rows without a vector get none. */
function* assign(rows: Uint32Array, { centroids, dimension, vectorOf }: Assigning): Generator<void, Assigned> {
  const space = spaceOf(dimension, 'euclid', CENTROIDS_M);
  yield* put(space, centroids);
  const indexer = attachIndexer(space.handle);
  while (space.pendingCount > 0) {
    indexer.link(LINKS_PER_STEP);
    indexer.reclaim();
    yield;
  }
  const clusterOf = new Uint16Array(rows.length).fill(NO_CLUSTER);
  const sums = new CentroidSums(centroids.length / dimension, dimension);
  for (let index = 0; index < rows.length; index++) {
    if (index % ROWS_PER_STEP === 0) yield;
    const vector = vectorOf(rows[index] ?? 0);
    if (vector === undefined) continue;
    const cluster = space.search(vector, { k: 1, ef: CENTROIDS_EF }).rows[0] ?? 0;
    clusterOf[index] = cluster;
    sums.add(cluster, vector);
  }
  return { clusterOf, sums };
}
