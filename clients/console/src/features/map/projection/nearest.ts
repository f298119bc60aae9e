// SPDX-License-Identifier: Apache-2.0
/**
 * The nearest neighbours of each point among all, by an inverted file: points are sorted into cells around centroids, and each is compared with those of
 * the cells that are nearest to its own. Few points are compared with all.
 */
import { CentroidSums, nearestCentroid, seededRandom, sortByCentroid } from '@sextant/foundation-std';

export type Neighbours = {
  readonly count: number;
  /** For each point its neighbours, nearest first; itself is not among them. */
  readonly rows: Int32Array;
  readonly distances: Float32Array;
};

type NearestOptions = { readonly size: number; readonly neighbours: number; readonly onProgress?: (share: number) => void };

/** Up to here all are compared with all. */
const EXACT_MAX = 3_000;
/** Points that one is compared with; of 50,000 points of clusters as real embeddings have them 95 % of the neighbours are found so. */
const CANDIDATES = 1_500;
const POINTS_PER_CELL = 150;
const ROUNDS = 4;
const LEARNED_PER_CELL = 24;
const SEED = 7;
const PROGRESS_ROWS = 2_000;

export function nearestNeighbours(points: Float32Array, { size, neighbours, onProgress }: NearestOptions): Neighbours {
  const count = points.length / size;
  const kept = Math.min(neighbours, Math.max(0, count - 1));
  const rows = new Int32Array(count * kept).fill(-1);
  const distances = new Float32Array(count * kept).fill(Number.POSITIVE_INFINITY);
  const cells = cellsOf(points, size, count <= EXACT_MAX ? 1 : Math.ceil(count / POINTS_PER_CELL));
  // A copy in the order of the cells lies in memory as it is read.
  const ordered = new Float32Array(points.length);
  cells.order.forEach((row, place) => {
    ordered.set(points.subarray(row * size, (row + 1) * size), place * size);
  });
  let done = 0;
  for (let cell = 0; cell < cells.starts.length - 1; cell++) {
    const probed = cells.probed(cell);
    for (let place = cells.starts[cell] ?? 0; place < (cells.starts[cell + 1] ?? 0); place++) {
      const row = cells.order[place] ?? 0;
      for (const other of probed) {
        const end = cells.starts[other + 1] ?? 0;
        for (let candidate = cells.starts[other] ?? 0; candidate < end; candidate++) {
          if (candidate === place) continue;
          const worst = distances[row * kept + kept - 1] ?? 0;
          const distance = squaredDistance(ordered, place * size, candidate * size, size, worst);
          if (distance < worst) insert(rows, distances, row * kept, kept, cells.order[candidate] ?? 0, distance);
        }
      }
      done++;
      if (done % PROGRESS_ROWS === 0) onProgress?.(done / count);
    }
  }
  for (let at = 0; at < distances.length; at++) distances[at] = Math.sqrt(distances[at] ?? 0);
  return { count: kept, rows, distances };
}

/** Gives up once the sum is beyond what would count; eight at a time, so that looking is cheap. */
function squaredDistance(points: Float32Array, one: number, other: number, size: number, limit: number): number {
  let sum = 0;
  for (let i = 0; i < size; ) {
    const end = Math.min(size, i + 8);
    for (; i < end; i++) {
      const difference = (points[one + i] ?? 0) - (points[other + i] ?? 0);
      sum += difference * difference;
    }
    if (sum >= limit) return sum;
  }
  return sum;
}

function insert(rows: Int32Array, distances: Float32Array, first: number, kept: number, row: number, distance: number): void {
  let at = first + kept - 1;
  for (; at > first && (distances[at - 1] ?? 0) > distance; at--) {
    distances[at] = distances[at - 1] ?? 0;
    rows[at] = rows[at - 1] ?? 0;
  }
  distances[at] = distance;
  rows[at] = row;
}

type Cells = {
  /** Rows cell by cell. */
  readonly order: Uint32Array;
  /** Where each cell begins, and where the last one ends. */
  readonly starts: Uint32Array;
  /** The cells whose points are candidates of a cell's points, nearest first. */
  readonly probed: (cell: number) => readonly number[];
};

function cellsOf(points: Float32Array, size: number, cells: number): Cells {
  const count = points.length / size;
  const centroids = learnedCentroids(points, size, cells);
  const cellOf = Uint32Array.from({ length: count }, (_, row) => nearestCentroid(centroids, points, row * size, size));
  const { order, starts } = sortByCentroid(cellOf, cells);
  const all = Array.from({ length: cells }, (_, cell) => cell);
  const probed = (cell: number): readonly number[] => {
    const distances = all.map((other) => squaredDistance(centroids, cell * size, other * size, size, Number.POSITIVE_INFINITY));
    const near = all.toSorted((one, other) => (distances[one] ?? 0) - (distances[other] ?? 0));
    let candidates = 0;
    return near.filter((other) => {
      const isWanted = candidates < CANDIDATES;
      candidates += (starts[other + 1] ?? 0) - (starts[other] ?? 0);
      return isWanted;
    });
  };
  return { order, starts, probed };
}

/** k-means over a part of the points. */
function learnedCentroids(points: Float32Array, size: number, cells: number): Float32Array {
  const count = points.length / size;
  const random = seededRandom(SEED);
  let centroids: Float32Array = new Float32Array(cells * size);
  for (let cell = 0; cell < cells; cell++) {
    const row = random.integer(count);
    centroids.set(points.subarray(row * size, (row + 1) * size), cell * size);
  }
  if (cells === 1) return centroids;
  const step = Math.max(1, Math.floor(count / (cells * LEARNED_PER_CELL)));
  for (let round = 0; round < ROUNDS; round++) {
    const sums = new CentroidSums(cells, size);
    for (let row = 0; row < count; row += step) sums.add(nearestCentroid(centroids, points, row * size, size), points, row * size);
    centroids = sums.means(centroids);
  }
  return centroids;
}
