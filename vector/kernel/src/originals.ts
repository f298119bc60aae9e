// SPDX-License-Identifier: Apache-2.0
/** Compares released vectors by their originals, which the owner of a reader provides. */
import type { ComponentWriter } from './components.ts';
import type { KernelExports } from './kernel.ts';
import { type Neighbours, type Originals, type RowRange, SpaceFullError } from './vector-space.ts';

/** Everything refers to the query that was placed last. */
export class OriginalsMeasure {
  readonly #kernel: KernelExports;
  readonly #components: ComponentWriter;
  readonly #originals: Originals;

  constructor(kernel: KernelExports, components: ComponentWriter, originals: Originals) {
    this.#kernel = kernel;
    this.#components = components;
    this.#originals = originals;
  }

  /**
   * The nearest `k` of an answer, after the rows without a distance are compared by their originals. A row without an original is gone. It
   * stays last, no farther than the farthest, because a short answer would look like the end of the space.
   */
  settled({ rows, distances }: Neighbours, k: number): Neighbours {
    const address = this.#vectorAddress();
    const found: { row: number; distance: number }[] = [];
    const gone: number[] = [];
    for (const [i, row] of rows.entries()) {
      const distance = distances[i] ?? Number.NaN;
      const measured = Number.isNaN(distance) ? this.#measure(row, address) : distance;
      if (measured === undefined) gone.push(row);
      else found.push({ row, distance: measured });
    }
    // The difference of infinite distances is "not a number", which must not decide.
    found.sort((a, b) => (a.distance === b.distance ? a.row - b.row : a.distance - b.distance));
    const farthest = found.at(-1)?.distance ?? Number.NEGATIVE_INFINITY;
    const nearest = [...found, ...gone.map((row) => ({ row, distance: farthest }))].slice(0, k);
    return { rows: Uint32Array.from(nearest, ({ row }) => row), distances: Float32Array.from(nearest, ({ distance }) => distance) };
  }

  /** Leaves the nearest live rows of a range in the kernel's answer. Returns their number. */
  scan(k: number, { fromRow, toRow, filter }: Omit<RowRange, 'k'>): number {
    if (filter !== undefined) return this.scanRows(k, rowsOf(filter, fromRow, toRow));
    const address = this.#begin(k);
    for (const { row, vector } of this.#originals.vectors({ fromRow, toRow })) {
      if (this.#kernel.hasVector(row) === 0) continue;
      this.#components.place(address, vector);
      this.#kernel.offerExact(row, address);
    }
    return this.#kernel.endExact();
  }

  scanRows(k: number, rows: Iterable<number>): number {
    const address = this.#begin(k);
    for (const row of rows) {
      const vector = this.#kernel.hasVector(row) === 0 ? undefined : this.#originals.vector(row);
      if (vector === undefined) continue;
      this.#components.place(address, vector);
      this.#kernel.offerExact(row, address);
    }
    return this.#kernel.endExact();
  }

  #measure(row: number, address: number): number | undefined {
    const vector = this.#originals.vector(row);
    if (vector === undefined) return undefined;
    this.#components.place(address, vector);
    return this.#kernel.measured(address);
  }

  #begin(k: number): number {
    if (this.#kernel.beginExact(k) === 0) throw noRoom();
    return this.#vectorAddress();
  }

  #vectorAddress(): number {
    const address = this.#kernel.inputAddress(this.#kernel.vectorStride()) >>> 0;
    if (address === 0) throw noRoom();
    return address;
  }
}

function* rowsOf(filter: Uint32Array, fromRow: number, toRow: number): Iterable<number> {
  for (let row = fromRow; row < toRow; row++) {
    const bits = (filter[row >>> 5] ?? 0) >>> (row & 31);
    if (bits === 0) row |= 31;
    else if ((bits & 1) !== 0) yield row;
  }
}

function noRoom(): SpaceFullError {
  return new SpaceFullError('the memory bound of the vector space leaves no room to search');
}
