/**
 * The nearest neighbours of each point among all, by an inverted file: points are dealt out to cells around centres, and each is compared with those of
 * the cells that are nearest to its own. Few points are compared with all.
 */
import { seededRandom } from '@sextant/foundation-std';

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
  readonly order: Int32Array;
  /** Where each cell begins, and where the last one ends. */
  readonly starts: Int32Array;
  /** The cells whose points are candidates of a cell's points, nearest first. */
  readonly probed: (cell: number) => readonly number[];
};

function cellsOf(points: Float32Array, size: number, cells: number): Cells {
  const count = points.length / size;
  const centres = learnedCentres(points, size, cells);
  const cellOf = Int32Array.from({ length: count }, (_, row) => nearestCentre(centres, points, row * size, size));
  const starts = new Int32Array(cells + 1);
  for (const cell of cellOf) starts[cell + 1] = (starts[cell + 1] ?? 0) + 1;
  for (let cell = 0; cell < cells; cell++) starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0);
  const next = starts.slice();
  const order = new Int32Array(count);
  cellOf.forEach((cell, row) => {
    const place = next[cell] ?? 0;
    order[place] = row;
    next[cell] = place + 1;
  });
  const all = Array.from({ length: cells }, (_, cell) => cell);
  const probed = (cell: number): readonly number[] => {
    const distances = all.map((other) => squaredDistance(centres, cell * size, other * size, size, Number.POSITIVE_INFINITY));
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

/** By Lloyd's iteration over a part of the points. */
function learnedCentres(points: Float32Array, size: number, cells: number): Float32Array {
  const count = points.length / size;
  const random = seededRandom(SEED);
  const centres = new Float32Array(cells * size);
  for (let cell = 0; cell < cells; cell++) {
    const row = random.integer(count);
    centres.set(points.subarray(row * size, (row + 1) * size), cell * size);
  }
  if (cells === 1) return centres;
  const step = Math.max(1, Math.floor(count / (cells * LEARNED_PER_CELL)));
  for (let round = 0; round < ROUNDS; round++) {
    const sums = new Float64Array(cells * size);
    const members = new Int32Array(cells);
    for (let row = 0; row < count; row += step) {
      const cell = nearestCentre(centres, points, row * size, size);
      members[cell] = (members[cell] ?? 0) + 1;
      for (let i = 0; i < size; i++) sums[cell * size + i] = (sums[cell * size + i] ?? 0) + (points[row * size + i] ?? 0);
    }
    centres.forEach((value, at) => {
      const share = members[Math.floor(at / size)] ?? 0;
      centres[at] = share === 0 ? value : (sums[at] ?? 0) / share;
    });
  }
  return centres;
}

function nearestCentre(centres: Float32Array, points: Float32Array, first: number, size: number): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let cell = 0; cell * size < centres.length; cell++) {
    let sum = 0;
    for (let i = 0; i < size; i++) {
      const difference = (points[first + i] ?? 0) - (centres[cell * size + i] ?? 0);
      sum += difference * difference;
    }
    if (sum < least) {
      least = sum;
      nearest = cell;
    }
  }
  return nearest;
}
