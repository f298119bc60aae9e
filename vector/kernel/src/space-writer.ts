import { assert } from '@sextant/foundation-std';
import { instantiate, loadKernel, metrics } from './kernel.ts';
import { decodeGraph } from './saved-graph.ts';
import { KernelReader } from './space-reader.ts';
import {
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

function defaultQuantization(dimension: number): Quantization {
  return dimension >= quantizedDimensionMin ? 'int8' : 'none';
}

/** Makes an empty space in a memory of its own; it takes 128 KiB and grows with its rows. */
export function createVectorSpace(options: VectorSpaceOptions): SpaceWriter & SpaceLoader {
  const { dimension, metric, m, efConstruct, seed, bytesMax = bytesMaxLimit } = options;
  const { quantization = defaultQuantization(dimension) } = options;
  assertInteger(dimension, 1, 65536, 'dimension');
  assertInteger(m, 0, 512, 'm');
  assertInteger(efConstruct, 1, 65536, 'efConstruct');
  assertInteger(bytesMax, initialPages * pageBytes, bytesMaxLimit, 'bytesMax');
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: Math.ceil(bytesMax / pageBytes), shared: true });
  const handle: VectorSpaceHandle = { memory, module: loadKernel() };
  instantiate(handle).format(
    dimension,
    metrics.indexOf(metric),
    m,
    efConstruct,
    seed,
    bytesMax,
    initialPages,
    quantization === 'int8' && m > 0,
  );
  return new KernelWriter(handle);
}

class KernelWriter extends KernelReader implements SpaceWriter, SpaceLoader {
  readonly handle: VectorSpaceHandle;
  #savedEntry = noRow;

  constructor(handle: VectorSpaceHandle) {
    super(handle);
    this.handle = handle;
  }

  put(row: number, vector: Float32Array, version: number): void {
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

  remove(row: number): void {
    assert(this.kernel.remove(row), 'only a live row is removed');
  }

  isFree(row: number): boolean {
    return this.kernel.rowState(row) === free;
  }

  loadGraph(bytes: Uint8Array): void {
    assert(this.rowBound === 0, 'a graph is loaded into an empty space');
    const graph = decodeGraph(bytes, { dimension: this.dimension, metric: this.kernel.spaceMetric(), m: this.kernel.spaceM() });
    this.reserve(graph.rowBound);
    for (const node of graph.nodes()) {
      if (this.kernel.loadNode(node.row, node.level, node.version) === 0) {
        this.kernel.unloadNodes();
        throw new SpaceFullError('the memory bound of the vector space leaves no room for the links of the saved graph');
      }
      this.#placeLinks(node.row, node.level, node.links);
    }
    this.kernel.setChance(graph.chance);
    const calibration = this.kernel.calibrationAddress() >>> 0;
    if (calibration !== 0) this.view.words(0).set(graph.calibration, calibration / 4);
    this.#savedEntry = graph.entry;
  }

  adopt(row: number, vector: Float32Array, version: number): void {
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

  #place(row: number, vector: Float32Array): void {
    assert(vector.length === this.dimension, 'the vector has the dimension of the space');
    this.reserve(row + 1);
    const address = this.kernel.vectorAddress(row) >>> 0;
    this.view.floats(address + vector.byteLength).set(vector, address >>> 2);
  }

  /** `links` holds, for each level from 0 up, a count and as many rows. */
  #placeLinks(row: number, level: number, links: Uint32Array): void {
    let from = 0;
    for (let l = 0; l <= level; l++) {
      const address = this.kernel.linksAddress(row, l) >>> 0;
      const length = 1 + (links[from] ?? 0);
      const words = this.view.words(address + length * 4);
      for (let i = 0; i < length; i++) words[(address >>> 2) + i] = links[from + i] ?? 0;
      from += length;
    }
  }
}

function assertInteger(value: number, min: number, max: number, name: string): void {
  assert(Number.isInteger(value) && value >= min && value <= max, `${name} is an integer from ${min} to ${max}`);
}
