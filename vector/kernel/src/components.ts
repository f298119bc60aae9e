// SPDX-License-Identifier: Apache-2.0
/** Writes vectors to the kernel's memory: their bytes as they are, except bytes that are stored as signed ones. */
import { assert } from '@sextant/foundation-std';
import type { KernelExports } from './kernel.ts';
import type { MemoryView } from './memory-view.ts';
import type { Components, Datatype } from './vector-space.ts';

const arrays = { float32: Float32Array, float16: Float16Array, uint8: Uint8Array } as const;
/** Maps an unsigned byte to the signed one that is 128 less. */
const signBit = 0x80;

/** Writes vectors of one space. */
export class ComponentWriter {
  readonly #view: MemoryView;
  readonly #dimension: number;
  readonly #datatype: Datatype;
  readonly #stride: number;
  readonly #isShifted: boolean;

  constructor(kernel: KernelExports, view: MemoryView, datatype: Datatype) {
    this.#view = view;
    this.#datatype = datatype;
    this.#dimension = kernel.spaceDimension();
    this.#stride = kernel.vectorStride();
    this.#isShifted = kernel.vectorsAreShifted() !== 0;
  }

  /** Writes the vector and its padding at an address of the shared memory. */
  place(address: number, vector: Components): void {
    assert(vector.length === this.#dimension, 'the vector has the dimension of the space');
    assert(vector instanceof arrays[this.#datatype], 'the vector has the datatype of the space');
    const end = address + this.#stride;
    const bytes = this.#view.bytes(end);
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), address);
    bytes.fill(0, address + vector.byteLength, end);
    if (this.#isShifted) for (let at = address; at < end; at++) bytes[at] = (bytes[at] ?? 0) ^ signBit;
  }
}
