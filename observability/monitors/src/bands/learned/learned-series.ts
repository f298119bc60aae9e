// SPDX-License-Identifier: Apache-2.0
/**
 * A series as it is learned, point by point: what a value must be to surprise. The same state serves the product, where `bandAt` of
 * `learned-band.ts` replays a history, and the figures of false alarms, where it follows a stream.
 *
 * Five views forecast side by side: a short and a long level, a trend, the hour of the day, the hour of the week (daily series: the
 * day of the week). The less a view has erred, the more it says; how far errors of all together reach is learned from them. A surprise teaches
 * less than it says, until several in a row on one side are the new level.
 */

import type { SeriesTraits, ShapeEvidence, SharedShapes } from '../band.ts';
import { isAmount } from './amount.ts';
import { DAY_MS, daysSinceSunday, isWeekend } from './calendar.ts';
import { ErrorTails } from './error-tails.ts';
import { FirstWeeks } from './first-weeks.ts';
import { Forecaster, PRIOR_ERRORS } from './forecaster.ts';
import { LocalHolidays } from './holidays.ts';
import { hypot } from './hypot.ts';
import type { KeptNumbers } from './kept-numbers.ts';
import { KindsOfDay } from './kinds-of-day.ts';
import { LevelView } from './level-view.ts';
import { Pace } from './pace.ts';
import { Recurrence } from './recurrence.ts';
import { SeasonView } from './season-view.ts';
import { SparseCounts } from './sparse-counts.ts';
import { Streak } from './streak.ts';
import { FAMILY_ALARM_CHANCE } from './tail.ts';
import { narrowest } from './tolerance.ts';
import { TrendView } from './trend-view.ts';
import type { View } from './view.ts';

/** Fewer points say nothing. */
export const POINTS_MIN = 5;

export const SHORT_MEMORY = { points: 4, days: 2 };
const LONG_MEMORY = { points: 30, days: 14 };
/**
 * A view that errs a tenth more has less than half of the say, and less the more errors say so: by the likelihood of normal errors (Bayesian model averaging;
 * Hoeting et al., Statistical Science 14, 1999).
 */
const PREFERENCE = 8;
/** Units: how far tails are known to reach. */
const SEEN_TAILS = 5;
/** Points before the errors teach the tails. */
const TAUGHT_MIN = 3;
/** What is further off is a fault, and says nothing of how far errors reach. */
const FAULT_SIZE = 12;
/** Nearer than so many deviations nothing surprises. */
const LEAST_SURPRISE = 2;
/** Surprises in a row on one side that are a new level; more where the old one lasted longer. */
const SHIFT_POINTS_MIN = 4;
const SHIFT_POINTS_PER_ROOT = 1 / 3;
/** A value stays that is nearer to where the first one jumped than to where it came from. */
const STAYING_SHARE = 0.5;
/** Deviations between a workday and a Sunday that say which of the two a day was like. */
const SUNDAY_DISTANCE = 6;
/** Values whose mean size is typical. */
const TYPICAL_OF = 60;
/** What comes back is as far from the usual as it was, give or take: a share of the distance, less where data may be missing. */
const RECURRENCE_SHARE = { below: 0.1, above: 0.2 };

type Jump = { readonly from: number; readonly to: number; count: number; staying: number; sum: number };
const NO_JUMP: Jump = { from: 0, to: 0, count: 0, staying: 0, sum: 0 };
type Bounds = { readonly lower: number; readonly upper: number };
/** What all views together expect, and how large the errors of that usually are. */
type Forecast = { readonly expected: number; readonly unit: number };

export class LearnedSeries {
  readonly #pace = new Pace();
  readonly #traits: SeriesTraits;
  /** The hour of the day has nothing to say of daily series. */
  readonly #dailyForecasters: readonly Forecaster[];
  #allForecasters: readonly Forecaster[] | undefined;
  readonly #week: View;
  readonly #tails = new ErrorTails();
  #isCount: boolean;
  /** Of amounts, larger ones vary more. */
  readonly #isAmount: boolean;
  /** Of things that come in batches, on a day of the week that nobody has seen any number may come. */
  readonly #isOfThings: boolean;
  #typical = 0;
  #wasNegative = false;
  readonly #kindsOfDay = new KindsOfDay();
  readonly #recurrence: Recurrence;
  readonly #firstWeeks = new FirstWeeks();
  readonly #holidays = new LocalHolidays();
  readonly #streak = new Streak();
  readonly #counts = new SparseCounts();
  /** Of the scans in a row that stay where the first one surprised. */
  #jump: Jump | undefined;
  /** What is expected of the moment that it last looked at; undefined where it has learned since. */
  #looked: { readonly timeMs: number; readonly forecast: Forecast | undefined } | undefined;

