// SPDX-License-Identifier: Apache-2.0
import { assert, pooledFloat32, pooledUint32 } from '@sextant/foundation-std';
import { ComponentWriter } from './components.ts';
import { attachKernel, calibrationWords, datatypes, type KernelExports, metrics } from './kernel.ts';
import { MemoryView } from './memory-view.ts';
import { OriginalsMeasure } from './originals.ts';
import {
  type Components,
  type Datatype,
  type Metric,
  type Neighbours,
  type Originals,
  type RescoringOptions,
  type RowRange,
  type SearchOptions,
  SpaceFullError,
  type SpaceReader,
  type VectorSpaceHandle,
} from './vector-space.ts';

/** Rows to rescore for each wanted row: codes keep nearly all of the nearest among twice as many. */
const RESCORED = 2;

/**
 * Beyond the wanted `k`, a walk rescores as many rows again or this many, whichever is more, but at most a quarter of ef. So recall is that
 * of a walk on vectors with the same ef, and a search with a small ef stays quick.
 */
const RESCORED_MIN = 10;
const EF_SHARE = 1 / 4;
/**
 * Where ef is large, rescoring also has to correct what codes misplace: of 340,479 GloVe-100 vectors, ef 1280 finds 0.9903 where ten more
 * are rescored, and 0.9917 where 80 are, in the same time. Not where vectors are read one by one from elsewhere.
 */
const EF_SHARE_MIN = 1 / 16;
/** Reduced codes err by more, and tell where fewer rows are enough. */
const RESCORED_MIN_BY_REDUCED = 30;
/**
 * Codes of released vectors were tried with few rows. Of 69,000 Fashion-MNIST images, ef 40 finds 0.983 when a quarter of ef is rescored,
 * and 0.990 when half of it is.
 */
const EF_SHARE_BY_STAYING = 1 / 2;
/**
 * However small ef is, a walk on reduced codes brings at least this many more rows; those are rescored that may be near, as codes err
 * around the query. A larger ef would cost more and find as much.
 */
const RESCORED_MORE_BY_REDUCED = 6;

/** The trial tells with this many wanted rows how many product codes need to rescore; where more are wanted, no more are added. */
const TRIED_WITH = 10;
const MEASURED_MORE_MAX = 100;

function rescoredByTrial(k: number, oversampling: number): number {
  return k + (oversampling - 1) * Math.min(Math.max(k, TRIED_WITH), MEASURED_MORE_MAX);
}

const noNeighbours: Neighbours = { rows: new Uint32Array(), distances: new Float32Array() };

/** The kernel returns it in place of a count; see assembly/search/search.ts. */
const released = -2;

/**
 * Gives this thread read access to a space. At most 64 readers can be attached at a time, including the writer.
 * @param originals where released vectors are stored; a space that releases vectors cannot be searched without
 */
export function attachReader(handle: VectorSpaceHandle, originals?: Originals): SpaceReader {
  return new KernelReader(handle, originals);
}

export class KernelReader implements SpaceReader {
  readonly dimension: number;
  readonly metric: Metric;
  readonly datatype: Datatype;
  protected readonly kernel: KernelExports;
  protected readonly view: MemoryView;
  protected readonly components: ComponentWriter;
  readonly #releases: boolean;
  readonly #originals: OriginalsMeasure | undefined;

