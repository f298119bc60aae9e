// SPDX-License-Identifier: Apache-2.0
/** MaxSim of lists of vectors, by a small WebAssembly module (`assembly/max-sim.ts`). Each thread has one. */
import { compiledModule } from './compiled-module.ts';
import type { Components, Metric } from './vector-space.ts';

type MaxSimExports = {
  readonly memory: WebAssembly.Memory;
  distance(kind: number, query: number, queryEnd: number, bytes: number, vectors: number, end: number): number;
};

const KINDS: Readonly<Record<Metric, number>> = { dot: 0, cosine: 0, euclid: 1, manhattan: 2 };
const LANES = 4;
/** Beyond the memory that the module uses itself. */
const QUERY_ADDRESS = 1024;
const PAGE_BYTES = 65_536;

let instance: MaxSimExports | undefined;
/** The query that is in the module's memory. */
let loaded: Components | undefined;

export class MaxSim {
  readonly #metric: Metric;
  readonly #dimension: number;
  readonly #query: Components;
  /** Components of a vector with its padding. */
  readonly #stride: number;

  /** @param query one or more consecutive vectors */
  constructor(query: Components, { dimension, metric }: { readonly dimension: number; readonly metric: Metric }) {
    this.#query = query;
    this.#metric = metric;
    this.#dimension = dimension;
    this.#stride = Math.ceil(dimension / LANES) * LANES;
  }

  /** Vectors of the query. */
  get count(): number {
    return this.#query.length / this.#dimension;
  }

  /**
   * The kernel distance of one or more consecutive vectors: smaller is nearer.
   * @param part of the query's vectors, from the first to before the second; distances of parts add up
   */
  distanceTo(vectors: Components, [from, to]: readonly [number, number] = [0, this.count]): number {
    const module = maxSimModule();
    const vectorBytes = this.#stride * Float32Array.BYTES_PER_ELEMENT;
    const query = QUERY_ADDRESS;
    const address = query + this.count * vectorBytes;
    const end = address + (vectors.length / this.#dimension) * vectorBytes;
    if (end > module.memory.buffer.byteLength) {
      module.memory.grow(Math.ceil((end - module.memory.buffer.byteLength) / PAGE_BYTES));
    }
    if (loaded !== this.#query) this.#copy(this.#query, module.memory, query);
    loaded = this.#query;
    this.#copy(vectors, module.memory, address);
    return module.distance(KINDS[this.#metric], query + from * vectorBytes, query + to * vectorBytes, vectorBytes, address, end);
  }

  #copy(vectors: Components, { buffer }: WebAssembly.Memory, address: number): void {
    const dimension = this.#dimension;
    const count = vectors.length / dimension;
    const floats = new Float32Array(buffer, address, count * this.#stride);
    if (dimension === this.#stride) floats.set(vectors);
    else {
      for (let index = 0; index < count; index++) {
        floats.set(vectors.subarray(index * dimension, (index + 1) * dimension), index * this.#stride);
        floats.fill(0, index * this.#stride + dimension, (index + 1) * this.#stride);
      }
    }
    if (this.#metric === 'cosine') for (let index = 0; index < count; index++) normalise(floats, index * this.#stride, this.#stride);
  }
}

/** Bytes are divided by their lengths here. A zero vector stays zero. */
function normalise(floats: Float32Array, start: number, length: number): void {
  let squares = 0;
  for (let at = start; at < start + length; at++) squares += (floats[at] ?? 0) ** 2;
  if (squares === 0) return;
  const scale = 1 / Math.sqrt(squares);
  for (let at = start; at < start + length; at++) floats[at] = (floats[at] ?? 0) * scale;
}

/** Created when it is first needed: most collections have no such vectors. */
function maxSimModule(): MaxSimExports {
  instance ??= instantiate();
  return instance;
}

function instantiate(): MaxSimExports {
  const module = compiledModule(new URL('../max-sim.wasm', import.meta.url));
  // WebAssembly exports have no types of their own; the tests of this file exercise each of them.
  return new WebAssembly.Instance(module, {}).exports as unknown as MaxSimExports;
}
