// SPDX-License-Identifier: Apache-2.0
/**
 * A series of few points, in most cases of one scan a day: what its views forecast, and the drifts and flatlines that each value alone leaves plausible. Of a daily
 * one all that it has learned is kept in less than two kilobytes.
 */
import type { SeriesTraits, ShapeEvidence, SharedShapes, Surprise } from '../band.ts';
import { Drift } from './drift.ts';
import { Flatline } from './flatline.ts';
import type { KeptNumbers } from './kept-numbers.ts';
import { LearnedSeries } from './learned-series.ts';
import { FAMILY_ALARM_CHANCE } from './tail.ts';
import { toleratedDeviation } from './tolerance.ts';

/** The decimal digits of the chance that a band promises. */
const CERTAINTY = -Math.log10(FAMILY_ALARM_CHANCE);

type Bounds = { readonly lower: number; readonly upper: number };

export class SparseSeries {
  readonly #traits: SeriesTraits;
  readonly #series: LearnedSeries;
  readonly #drift: Drift;
  readonly #flatline = new Flatline();

  constructor(traits: SeriesTraits) {
    this.#traits = traits;
    this.#series = new LearnedSeries(traits);
    this.#drift = new Drift(traits.familySize);
  }

  /** Time of the newest point that it was taught. */
  get lastMs(): number {
    return this.#series.lastMs;
  }

  get points(): number {
    return this.#series.points;
  }

  get isDaily(): boolean {
    return this.#series.isDaily;
  }

  learn(timeMs: number, value: number): void {
    this.#flatline.learn(value, this.#momentAt(timeMs));
    const isNewLevel = this.#series.learn(timeMs, value);
    this.#drift.learn(timeMs, value, this.#leastDeviationAt(value));
    if (isNewLevel) this.#drift.restart();
  }

  /** What its errors say of their shape to those of other series. */
  get evidence(): ShapeEvidence | undefined {
    return this.#series.evidence;
  }

  /** From now on its bands reach at least as far as with what many series say together of the shape of errors. */
  share(shapes: SharedShapes): void {
    this.#series.share(shapes);
  }

  /** The band before any limits; undefined while too little is known of such a moment. */
  bandAt(timeMs: number, chance: number): Bounds | undefined {
    const band = this.#series.bandAt(timeMs, chance);
    const drift = band && this.#driftAt(timeMs, band);
    if (band === undefined || drift === undefined) return band;
    return {
      lower: Math.min(drift.upper, Math.max(drift.lower, band.lower)),
      upper: Math.max(drift.lower, Math.min(drift.upper, band.upper)),
    };
  }

  /** What a value that is compared with `band` says. */
  surpriseOf(timeMs: number, value: number, band: Bounds): Surprise {
    const score = CERTAINTY * this.#series.score(timeMs, value);
    const isShift = (value < band.lower || value > band.upper) && score <= CERTAINTY;
    if (!isShift) return { score, detector: 'level' };
    const drift = this.#driftAt(timeMs, band);
    const { below, above } = this.#drift.sinceMs;
    const sinceMs = drift !== undefined && value < drift.lower ? below : drift !== undefined && value > drift.upper ? above : undefined;
    return { score: CERTAINTY, detector: 'shift', ...(sinceMs === undefined ? {} : { sinceMs }) };
  }

  /** What a value says that has stayed exactly the same for long; undefined of any other, and where there are several scans a day. */
  flatlineOf(timeMs: number, value: number, chance: number): Surprise | undefined {
    return this.isDaily ? this.#flatline.surpriseOf(value, this.#momentAt(timeMs), chance) : undefined;
  }

  keep(numbers: KeptNumbers): void {
    this.#series.keep(numbers);
    this.#drift.keep(numbers);
    this.#flatline.keep(numbers);
  }

  #momentAt(timeMs: number): { readonly timeMs: number; readonly lastMs: number; readonly spacingMs: number } {
    return { timeMs, lastMs: this.#series.lastMs, spacingMs: this.#series.spacingMs };
  }

  #driftAt(timeMs: number, { lower, upper }: Bounds): Bounds | undefined {
    return this.isDaily ? this.#drift.boundsAt(timeMs, this.#leastDeviationAt((lower + upper) / 2)) : undefined;
  }

  #leastDeviationAt(value: number): number {
    return toleratedDeviation(value, this.#traits, this.#series.isCount);
  }
}
