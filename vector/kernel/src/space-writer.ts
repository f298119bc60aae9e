// SPDX-License-Identifier: Apache-2.0
import { assert } from '@sextant/foundation-std';
import { datatypes, instantiate, loadKernel, metrics, quantizationNumbers } from './kernel.ts';
import { readGraph } from './saved-graph.ts';
import { KernelReader } from './space-reader.ts';
import {
  type Components,
  type GraphSource,
  type Quantization,
  SpaceFullError,
  type SpaceLoader,
  type SpaceWriter,
  type VectorSpaceHandle,
  type VectorSpaceOptions,
} from './vector-space.ts';

const pageBytes = 65536;
/** The last page of the address space stays unused, so that the end of an array never wraps round to zero. */
const bytesMaxLimit = 2 ** 32 - pageBytes;
const initialPages = 2;
const noRow = 0xffffffff;
/** Row numbers are half of a signed 32-bit key. */
const rowMax = 2 ** 31 - 1;
const free = 0;
const saved = 7;

/** Short vectors have too few components for one byte each to tell near neighbours apart, and are quick to read whole. */
const quantizedDimensionMin = 24;
/** From this dimension on a reduced code is at most half as long. */
const reducedDimensionMin = 128;

function quantizationOf(options: VectorSpaceOptions): Quantization {
  const { metric, datatype, quantization } = options;
  if (datatype === 'uint8') return quantizationOfBytes(options);
  if (metric === 'manhattan' && (isBinary(quantization) || quantization === 'reduced')) return 'int8';
  const codes = quantization ?? defaultQuantization(options);
  // The graph is built on codes when vectors are released.
  return codes === 'none' && releasesVectors(options) ? 'int8' : codes;
}

/**
 * Bytes are as short as codes, and lose nothing. Reduced codes are shorter; they are made of signed bytes, as which vectors by euclid are
 * stored.
 */
function quantizationOfBytes({ dimension, metric, quantization }: VectorSpaceOptions): Quantization {
  const isWanted = quantization === 'reduced' || (quantization === undefined && dimension >= reducedDimensionMin);
  return isWanted && metric === 'euclid' ? 'reduced' : 'none';
}

/** The rotation of binary codes keeps angles and lengths, but not the sums of absolute differences that manhattan needs. */
function isBinary(quantization: Quantization | undefined): boolean {
  return quantization?.startsWith('binary') === true;
}

function defaultQuantization({ dimension, metric }: VectorSpaceOptions): Quantization {
  if (dimension >= reducedDimensionMin && metric !== 'manhattan') return 'reduced';
  return dimension >= quantizedDimensionMin ? 'int8' : 'none';
}

/** Without a graph, searches compare vectors only. */
function releasesVectors({ vectors, datatype, m }: VectorSpaceOptions): boolean {
  return vectors === 'released' && datatype !== 'uint8' && m > 0;
}

/** Makes an empty space in a memory of its own, which takes 128 KiB and grows with its rows. */
export function createVectorSpace(options: VectorSpaceOptions): SpaceWriter & SpaceLoader {
  const { dimension, metric, m, efConstruct, seed, bytesMax = bytesMaxLimit, datatype = 'float32', quantile, queryBits } = options;
  assertInteger(dimension, 1, 65536, 'dimension');
  assertInteger(m, 0, 512, 'm');
  assertInteger(efConstruct, 1, 65536, 'efConstruct');
  assert(metric !== 'cosine' || datatype === 'uint8', 'cosine is for bytes; other vectors are normalised');
  assert(quantile === undefined || (quantile >= 0.5 && quantile <= 1), 'quantile is from 0.5 to 1');
  assertInteger(bytesMax, initialPages * pageBytes, bytesMaxLimit, 'bytesMax');
  const memory = sharedMemory(Math.ceil(bytesMax / pageBytes));
  const handle: VectorSpaceHandle = { memory, module: loadKernel() };
  const kernel = instantiate(handle);
  kernel.format(
    dimension,
    metrics.indexOf(metric),
    m,
    efConstruct,
    seed,
    bytesMax,
    initialPages,
    m > 0 ? quantizationNumbers[quantizationOf(options)] : 0,
    datatypes.indexOf(datatype),
    releasesVectors(options),
  );
  if (quantile !== undefined) kernel.setQuantile(quantile);
  if (queryBits !== undefined) kernel.setQueryBits(queryBits);
  return new KernelWriter(handle);
}

/** Each memory reserves its bound in the address space of the process, which is finite too. */
function sharedMemory(maximum: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: initialPages, maximum, shared: true });
  } catch (cause) {
    throw new SpaceFullError('the system has no address space left for another vector space', { cause });
  }
}

class KernelWriter extends KernelReader implements SpaceWriter, SpaceLoader {
  readonly handle: VectorSpaceHandle;
  #savedEntry = noRow;

  constructor(handle: VectorSpaceHandle) {
    super(handle);
    this.handle = handle;
  }

  get rowBytes(): number {
    return this.kernel.bytesOfBlock() / this.kernel.rowsOfBlock();
  }

  put(row: number, vector: Components, version: number): void {
    assertInteger(row, 0, rowMax, 'row');
    assert(this.isFree(row), 'only a free row is put');
    this.#place(row, vector);
    this.kernel.publish(row, version);
  }

  reserve(rowBound: number): void {
    assertInteger(rowBound, 0, rowMax + 1, 'rowBound');
    if (this.kernel.reserve(rowBound) === 0) {
      throw new SpaceFullError(`the memory bound of the vector space, ${this.bytesMax} bytes, leaves no room for ${rowBound} rows`);
    }
  }

  bytesWanted(rowBound: number): number {
    assertInteger(rowBound, 0, rowMax + 1, 'rowBound');
    return this.kernel.bytesWanted(rowBound);
  }

  remove(row: number): void {
    assert(this.kernel.remove(row), 'only a live row is removed');
  }

  get usedBound(): number {
    return this.kernel.usedBound() >>> 0;
  }

  isFree(row: number): boolean {
    return this.kernel.rowState(row) === free;
  }

  loadGraph(source: GraphSource, { newest, rowsMax = rowMax + 1 }: { newest: number; rowsMax?: number }): number {
    assert(this.rowBound === 0, 'a graph is loaded into an empty space');
    const { entry, sequence } = readGraph(this.kernel, this.view, source, { newest, rowsMax });
    this.#savedEntry = entry;
    return sequence;
  }

  recall({ fromRow, toRow }: { fromRow: number; toRow: number }): void {
    assertInteger(fromRow, 0, rowMax, 'fromRow');
    assertInteger(toRow, fromRow, 2 ** 32, 'toRow');
    this.kernel.recall(fromRow, Math.min(toRow, this.rowBound));
  }

  adopt(row: number, vector: Components, version: number): void {
    assertInteger(row, 0, rowMax, 'row');
    const state = this.kernel.rowState(row);
    assert(state === free || state === saved, 'a row is adopted once');
    this.#place(row, vector);
    this.kernel.adopt(row, version);
  }

  finishLoad(): void {
    this.kernel.finishLoad(this.#savedEntry);
    this.#savedEntry = noRow;
  }

  #place(row: number, vector: Components): void {
    this.reserve(row + 1);
    const address = this.kernel.placeVector(row) >>> 0;
    if (address === 0)
      throw new SpaceFullError(`the memory bound of the vector space, ${this.bytesMax} bytes, leaves no room for a vector`);
    this.components.place(address, vector);
  }
}

function assertInteger(value: number, min: number, max: number, name: string): void {
  assert(Number.isInteger(value) && value >= min && value <= max, `${name} is an integer from ${min} to ${max}`);
}