  constructor(handle: VectorSpaceHandle, originals?: Originals) {
    this.kernel = attachKernel(handle);
    this.view = new MemoryView(handle.memory);
    assert(this.kernel.claimSlot(), 'no more than 64 readers are attached to a vector space');
    const metric = metrics[this.kernel.spaceMetric()];
    const datatype = datatypes[this.kernel.spaceDatatype()];
    assert(metric !== undefined && datatype !== undefined, 'the space was created with a known metric and datatype');
    this.metric = metric;
    this.datatype = datatype;
    this.components = new ComponentWriter(this.kernel, this.view, datatype);
    this.dimension = this.kernel.spaceDimension();
    this.#releases = this.kernel.spaceReleasesVectors() !== 0;
    this.#originals = originals === undefined ? undefined : new OriginalsMeasure(this.kernel, this.components, originals);
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

  get codes(): SpaceReader['codes'] {
    const calibration = this.kernel.calibrationAddress() >>> 0;
    const rowsTried = calibration === 0 ? 0 : this.view.words(calibration + calibrationWords * 4)[calibration / 4 + 3];
    const isLearning = this.kernel.isCalibrating() !== 0;
    // Read last: the indexer takes codes into use before it says that it has tried them.
    if (this.kernel.codesInUse() !== 0) return this.kernel.codesOutgrown() === 0 ? 'in use' : 'outgrown';
    if (calibration === 0) return 'none';
    if (isLearning) return 'learning';
    return rowsTried === 0 ? 'awaited' : 'given up';
  }

  get readsOriginals(): boolean {
    return this.#releases && this.kernel.codesInUse() !== 0;
  }

  get comparedBytes(): number {
    return this.kernel.comparedBytes();
  }

  get comparesProjections(): boolean {
    return this.kernel.codesReduced() !== 0;
  }

  get bytesUsed(): number {
    return this.kernel.bytesUsed() >>> 0;
  }

  get bytesMax(): number {
    return this.kernel.bytesMax() >>> 0;
  }

  search(query: Components, { k, ef, filter, ...options }: SearchOptions): Neighbours {
    assertCount(k, 'k');
    const byEf = this.#rescoredAfterWalk(k, ef);
    const byDefault = this.comparesProjections && !this.#releases ? Math.max(byEf, k + RESCORED_MORE_BY_REDUCED) : byEf;
    const { most: rescored, least } = this.#rescored(options, k, byDefault);
    assertRescored(rescored, k);
    assertCount(ef, 'ef');
    const rowBound = this.rowBound;
    if (rowBound === 0 || filter?.length === 0) return noNeighbours;
    if (rescored === 0 && this.readsOriginals) {
      return this.scan(query, { k, fromRow: 0, toRow: rowBound, ...(filter === undefined ? {} : { filter }) });
    }
    this.#placeQuery(query);
    if (filter !== undefined) this.#placeInput(filter);
    // No answer is longer than the space, so scratch memory need not be either.
    const answerMax = Math.min(k, rowBound);
    const efSearch = Math.min(Math.max(ef, k, Math.min(byEf, rescored)), rowBound);
    return this.#answer(
      this.#entered(() =>
        this.kernel.search(
          answerMax,
          efSearch,
          filter !== undefined,
          (filter?.length ?? 0) * 32,
          Math.min(rescored, rowBound),
          least,
          Math.max(byEf, least),
        ),
      ),
      answerMax,
    );
  }

  scan(query: Components, range: RowRange): Neighbours {
    return this.#inRange(query, range, (k, fromRow, toRow, filtered) => this.kernel.scan(k, fromRow, toRow, filtered));
  }

  scanQuantized(query: Components, range: RowRange & RescoringOptions): Neighbours {
    const { most: rescored, least } = this.#rescoredAfterScan(range);
    return this.#inRange(query, range, (k, fromRow, toRow, filtered) =>
      this.kernel.scanQuantized(k, fromRow, toRow, filtered, Math.min(rescored, toRow - fromRow), least),
    );
  }

  passingShare(query: Components, filter: Uint32Array): number {
    if (filter.length === 0) return 0;
    this.#placeQuery(query);
    this.#placeInput(filter);
    return this.#entered(() => this.kernel.passingShare(filter.length * 32));
  }

  scanRows(query: Components, { k, rows }: { k: number; rows: Uint32Array }): Neighbours {
    assertCount(k, 'k');
    if (rows.length === 0) return noNeighbours;
    this.#placeQuery(query);
    this.#placeInput(rows);
    const answerMax = Math.min(k, rows.length);
    const count = this.#entered(() => this.kernel.scanRows(answerMax, rows.length));
    return this.#answer(count === released ? this.#measure().scanRows(answerMax, rows) : count, answerMax);
  }

  scanRowsQuantized(query: Components, options: { k: number; rows: Uint32Array } & RescoringOptions): Neighbours {
    const { k, rows } = options;
    assertCount(k, 'k');
    const { most, least } = this.#rescoredAfterScan(options);
    if (rows.length === 0) return noNeighbours;
    this.#placeQuery(query);
    this.#placeInput(rows);
    const answerMax = Math.min(k, rows.length);
    const count = this.#entered(() => this.kernel.scanRowsQuantized(answerMax, rows.length, Math.min(most, rows.length), least));
    return this.#answer(count === released ? this.#measure().scanRows(answerMax, rows) : count, answerMax);
  }

  scanNewer(query: Components, { k, version }: { k: number; version: number }): Neighbours {
    assertCount(k, 'k');
    const { rowBound } = this;
    if (rowBound === 0) return noNeighbours;
    this.#placeQuery(query);
    const answerMax = Math.min(k, rowBound);
    const count = this.#entered(() => this.kernel.scanNewer(answerMax, version));
    return this.#answer(count === released ? this.#measure().scanRows(answerMax, this.#newerRows(version)) : count, answerMax);
  }

  distances(query: Components, { fromRow, toRow }: { fromRow: number; toRow: number }): Float32Array {
    assert(fromRow >= 0 && fromRow <= toRow, 'fromRow and toRow are rows');
    this.#placeQuery(query);
    const count = this.#entered(() => this.kernel.distancesTo(fromRow, toRow));
    if (count < 0) throw noRoomForScratch();
    const address = this.kernel.answerAddress() >>> 0;
    return this.view.floats(address + count * 4).slice(address >>> 2, (address >>> 2) + count);
  }

  has(row: number): boolean {
    return this.kernel.hasVector(row) !== 0;
  }

  detach(): void {
    this.kernel.detach();
  }

  #rescoredAfterScan(options: RescoringOptions & { readonly k: number }): { most: number; least: number } {
    const { k } = options;
    const byDefault = this.comparesProjections ? k + Math.max(k, RESCORED_MIN_BY_REDUCED) : RESCORED * k;
    const rescored = this.#rescored(options, k, byDefault);
    assertRescored(rescored.most, k);
    return rescored;
  }

  #rescoredAfterWalk(k: number, ef: number): number {
    const byWidth = this.#releases ? 0 : Math.floor(ef * EF_SHARE_MIN);
    const min = this.comparesProjections ? RESCORED_MIN_BY_REDUCED : Math.max(RESCORED_MIN, byWidth);
    const share = this.comparesProjections && this.#releases ? EF_SHARE_BY_STAYING : EF_SHARE;
    return k + Math.min(Math.max(k, min), Math.floor(ef * share));
  }

  /** How many rows are rescored, at most and at least; `byDefault` are enough for codes of one byte for each component. */
  #rescored({ rescored, oversampling = 1 }: RescoringOptions, k: number, byDefault: number): { most: number; least: number } {
    if (rescored !== undefined) return { most: rescored, least: rescored };
    const needed = this.kernel.oversampling();
    const least = Math.ceil(k * oversampling);
    return { most: Math.max(byDefault, needed === 0 ? 0 : rescoredByTrial(k, needed), least), least };
  }

  #inRange(query: Components, range: RowRange, look: KernelExports['scan']): Neighbours {
    const { k, fromRow, filter } = range;
    assertCount(k, 'k');
    assert(Number.isInteger(fromRow) && fromRow >= 0, 'fromRow is a row');
    const toRow = Math.min(range.toRow, this.rowBound, filter === undefined ? Number.POSITIVE_INFINITY : filter.length * 32);
    if (!(fromRow < toRow)) return noNeighbours;
    this.#placeQuery(query);
    if (filter !== undefined) this.#placeInput(filter.subarray(fromRow >>> 5, (toRow + 31) >>> 5));
    const answerMax = Math.min(k, toRow - fromRow);
    const count = this.#entered(() => look(answerMax, fromRow, toRow, filter !== undefined));
    return this.#answer(count === released ? this.#measure().scan(answerMax, { ...range, toRow }) : count, answerMax);
  }

  #newerRows(version: number): Uint32Array {
    const limit = this.kernel.newerRows(version, 0, 0);
    if (limit === 0) return new Uint32Array();
    const address = this.kernel.inputAddress(limit * 4) >>> 0;
    if (address === 0) throw noRoomForScratch();
    const count = Math.min(limit, this.kernel.newerRows(version, address, limit));
    return this.view.words(address + limit * 4).slice(address >>> 2, (address >>> 2) + count);
  }

  #measure(): OriginalsMeasure {
    assert(this.#originals !== undefined, 'who searches a space that releases vectors has their originals');
    return this.#originals;
  }

  #placeQuery(query: Components): void {
    const address = this.kernel.queryAddress() >>> 0;
    if (address === 0) throw noRoomForScratch();
    this.components.place(address, query);
  }

  #placeInput(words: Uint32Array): void {
    if (words.length === 0) return;
    const address = this.kernel.inputAddress(words.byteLength) >>> 0;
    if (address === 0) throw noRoomForScratch();
    this.view.words(address + words.byteLength).set(words, address >>> 2);
  }

  /** Runs what enters an epoch. After a trap it leaves the epoch: otherwise no row would become free as long as this thread lives. */
  #entered(look: () => number): number {
    try {
      return look();
    } catch (error) {
      this.kernel.leave();
      throw error;
    }
  }

  /** Copies the answer, pairs of row and distance, out of the shared memory. When all are compared by vectors, it is the nearest `k`. */
  #answer(count: number, k: number): Neighbours {
    if (count < 0) throw noRoomForScratch();
    const rows = pooledUint32(count);
    const distances = pooledFloat32(count);
    const address = this.kernel.answerAddress() >>> 0;
    const words = this.view.words(address + count * 8);
    const floats = this.view.floats(address + count * 8);
    for (let i = 0, at = address >>> 2; i < count; i++, at += 2) {
      rows[i] = words[at] ?? 0;
      distances[i] = floats[at + 1] ?? 0;
    }
    // Rows without a distance come first.
    if (Number.isNaN(distances[0])) return this.#measure().settled({ rows, distances }, k);
    return count <= k ? { rows, distances } : { rows: rows.slice(0, k), distances: distances.slice(0, k) };
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
