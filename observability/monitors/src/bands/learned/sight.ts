// SPDX-License-Identifier: Apache-2.0
/** One statistic of a series, with how rare each of its sizes is. */
import type { Detector } from '../band.ts';
import { TailSketch } from './tail-sketch.ts';

/**
 * Of a value: `(value - centre) / unit + offset`; `reach` is the furthest from the offset that it gets. Where any centre from `lowest` to `highest` may be
 * meant, it is the one nearest to the value.
 */
type Moment = {
  readonly centre: number;
  readonly lowest?: number;
  readonly highest?: number;
  readonly unit?: number;
  readonly offset?: number;
  readonly reach?: number;
};

/** Rarer than one in a thousand. */
const SURPRISE = 3;

export class Sight {
  readonly detector: Detector;
  /** By how many powers of ten it must be surer than the season. */
  readonly surer: number;
  readonly #above = new TailSketch();
  /** Undefined where the statistic is of the distance to the centre. */
  readonly #below: TailSketch | undefined;
  #isKnown = false;
  #isSilent = false;
  /** By the value before: what goes on of one cause counts half. Kept with the tails. */
  isSurprised = false;
  #centre = 0;
  #lowest = 0;
  #highest = 0;
  #unit = 1;
  #offset = 0;
  #reach = Number.POSITIVE_INFINITY;

  constructor(detector: Detector, surer: number, { isOfDistance = false }: { readonly isOfDistance?: boolean } = {}) {
    this.detector = detector;
    this.surer = surer;
    this.#below = isOfDistance ? undefined : new TailSketch();
  }

  /** What of it is kept. */
  get tails(): readonly TailSketch[] {
    return this.#below === undefined ? [this.#above] : [this.#above, this.#below];
  }

  get centre(): number {
    return this.#centre;
  }

  /** Whether it knows anything of the moment. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Undefined where nothing is known of the moment. `isSilent`: it learns only. */
  lookAt(moment: Moment | undefined, { isSilent = false }: { readonly isSilent?: boolean } = {}): void {
    this.#isKnown = moment !== undefined;
    this.#isSilent = isSilent;
    if (moment === undefined) return;
    const { centre, lowest = centre, highest = centre, unit = 1, offset = 0, reach = Number.POSITIVE_INFINITY } = moment;
    this.#centre = centre;
    this.#lowest = lowest;
    this.#highest = highest;
    this.#unit = unit;
    this.#offset = offset;
    this.#reach = reach;
  }

  /** Decimal logarithm of how rare the value is, less what it must be surer; 0 while it does not speak. */
  surpriseOf(value: number): number {
    if (!this.#isSpeaking) return 0;
    const statistic = this.#statisticOf(value);
    const chance = statistic < 0 ? (this.#below?.chanceBeyond(-statistic) ?? 1) : this.#above.chanceBeyond(statistic);
    return -Math.log10(chance) - this.surer;
  }

  /** The least and the most value that are not rarer. */
  intervalAt(chance: number): readonly [lower: number, upper: number] {
    const all = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
    if (!this.#isSpeaking) return all;
    const rarest = chance * 10 ** -this.surer;
    const upper = this.#valueAt(this.#above.sizeAt(rarest));
    if (this.#below === undefined) return [2 * this.#centre - upper, upper];
    return [this.#valueAt(-this.#below.sizeAt(rarest)), upper];
  }

  learn(value: number): void {
    if (!this.#isKnown) return;
    const statistic = this.#statisticOf(value);
    const isSurprised = this.surpriseOf(value) > SURPRISE;
    const isFurther = isSurprised && this.isSurprised;
    this.isSurprised = isSurprised;
    this.#above.add(Math.max(0, statistic), { isFurther });
    this.#below?.add(Math.max(0, -statistic), { isFurther });
  }

  get #isSpeaking(): boolean {
    return this.#isKnown && !this.#isSilent && this.#above.isKnown;
  }

  #statisticOf(value: number): number {
    const nearest = Math.max(this.#lowest, Math.min(this.#highest, value));
    const distance = this.#below === undefined ? Math.abs(value - this.#centre) : value - nearest;
    return Math.max(-this.#reach, Math.min(this.#reach, distance / this.#unit)) + this.#offset;
  }

  #valueAt(statistic: number): number {
    const distance = statistic - this.#offset;
    if (Math.abs(distance) >= this.#reach) return Math.sign(distance) * Number.POSITIVE_INFINITY;
    if (this.#below === undefined && distance < 0) return this.#centre;
    return (distance > 0 ? this.#highest : this.#lowest) + distance * this.#unit;
  }
}
