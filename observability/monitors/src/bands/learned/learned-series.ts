/**
 * A series as it is learned, point by point: what a value must be to surprise. The same state serves the product, where `bandAt` of
 * `learned-band.ts` replays a history, and the figures of false alarms, where it follows a stream.
 *
 * Five views forecast side by side: a short and a long level, a trend, the hour of the day, the hour of the week (daily series: the
 * day of the week). Those that err little more than the best are credible, and the band is the hull of their bands: a value is out only if
 * none of them explains it. A surprise teaches less than it says, until several in a row on one side are the new level.
 */
import type { SeriesTraits } from '../band.ts';
import { Forecaster } from './forecaster.ts';
import { KindsOfDay } from './kinds-of-day.ts';
import { createLevelView } from './level-view.ts';
import { Pace } from './pace.ts';
import { Recurrence } from './recurrence.ts';
import { createSeasonView } from './season-view.ts';
import { chancePerSeries, type Tail, tailOf } from './tail.ts';
import { createTrendView } from './trend-view.ts';

/** Fewer points say nothing. */
export const POINTS_MIN = 5;

export const SHORT_MEMORY = { points: 4, days: 2 };
const LONG_MEMORY = { points: 30, days: 14 };
/** A credible view errs at most so many times as much as the best one. */
const CREDIBLE = 1.2;
/** Its band is at most so many times as wide: a view with few errors of its own knows its width from the others. */
const WIDEST = 1.25;
/** Surprises in a row on one side that are a new level; more where the old one lasted longer. */
const SHIFT_POINTS_MIN = 4;
const SHIFT_POINTS_PER_ROOT = 1 / 3;
/** What comes back is as far from the usual as it was, give or take. */
const RECURRENCE_SHARE = 0.1;
/** What is taught as a surprise; how many series are evaluated plays no part in learning. */
const TEACHING = tailOf(chancePerSeries(1));

export class LearnedSeries {
  readonly #pace = new Pace();
  readonly #forecasters: readonly Forecaster[];
  #isCount: boolean;
  readonly #kindsOfDay = new KindsOfDay();
  readonly #recurrence = new Recurrence();
  #isSurprised = false;
  /** Of the last run on one side: how many, negative below. */
  #surprises = 0;
  #surpriseSum = 0;

  /** `points` is the most that it will be taught and remember; it bounds the memory. */
  constructor(traits: SeriesTraits, points: number) {
    this.#isCount = traits.isCount ?? true;
    const views = [
      createLevelView(this.#pace, SHORT_MEMORY),
      createLevelView(this.#pace, LONG_MEMORY),
      createTrendView(this.#pace, SHORT_MEMORY),
      createSeasonView(this.#pace, 'day'),
      createSeasonView(this.#pace, 'week'),
    ];
    this.#forecasters = views.map((view) => new Forecaster(view, { traits, points }));
  }

  /** The hull of the credible views' bands, before any limits; undefined while too little is known of such a moment. */
  bandAt(timeMs: number, tail: Tail): { readonly lower: number; readonly upper: number } | undefined {
    const best = this.#lookAt(timeMs);
    if (best === undefined) return undefined;
    const widest = WIDEST * best.halfWidth(tail);
    let lower = Number.POSITIVE_INFINITY;
    let upper = Number.NEGATIVE_INFINITY;
    for (const forecaster of this.#forecasters) {
      if (forecaster.deviation > CREDIBLE * best.deviation) continue;
      const halfWidth = Math.min(widest, forecaster.halfWidth(tail));
      lower = Math.min(lower, forecaster.expected - halfWidth);
      upper = Math.max(upper, forecaster.expected + halfWidth);
    }
    for (const value of this.#recurrence.valuesAt(timeMs)) {
      const halfWidth = Math.max(best.halfWidth(tail), RECURRENCE_SHARE * Math.abs(value - best.expected));
      lower = Math.min(lower, value - halfWidth);
      upper = Math.max(upper, value + halfWidth);
    }
    return { lower, upper };
  }

  /**
   * How surprising a value would be: its distance from the expectation in half bands, by the view that explains it best. Above 1 it is
   * outside the band for a single series; 0 while too little is known.
   */
  score(timeMs: number, value: number): number {
    const best = this.#lookAt(timeMs);
    if (best === undefined) return 0;
    const widest = WIDEST * best.halfWidth(TEACHING);
    let least = Number.POSITIVE_INFINITY;
    for (const forecaster of this.#forecasters) {
      if (forecaster.deviation > CREDIBLE * best.deviation) continue;
      const halfWidth = Math.min(widest, forecaster.halfWidth(TEACHING));
      least = Math.min(least, Math.abs(value - forecaster.expected) / halfWidth);
    }
    return least;
  }

  /** Learns the next point, and says how surprising it was. */
  learn(timeMs: number, value: number): number {
    const score = this.score(timeMs, value);
    const isSurprise = score > 1;
    if (isSurprise && this.#pace.isDaily) this.#recurrence.add(timeMs, value);
    const surprise = !isSurprise ? 'none' : this.#isSurprised ? 'further' : 'first';
    this.#isSurprised = isSurprise;
    for (const forecaster of this.#forecasters) {
      if (this.#pace.points === 0) forecaster.begin(timeMs, value);
      else forecaster.learn(timeMs, value, surprise);
    }
    this.#watchForShift(timeMs, value, isSurprise);
    if (!Number.isInteger(value)) this.#isCount = false;
    this.#kindsOfDay.add(timeMs);
    this.#pace.add(timeMs);
    return score;
  }

  /** Turns all views to a moment; the one that has erred least, or undefined while it is too early to speak. */
  #lookAt(timeMs: number): Forecaster | undefined {
    let best: Forecaster | undefined;
    for (const forecaster of this.#forecasters) {
      forecaster.lookAt(timeMs, this.#isCount);
      if (forecaster.deviation < (best?.deviation ?? Number.POSITIVE_INFINITY)) best = forecaster;
    }
    return this.#pace.points < POINTS_MIN || this.#kindsOfDay.isNews(timeMs) ? undefined : best;
  }

  #watchForShift(timeMs: number, value: number, isSurprise: boolean): void {
    const side = Math.sign(value - (this.#forecasters[0]?.expected ?? 0));
    if (!isSurprise || side !== Math.sign(this.#surprises)) {
      this.#surprises = 0;
      this.#surpriseSum = 0;
    }
    if (!isSurprise) return;
    this.#surprises += side;
    this.#surpriseSum += value;
    const count = Math.abs(this.#surprises);
    if (count < Math.max(SHIFT_POINTS_MIN, SHIFT_POINTS_PER_ROOT * Math.sqrt(this.#pace.points))) return;
    for (const forecaster of this.#forecasters) forecaster.moveTo(this.#surpriseSum / count, timeMs);
    this.#surprises = 0;
    this.#surpriseSum = 0;
  }
}
