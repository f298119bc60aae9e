/** The newest values of a stream, kept in order of size: the exact quantiles of a window. */
export class SortedWindow {
  readonly #arrivals: Float64Array;
  readonly #sorted: Float64Array;
  #size = 0;
  #oldest = 0;

  constructor(capacity: number) {
    this.#arrivals = new Float64Array(capacity);
    this.#sorted = new Float64Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** The value that `rank` others exceed; `rank` below the size. */
  fromLargest(rank: number): number {
    return this.#sorted[this.#size - 1 - rank] ?? Number.NaN;
  }

  /** Takes the place of the oldest value when the window is full. */
  add(value: number): void {
    if (this.#size === this.#arrivals.length) this.#remove(this.#arrivals[this.#oldest] ?? 0);
    this.#arrivals[this.#oldest] = value;
    this.#oldest = (this.#oldest + 1) % this.#arrivals.length;
    const place = this.#placeOf(value);
    this.#sorted.copyWithin(place + 1, place, this.#size);
    this.#sorted[place] = value;
    this.#size += 1;
  }

  #remove(value: number): void {
    const place = this.#placeOf(value);
    this.#sorted.copyWithin(place, place + 1, this.#size);
    this.#size -= 1;
  }

  /** The first place whose value is not below. */
  #placeOf(value: number): number {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
