// SPDX-License-Identifier: Apache-2.0
/**
 * The numbers of a state, one after another in a few bytes. One list of them serves both ways: where they are written, each call stores its number and
 * returns it; where they are read, it returns what was stored, whatever it is given. So what is kept and what is read back cannot differ in their order.
 */

const SINGLE_MAX = 3.4028234663852886e38;

export class KeptNumbers {
  readonly #view: DataView;
  readonly #isReading: boolean;
  #at: number;

  constructor(bytes: Uint8Array, { from, isReading }: { readonly from: number; readonly isReading: boolean }) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = from;
    this.#isReading = isReading;
  }

  /** Where the next number stands. */
  get at(): number {
    return this.#at;
  }

  double(value: number): number {
    const at = this.#next(8);
    if (this.#isReading) return this.#view.getFloat64(at);
    this.#view.setFloat64(at, value);
    return value;
  }

  /** Of single precision, as `single` makes them. */
  single(value: number): number {
    const at = this.#next(4);
    if (this.#isReading) return this.#view.getFloat32(at);
    this.#view.setFloat32(at, value);
    return value;
  }

  /** A count below 2^32. */
  count(value: number): number {
    const at = this.#next(4);
    if (this.#isReading) return this.#view.getUint32(at);
    this.#view.setUint32(at, value);
    return value;
  }

  byte(value: number): number {
    const at = this.#next(1);
    if (this.#isReading) return this.#view.getUint8(at);
    this.#view.setUint8(at, value);
    return value;
  }

  flag(value: boolean): boolean {
    return this.byte(Number(value)) === 1;
  }

  /** Where the numbers of less than `places` go that are not there. */
  skip(places: number, size: number): void {
    this.#at += places * size;
  }

  /** Of so many bytes each, counted in a byte before them, `most` at most. Where they are read they are looked at where they stand. */
  records(records: DataView, { bytes, most }: { readonly bytes: number; readonly most: number }): DataView {
    const count = this.byte(records.byteLength / bytes);
    const view = this.#view;
    const at = this.#at;
    this.#at += most * bytes;
    if (this.#isReading) return new DataView(view.buffer, view.byteOffset + at, count * bytes);
    for (let index = 0; index < records.byteLength; index += 4) view.setUint32(at + index, records.getUint32(index));
    return records;
  }

  /** A time, undefined where there was none yet. */
  time(timeMs: number | undefined): number | undefined {
    const kept = this.double(timeMs ?? Number.NaN);
    return Number.isNaN(kept) ? undefined : kept;
  }

  doubles(values: Float64Array): void {
    for (let index = 0; index < values.length; index += 1) values[index] = this.double(values[index] ?? 0);
  }

  /** In one loop, for they are many. */
  singles(values: number[]): void {
    const view = this.#view;
    const start = this.#at;
    this.#at += 4 * values.length;
    if (this.#isReading) for (let index = 0; index < values.length; index += 1) values[index] = view.getFloat32(start + 4 * index);
    else for (let index = 0; index < values.length; index += 1) view.setFloat32(start + 4 * index, values[index] ?? 0);
  }

  counts(values: Uint32Array): void {
    for (let index = 0; index < values.length; index += 1) values[index] = this.count(values[index] ?? 0);
  }

  bytes(values: Uint8Array): void {
    for (let index = 0; index < values.length; index += 1) values[index] = this.byte(values[index] ?? 0);
  }

  #next(size: number): number {
    const at = this.#at;
    this.#at += size;
    return at;
  }
}

/** A number as it is kept in single precision; one beyond that is the largest. */
export function single(value: number): number {
  return Math.fround(Math.max(-SINGLE_MAX, Math.min(SINGLE_MAX, value)));
}