  constructor(traits: SeriesTraits) {
    this.#isCount = traits.isCount ?? true;
    this.#isOfThings = traits.isCount === true;
    this.#recurrence = new Recurrence({ isOfThings: this.#isOfThings });
    this.#isAmount = isAmount(traits);
    this.#traits = traits;
    this.#week = new SeasonView(this.#pace, { cycle: 'week', isAmount: this.#isAmount });
    this.#dailyForecasters = [
      new Forecaster(new LevelView(this.#pace, SHORT_MEMORY), traits),
      new Forecaster(new LevelView(this.#pace, LONG_MEMORY), traits),
      new Forecaster(new TrendView(this.#pace, SHORT_MEMORY), traits),
      new Forecaster(this.#week, traits),
    ];
  }

  /** Time of the newest point that it was taught. */
  get lastMs(): number {
    return this.#pace.lastMs;
  }

  get points(): number {
    return this.#pace.points;
  }

  /** Whether it is measured twice a day or less. */
  get isDaily(): boolean {
    return this.#pace.isDaily;
  }

  /** Mean distance of two points. */
  get spacingMs(): number {
    return this.#pace.spacingMs;
  }

  /** Whether its values are numbers of things, as far as it was given or has seen. */
  get isCount(): boolean {
    return this.#isCount;
  }

  /** What its errors say of their shape to those of other series. */
  get evidence(): ShapeEvidence | undefined {
    return this.#tails.evidence;
  }

  /** From now on its bands reach at least as far as with what many series say together of the shape of errors. */
  share(shapes: SharedShapes): void {
    this.#tails.share(shapes);
  }

  /** The band before any limits; undefined while too little is known of such a moment. */
  bandAt(timeMs: number, chance: number): Bounds | undefined {
    const forecast = this.#lookAt(timeMs);
    if (forecast === undefined || !this.#isKnown(timeMs)) return undefined;
    const { expected, unit } = forecast;
    const { lower, upper } = this.#boundsOf(forecast, chance);
    const { above, below } = this.#streak.reach(chance);
    const narrow = narrowest(this.#isCount);
    let least = Math.max(lower, expected - Math.max(narrow, unit * below));
    let most = Math.min(upper, expected + Math.max(narrow, unit * above));
    if (this.#isCount && !this.#wasNegative) most = Math.max(most, this.#counts.largestAt(chance) ?? most);
    for (const value of this.#pace.isDaily ? this.#expectedByCalendar(timeMs) : []) {
      const reach = this.#reach(chance);
      least = Math.min(least, value - Math.max(unit * reach.below, RECURRENCE_SHARE.below * Math.abs(value - expected)));
      most = Math.max(most, value + Math.max(unit * reach.above, RECURRENCE_SHARE.above * Math.abs(value - expected)));
    }
    const mayBeBatch = this.#isOfThings && this.#pace.isDaily && this.#firstWeeks.isNewDay(timeMs);
    return { lower: least, upper: mayBeBatch ? Number.POSITIVE_INFINITY : most };
  }

  /** What else is plausible on such a day. */
  #expectedByCalendar(timeMs: number): readonly number[] {
    const sunday = this.#holidays.mayBe(timeMs) ? this.#sundayOf(timeMs) : undefined;
    const known = [...this.#recurrence.valuesAt(timeMs, this.#pace.points), ...this.#firstWeeks.valuesAt(timeMs)];
    return sunday === undefined ? known : [...known, sunday];
  }

  /** What the week expects of a Sunday; undefined where it knows none. */
  #sundayOf(timeMs: number): number | undefined {
    return this.#week.expect(timeMs - daysSinceSunday(timeMs) * DAY_MS);
  }

  /** Whether a workday was one, of a series whose Sundays are other. */
  #learnHoliday(timeMs: number, value: number, { unit }: Forecast): void {
    const usual = this.#week.expect(timeMs);
    const sunday = this.#sundayOf(timeMs);
    if (isWeekend(timeMs) || usual === undefined || sunday === undefined) return;
    if (Math.abs(usual - sunday) > SUNDAY_DISTANCE * unit) this.#holidays.learn(timeMs, Math.abs(value - sunday) < Math.abs(value - usual));
  }

  /** How surprising a value would be: its distance from what is expected in half bands of a single series; 0 while too little is known. */
  score(timeMs: number, value: number): number {
    const forecast = this.#lookAt(timeMs);
    if (forecast === undefined || !this.#isKnown(timeMs)) return 0;
    const { lower, upper } = this.#boundsOf(forecast, FAMILY_ALARM_CHANCE);
    const distance = value - forecast.expected;
    return distance === 0 ? 0 : distance / ((distance > 0 ? upper : lower) - forecast.expected);
  }

  /** Learns the next point; whether it has made what surprised lately the new level. */
  learn(timeMs: number, value: number): boolean {
    const forecast = this.#lookAt(timeMs);
    this.#looked = undefined;
    const isSurprise = forecast !== undefined && this.#isKnown(timeMs) && this.#isSurprise(forecast, value);
    const isStreak = forecast !== undefined && this.#isKnown(timeMs) && this.#isInStreak(forecast, value);
    if (isSurprise && this.#pace.isDaily)
      this.#recurrence.add({ timeMs, value, scan: this.#pace.points, isAbove: value > forecast.expected });
    if (forecast !== undefined && this.#pace.isDaily) this.#learnHoliday(timeMs, value, forecast);
    // An episode of surprises in a row is one error, however long it lasts.
    if (forecast !== undefined && this.#pace.points >= TAUGHT_MIN) {
      const error = this.#certain((value - forecast.expected) / forecast.unit);
      if (this.#jump === undefined && Math.abs(value - forecast.expected) < FAULT_SIZE * forecast.unit) this.#tails.learn(error);
      if (this.#pace.isDaily) this.#streak.learn(error);
    }
    for (const forecaster of this.#forecasters) {
      if (this.#pace.points === 0) forecaster.begin(timeMs, value);
      else forecaster.learn(timeMs, value, isSurprise);
    }
    const isNewLevel = this.#isNewLevel(timeMs, value, { isSurprise: isSurprise || isStreak, expected: forecast?.expected ?? value });
    if (isNewLevel) this.#streak.restart();
    if (!Number.isInteger(value)) this.#isCount = false;
    if (value < 0) this.#wasNegative = true;
    this.#counts.add(value);
    this.#kindsOfDay.add(timeMs);
    this.#typical += (Math.abs(value) - this.#typical) / Math.min(TYPICAL_OF, this.#pace.points + 1);
    this.#firstWeeks.add(timeMs, value);
    this.#pace.add(timeMs);
    return isNewLevel;
  }

  get #forecasters(): readonly Forecaster[] {
    if (this.#pace.isDaily) return this.#dailyForecasters;
    this.#allForecasters ??= [...this.#dailyForecasters, new Forecaster(new SeasonView(this.#pace, { cycle: 'day' }), this.#traits)];
    return this.#allForecasters;
  }

  /** Of a daily series: stores what it has learned, or takes it back. */
  keep(numbers: KeptNumbers): void {
    this.#looked = undefined;
    this.#pace.keep(numbers);
    for (const forecaster of this.#dailyForecasters) forecaster.keep(numbers);
    this.#tails.keep(numbers);
    this.#isCount = numbers.flag(this.#isCount);
    this.#wasNegative = numbers.flag(this.#wasNegative);
    this.#typical = numbers.double(this.#typical);
    this.#kindsOfDay.keep(numbers);
    this.#firstWeeks.keep(numbers);
    this.#recurrence.keep(numbers);
    this.#holidays.keep(numbers);
    this.#streak.keep(numbers);
    this.#counts.keep(numbers);
    const jump = numbers.flag(this.#jump !== undefined);
    const { from, to, count, staying, sum } = this.#jump ?? NO_JUMP;
    const kept = {
      from: numbers.double(from),
      to: numbers.double(to),
      count: numbers.double(count),
      staying: numbers.double(staying),
      sum: numbers.double(sum),
    };
    this.#jump = jump ? kept : undefined;
  }

  /**
   * What the error would be if the unit were known: units of few errors make some errors large by chance (the normalising transformation of Student's t; D. L.
   * Wallace, "Bounds on normal approximations to Student's and the chi-square distributions", Annals of Mathematical Statistics 30, 1959).
   */
  #certain(error: number): number {
    const freedom = this.#pace.points + PRIOR_ERRORS;
    return Math.sign(error) * Math.sqrt(freedom * Math.log1p((error * error) / freedom));
  }

  /** The other way round: where an error ends whose size is known so well. Further out than `SEEN_TAILS` the tails have learned what units do. */
  #uncertain(size: number): number {
    const freedom = this.#pace.points + PRIOR_ERRORS;
    const seen = Math.min(SEEN_TAILS, size);
    return (size * Math.sqrt(freedom * Math.expm1((seen * seen) / freedom))) / seen;
  }

  #reach(chance: number): { readonly above: number; readonly below: number } {
    const { above, below } = this.#tails.reach(chance);
    return { above: this.#uncertain(above), below: this.#uncertain(below) };
  }

  /** Whether larger values may err more: amounts do, and what is measured by the hour is taken for one unless it was negative. */
  get #growsWithSize(): boolean {
    return this.#isAmount || (!this.#pace.isDaily && !this.#wasNegative);
  }

  #isKnown(timeMs: number): boolean {
    return this.#pace.points >= POINTS_MIN && !this.#kindsOfDay.isNews(timeMs);
  }

  #isSurprise({ expected, unit }: Forecast, value: number): boolean {
    const size = Math.abs(value - expected);
    if (size <= narrowest(this.#isCount) || size < LEAST_SURPRISE * unit) return false;
    return this.#tails.chanceBeyond(this.#certain((value - expected) / unit)) < FAMILY_ALARM_CHANCE / 2;
  }

  #isInStreak({ expected, unit }: Forecast, value: number): boolean {
    const { above, below } = this.#streak.reach(FAMILY_ALARM_CHANCE);
    const size = Math.abs(value - expected);
    return size > narrowest(this.#isCount) && size > unit * (value > expected ? above : below);
  }

  #boundsOf({ expected, unit }: Forecast, chance: number): Bounds {
    const { above, below } = this.#reach(chance);
    const least = narrowest(this.#isCount);
    return { lower: expected - Math.max(least, unit * below), upper: expected + Math.max(least, unit * above) };
  }

  #lookAt(timeMs: number): Forecast | undefined {
    if (this.#looked?.timeMs !== timeMs) this.#looked = { timeMs, forecast: this.#forecastAt(timeMs) };
    return this.#looked.forecast;
  }

  /** Turns all views to a moment, and weighs them by how little they have erred; undefined while none has anything to say. */
  #forecastAt(timeMs: number): Forecast | undefined {
    let best = Number.POSITIVE_INFINITY;
    let errors = 0;
    for (const forecaster of this.#forecasters) {
      forecaster.lookAt(timeMs, { isCount: this.#isCount, typical: this.#growsWithSize ? this.#typical : undefined });
      if (forecaster.cautiousDeviation >= best) continue;
      best = forecaster.cautiousDeviation;
      errors = forecaster.errors;
    }
    if (best === Number.POSITIVE_INFINITY) return undefined;
    let weights = 0;
    let expected = 0;
    let spread = 0;
    let deviation = 0;
    for (const forecaster of this.#forecasters) {
      if (forecaster.deviation === Number.POSITIVE_INFINITY) continue;
      const weight =
        best === 0
          ? Number(forecaster.deviation === 0)
          : (best / forecaster.cautiousDeviation) ** Math.max(PREFERENCE, Math.min(errors, forecaster.errors));
      // What has erred so much more, so often, has no say at all.
      if (weight === 0) continue;
      weights += weight;
      // Around the mean so far (West, "Updating mean and variance estimates", CACM 22, 1979).
      const before = expected;
      expected += (weight / weights) * (forecaster.expected - before);
      spread = hypot(
        spread,
        Math.sqrt(weight * Math.abs(forecaster.expected - before)) * Math.sqrt(Math.abs(forecaster.expected - expected)),
      );
      deviation += weight * forecaster.deviation;
    }
    // Where the views disagree, what they expect together is less certain.
    const unit = hypot(deviation, Math.sqrt(weights) * spread) / weights;
    // Numbers beyond all measure have no forecast.
    return Number.isFinite(expected) && Number.isFinite(unit) && unit > 0 ? { expected, unit } : undefined;
  }

  /** Scans in a row that stay where the first of them surprised are a new level. */
  #isNewLevel(
    timeMs: number,
    value: number,
    { isSurprise, expected }: { readonly isSurprise: boolean; readonly expected: number },
  ): boolean {
    const jump = this.#jump;
    const share = jump === undefined ? 0 : (value - jump.from) / (jump.to - jump.from);
    const stays = share > STAYING_SHARE && share < 1 / STAYING_SHARE;
    const goesOn = jump !== undefined && isSurprise && Math.sign(value - expected) === Math.sign(jump.to - jump.from);
    if (jump === undefined || (!stays && !goesOn)) {
      this.#jump = isSurprise ? { from: expected, to: value, count: 1, staying: 1, sum: value } : undefined;
      return false;
    }
    jump.count += 1;
    if (stays) {
      jump.staying += 1;
      jump.sum += value;
    }
    if (jump.count < Math.max(SHIFT_POINTS_MIN, SHIFT_POINTS_PER_ROOT * Math.sqrt(this.#pace.points))) return false;
    for (const forecaster of this.#forecasters) forecaster.moveTo(jump.sum / jump.staying, timeMs);
    this.#jump = undefined;
    return true;
  }
}
