/** The largest values of a stream, in order of size. */
export class LargestValues {
  /** Falling; the first `#kept` of them. */
  readonly #largest: Float64Array;
  #kept = 0;

  constructor(capacity: number) {
    this.#largest = new Float64Array(capacity);
  }

  /** The value that `rank` others exceed; `rank` below the capacity and the number of values. */
  at(rank: number): number {
    return this.#largest[rank] ?? Number.NaN;
  }

  add(value: number): void {
    const capacity = this.#largest.length;
    let place = this.#kept;
    if (place === capacity) {
      if (value <= this.at(capacity - 1)) return;
      place -= 1;
    } else this.#kept += 1;
    while (place > 0 && this.at(place - 1) < value) {
      this.#largest[place] = this.at(place - 1);
      place -= 1;
    }
    this.#largest[place] = value;
  }
}
