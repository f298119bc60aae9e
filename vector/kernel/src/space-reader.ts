import { assert } from '@sextant/foundation-std';
import { attachKernel, type KernelExports, metrics } from './kernel.ts';
import { MemoryView } from './memory-view.ts';
import { type Metric, type Neighbours, SpaceFullError, type SpaceReader, type VectorSpaceHandle } from './vector-space.ts';

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

  search(query: Float32Array, { k, ef, filter }: { k: number; ef: number; filter?: Uint32Array }): Neighbours {
    assertCount(k, 'k');
    assertCount(ef, 'ef');
    const rowBound = this.rowBound;
    if (rowBound === 0) return noNeighbours;
    this.#placeQuery(query);
    if (filter !== undefined) this.#placeInput(filter);
    // No answer is longer than the space, so no scratch has to be either.
    const answerMax = Math.min(k, rowBound);
    const beamWidth = Math.min(Math.max(ef, k), rowBound);
    return this.#answer(this.kernel.search(answerMax, beamWidth, filter !== undefined, (filter?.length ?? 0) * 32));
  }

  scan(query: Float32Array, options: { k: number; fromRow: number; toRow: number; filter?: Uint32Array }): Neighbours {
    const { k, fromRow, filter } = options;
    assertCount(k, 'k');
    assert(Number.isInteger(fromRow) && fromRow >= 0, 'fromRow is a row');
    const toRow = Math.min(options.toRow, this.rowBound, filter === undefined ? Number.POSITIVE_INFINITY : filter.length * 32);
    if (!(fromRow < toRow)) return noNeighbours;
    this.#placeQuery(query);
    if (filter !== undefined) this.#placeInput(filter.subarray(fromRow >>> 5, (toRow + 31) >>> 5));
    return this.#answer(this.kernel.scan(Math.min(k, toRow - fromRow), fromRow, toRow, filter !== undefined));
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

function assertCount(value: number, name: string): void {
  assert(Number.isInteger(value) && value >= 1, `${name} is a positive integer`);
}

function noRoomForScratch(): SpaceFullError {
  return new SpaceFullError('the memory bound of the vector space leaves no room to search');
}
