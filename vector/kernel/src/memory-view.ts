// SPDX-License-Identifier: Apache-2.0
/**
 * Typed views of a memory that other threads may grow at any time. Growing leaves old views valid but short, so a view is renewed when an
 * address lies beyond it. Growing by nothing makes this thread see the present length.
 */
export class MemoryView {
  readonly #memory: WebAssembly.Memory;
  #bytes: Uint8Array = new Uint8Array();
  #words: Uint32Array = new Uint32Array();
  #floats: Float32Array = new Float32Array();

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
    this.#renew();
  }

  /** The memory as bytes, at least up to a byte address. */
  bytes(endAddress: number): Uint8Array {
    if (endAddress > this.#bytes.byteLength) this.#renew();
    return this.#bytes;
  }

  /** The memory as 32-bit words, at least up to a byte address. */
  words(endAddress: number): Uint32Array {
    if (endAddress > this.#words.byteLength) this.#renew();
    return this.#words;
  }

  /** The memory as float32 values, at least up to a byte address. */
  floats(endAddress: number): Float32Array {
    if (endAddress > this.#floats.byteLength) this.#renew();
    return this.#floats;
  }

  #renew(): void {
    this.#memory.grow(0);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#words = new Uint32Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
  }
}
