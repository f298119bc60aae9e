import { assert } from '@sextant/foundation-std';
import { attachKernel, type KernelExports, metrics } from './kernel.ts';
import { MemoryView } from './memory-view.ts';
import {
  type Metric,
  type Neighbours,
  type RowRange,
  type SearchOptions,
  SpaceFullError,
  type SpaceReader,
  type VectorSpaceHandle,
} from './vector-space.ts';

/** Rows that are measured by their vectors for each that is wanted: codes keep nearly all of the nearest among twice as many. */
const RESCORED = 2;

/**
 * Beyond the wanted `k` a walk rescores as many rows, or this many if that is more, but never more than a quarter of the beam: so recall is that of
 * the walk on vectors with the same beam, and a narrow beam stays as quick as it was meant to be.
 */
const RESCORED_MIN = 10;

function rescoredAfterWalk(k: number, ef: number): number {
  return k + Math.min(Math.max(k, RESCORED_MIN), Math.floor(ef / 4));
}

const noNeighbours: Neighbours = { rows: new Uint32Array(), distances: new Float32Array() };

/** Gives this thread read access to a space. At most 64 readers can be attached at a time, the writer among them. */
export function attachReader(handle: VectorSpaceHandle): SpaceReader {
  return new KernelReader(handle);
}

export class KernelReader implements SpaceReader {
  readonly dimension: number;
  readonly metric: Metric;
  protected readonly kernel: KernelExports;
  protected readonly view: MemoryView;

  constructor(handle: VectorSpaceHandle) {
    this.kernel = attachKernel(handle);
    this.view = new MemoryView(handle.memory);
    assert(this.kernel.claimSlot(), 'no more than 64 readers are attached to a vector space');
    const metric = metrics[this.kernel.spaceMetric()];
    assert(metric !== undefined, 'the space was created with a known metric');
    this.metric = metric;
    this.dimension = this.kernel.spaceDimension();
  }

  get rowBound(): number {
    return this.kernel.rowBound() >>> 0;
  }

  get liveCount(): number {
    return this.pendingCount + this.indexedCount;
  }

  get indexedCount(): number {
    return this.kernel.indexedCount();
  }

  get pendingCount(): number {
    return this.kernel.pendingCount();
  }

  get bytesUsed(): number {
    return this.kernel.bytesUsed() >>> 0;
  }

  get bytesMax(): number {
    return this.kernel.bytesMax() >>> 0;
  }

  search(query: Float32Array, { k, ef, filter, rescored = rescoredAfterWalk(k, ef) }: SearchOptions): Neighbours {
    assertCount(k, 'k');
    assertRescored(rescored, k);
    assertCount(ef, 'ef');
    const rowBound = this.rowBound;
    if (rowBound === 0 || filter?.length === 0) return noNeighbours;
    this.#placeQuery(query);
    if (filter !== undefined) this.#placeInput(filter);
    // No answer is longer than the space, so no scratch has to be either.
    const answerMax = Math.min(k, rowBound);
    const beamWidth = Math.min(Math.max(ef, k), rowBound);
    return this.#answer(
      this.kernel.search(answerMax, beamWidth, filter !== undefined, (filter?.length ?? 0) * 32, Math.min(rescored, rowBound)),
    );
  }

  scan(query: Float32Array, range: RowRange): Neighbours {
    return this.#inRange(query, range, (k, fromRow, toRow, filtered) => this.kernel.scan(k, fromRow, toRow, filtered));
  }

  sweep(query: Float32Array, range: RowRange & { readonly rescored?: number }): Neighbours {
    const { rescored = RESCORED * range.k } = range;
    assertRescored(rescored, range.k);
    return this.#inRange(query, range, (k, fromRow, toRow, filtered) =>
      this.kernel.sweep(k, fromRow, toRow, filtered, Math.min(rescored, toRow - fromRow)),
    );
  }

  passingShare(query: Float32Array, filter: Uint32Array): number {
    if (filter.length === 0) return 0;
    this.#placeQuery(query);
    this.#placeInput(filter);
    return this.kernel.passingShare(filter.length * 32);
  }

  scanRows(query: Float32Array, { k, rows }: { k: number; rows: Uint32Array }): Neighbours {
    assertCount(k, 'k');
    if (rows.length === 0) return noNeighbours;
    this.#placeQuery(query);
    this.#placeInput(rows);
    return this.#answer(this.kernel.scanRows(Math.min(k, rows.length), rows.length));
  }

  scanNewer(query: Float32Array, { k, version }: { k: number; version: number }): Neighbours {
    assertCount(k, 'k');
    const { rowBound } = this;
    if (rowBound === 0) return noNeighbours;
    this.#placeQuery(query);
    return this.#answer(this.kernel.scanNewer(Math.min(k, rowBound), version));
  }

  has(row: number): boolean {
    return this.kernel.hasVector(row) !== 0;
  }

  detach(): void {
    this.kernel.detach();
  }

  #inRange(query: Float32Array, range: RowRange, look: KernelExports['scan']): Neighbours {
    const { k, fromRow, filter } = range;
    assertCount(k, 'k');
    assert(Number.isInteger(fromRow) && fromRow >= 0, 'fromRow is a row');
    const toRow = Math.min(range.toRow, this.rowBound, filter === undefined ? Number.POSITIVE_INFINITY : filter.length * 32);
    if (!(fromRow < toRow)) return noNeighbours;
    this.#placeQuery(query);
    if (filter !== undefined) this.#placeInput(filter.subarray(fromRow >>> 5, (toRow + 31) >>> 5));
    return this.#answer(look(Math.min(k, toRow - fromRow), fromRow, toRow, filter !== undefined));
  }

  #placeQuery(query: Float32Array): void {
    assert(query.length === this.dimension, 'the query has the dimension of the space');
    const address = this.kernel.queryAddress() >>> 0;
    if (address === 0) throw noRoomForScratch();
    const padded = (this.dimension + 3) & ~3;
    const floats = this.view.floats(address + padded * 4);
    floats.set(query, address >>> 2);
    floats.fill(0, (address >>> 2) + this.dimension, (address >>> 2) + padded);
  }

  #placeInput(words: Uint32Array): void {
    if (words.length === 0) return;
    const address = this.kernel.inputAddress(words.byteLength) >>> 0;
    if (address === 0) throw noRoomForScratch();
    this.view.words(address + words.byteLength).set(words, address >>> 2);
  }

  /** Copies the answer, pairs of row and distance, out of the shared memory. */
  #answer(count: number): Neighbours {
    if (count < 0) throw noRoomForScratch();
    const rows = new Uint32Array(count);
    const distances = new Float32Array(count);
    const address = this.kernel.answerAddress() >>> 0;
    const words = this.view.words(address + count * 8);
    const floats = this.view.floats(address + count * 8);
    for (let i = 0, at = address >>> 2; i < count; i++, at += 2) {
      rows[i] = words[at] ?? 0;
      distances[i] = floats[at + 1] ?? 0;
    }
    return { rows, distances };
  }
}

function assertRescored(rescored: number, k: number): void {
  assert(Number.isInteger(rescored) && (rescored === 0 || rescored >= k), 'rescored is 0, or an integer of k or more');
}

function assertCount(value: number, name: string): void {
  assert(Number.isInteger(value) && value >= 1, `${name} is a positive integer`);
}

function noRoomForScratch(): SpaceFullError {
  return new SpaceFullError('the memory bound of the vector space leaves no room to search');
}
