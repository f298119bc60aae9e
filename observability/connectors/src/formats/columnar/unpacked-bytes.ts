// SPDX-License-Identifier: Apache-2.0
/** What a packed block becomes: bytes, and repetitions of bytes before them, up to a limit. */
import { TableError } from './table.ts';

const BEGINNING_BYTES = 65_536;

export class UnpackedBytes {
  readonly #bytesMax: number;
  #buffer: Uint8Array;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#buffer = new Uint8Array(Math.min(bytesMax, BEGINNING_BYTES));
  }

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Bytes that were written before; they may overlap those that they make. False where there are none so far back. */
  repeat(distance: number, length: number): boolean {
    if (distance === 0 || distance > this.#length) return false;
    this.#reserve(length);
    const from = this.#length - distance;
    if (distance >= length) this.#buffer.copyWithin(this.#length, from, from + length);
    else for (let index = 0; index < length; index += 1) this.#buffer[this.#length + index] = this.#buffer[from + index] ?? 0;
    this.#length += length;
    return true;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed > this.#bytesMax) throw new TableError(`unpacks to more than the limit of ${this.#bytesMax} bytes`);
    if (needed <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.min(this.#bytesMax, Math.max(needed, 2 * this.#buffer.length)));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
