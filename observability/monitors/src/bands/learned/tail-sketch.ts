// SPDX-License-Identifier: Apache-2.0
/**
 * How large the sizes of one stream get, in fifty bytes: counts in bins of geometric width (Masson, Rim and Lee, "DDSketch", VLDB 2019), the highest
 * bins kept. Beyond the bins that hold the largest 4 %, a generalised Pareto tail is fitted by its moments (Hosking and Wallis 1987), which
 * is how extreme value theory sets thresholds on streams (Siffer et al., "Anomaly Detection in Streams with Extreme Value Theory", KDD 2017).
 * All counts are halved from time to time, so that old sizes fade (Einziger et al., "TinyLFU", 2017).
 */

const BINS = 24;
const LOG_RATIO = Math.log(1.3);
/** Sizes below are zero. */
const SMALLEST = 1e-290;
/** A size counts four, so that a rare one outlives two halvings. */
const WEIGHT = 4;
const SIZES_MIN = 20;
const HALVED_AT = 6000 * WEIGHT;
const TAIL_SHARE = 0.04;
const TAIL_WEIGHT_MIN = 6 * WEIGHT;
/** Shape of the tail: between an exponential one and that of Student's t with 2.5 degrees of freedom; a prior of ten sizes says 0.15. */
const SHAPE_MAX = 0.4;
const SHAPE_PRIOR = { shape: 0.15, weight: 10 * WEIGHT };
const NO_TOP = -32_768;
const NO_BINS = Array.from({ length: BINS }, () => 0);

/** The sizes beyond `start`: their share of all, and the parameters of their distribution. */
type ParetoTail = { readonly start: number; readonly share: number; readonly scale: number; readonly shape: number };

export class TailSketch {
  static readonly BYTES = 4 + 2 * BINS;
  readonly #bins = NO_BINS.slice();
  /** Number of the last bin. */
  #top = NO_TOP;
  #total = 0;
  #tail: ParetoTail | undefined;

  /** Whether there are enough sizes to say anything. */
  get isKnown(): boolean {
    return this.#total >= SIZES_MIN * WEIGHT;
  }

  /** A size of 0 is one of the others: of a value on the other side, say. What goes on of one cause counts half. */
  add(size: number, { isFurther = false }: { readonly isFurther?: boolean } = {}): void {
    const weight = isFurther ? WEIGHT / 2 : WEIGHT;
    if (this.#total >= HALVED_AT) this.#halve();
    this.#total += weight;
    this.#tail = undefined;
    if (!(size > SMALLEST)) return;
    const number = Math.round(Math.log(size) / LOG_RATIO);
    if (number > this.#top) this.#raise(number);
    const bin = BINS - 1 - (this.#top - number);
    if (bin >= 0) this.#bins[bin] = (this.#bins[bin] ?? 0) + weight;
  }

  /** The chance that a size exceeds this one. */
  chanceBeyond(size: number): number {
    if (this.#total === 0 || !(size > 0)) return 1;
    const tail = this.#fitted();
    if (size <= tail.start) return Math.max(tail.share, this.#shareFrom(size));
    const beyond = (size - tail.start) / tail.scale;
    return tail.share * (tail.shape < 1e-3 ? Math.exp(-beyond) : (1 + tail.shape * beyond) ** (-1 / tail.shape));
  }

  /** The size that is exceeded with a chance below the share of the tail. */
  sizeAt(chance: number): number {
    const { start, share, scale, shape } = this.#fitted();
    if (this.#total === 0 || chance >= share) return start;
    return start + (shape < 1e-3 ? -scale * Math.log(chance / share) : (scale / shape) * ((chance / share) ** -shape - 1));
  }

  write(view: DataView, at: number): void {
    view.setInt16(at, this.#top);
    view.setUint16(at + 2, this.#total);
    for (let bin = 0; bin < BINS; bin += 1) view.setUint16(at + 4 + 2 * bin, this.#bins[bin] ?? 0);
  }

  read(view: DataView, at: number): void {
    this.#top = view.getInt16(at);
    this.#total = view.getUint16(at + 2);
    for (let bin = 0; bin < BINS; bin += 1) this.#bins[bin] = view.getUint16(at + 4 + 2 * bin);
    this.#tail = undefined;
  }

  #raise(number: number): void {
    const by = Math.min(BINS, number - this.#top);
    this.#bins.copyWithin(0, by);
    this.#bins.fill(0, BINS - by);
    this.#top = number;
  }

  #halve(): void {
    for (const [bin, count] of this.#bins.entries()) this.#bins[bin] = count >> 1;
    this.#total >>= 1;
  }

  #middle(bin: number): number {
    return Math.exp((this.#top - (BINS - 1 - bin)) * LOG_RATIO);
  }

  /** Share of the sizes in the bins from that of `size` upwards. */
  #shareFrom(size: number): number {
    const place = Math.log(size) / LOG_RATIO - this.#top + BINS - 1;
    let weight = 0;
    for (let bin = BINS - 1; bin >= 0 && bin + 0.5 > place; bin -= 1) weight += (this.#bins[bin] ?? 0) * Math.min(1, bin + 0.5 - place);
    return place < -0.5 ? 1 : Math.min(1, (weight + WEIGHT) / (this.#total + WEIGHT));
  }

  #fitted(): ParetoTail {
    this.#tail ??= this.#fit();
    return this.#tail;
  }

  #fit(): ParetoTail {
    const wanted = Math.max(TAIL_SHARE * this.#total, TAIL_WEIGHT_MIN);
    let weight = 0;
    let first = BINS;
    while (first > 0 && weight < wanted) {
      first -= 1;
      weight += this.#bins[first] ?? 0;
    }
    const share = (weight + WEIGHT) / (this.#total + WEIGHT);
    if (weight === 0) return { start: 0, share, scale: SMALLEST, shape: 0 };
    const start = this.#middle(first - 0.5);
    let sum = 0;
    let squares = 0;
    for (let bin = first; bin < BINS; bin += 1) {
      const count = this.#bins[bin] ?? 0;
      if (count === 0) continue;
      const excess = Math.max(0, this.#middle(bin) - start);
      sum += count * excess;
      squares += count * excess * excess;
    }
    // One excess of a tenth of the start keeps a tail of equal sizes from being a point.
    const mean = (sum + 0.1 * start * WEIGHT) / (weight + WEIGHT);
    const variance = Math.max(squares / weight - (sum / weight) ** 2, Number.MIN_VALUE);
    const own = Math.max(-1, 0.5 * (1 - (mean * mean) / variance));
    const { shape: prior, weight: priorWeight } = SHAPE_PRIOR;
    const shape = Math.min(SHAPE_MAX, Math.max(0, (own * weight + prior * priorWeight) / (weight + priorWeight)));
    return { start, share, scale: mean * (1 - shape), shape };
  }
}
