// SPDX-License-Identifier: Apache-2.0
/**
 * A series that is measured more often than twice a day, as several detectors see it; the design page says what each was taken from. Each compares one
 * statistic of the value with the statistics of the past, whose tails say how rare it is, so that nothing depends on the unit, the noise or the
 * distribution of a series: the residual of the hour of the day decides, and others speak only if they are surer.
 *
 * Every statistic rises with the value or with its distance from the value before, so what none of them calls rare is an interval.
 */
import type { Surprise } from '../band.ts';
import { DAY_MS, DAYS, dayOfWeek, HOURS, hourOfDay, isClockDay, mayFollowClockChange } from './calendar.ts';
import { Flatline } from './flatline.ts';
import { KeptNumbers } from './kept-numbers.ts';
import { Sight } from './sight.ts';
import { TailSketch } from './tail-sketch.ts';

const HOUR_MS = 3_600_000;
const SLOTS = HOURS + DAYS * HOURS;
/** The hour of the week learns how it errs after one week, and speaks after two. */
const WEEK_MS = 7 * DAY_MS;
const SPEAKING_WEEKS = 2;
const LEVEL_DAYS = 1;
const SEASON_LEVEL_DAYS = 3;
const SHORT_POINTS = 6;
/** What an amount has grown by is that of a level of so many days, which follows a share of a day's level at most. */
const LONG_DAYS = 14;
const LEVEL_SHARE = { least: 0.5, most: 2 };
/** Visits that the mean of an hour remembers; its values are counted up to a byte. */
const VISITS = 20;
const COUNT_MAX = 255;
const ERRORS_REMEMBERED = 500;
const SHORT_WINDOW = 8;
const LONG_WINDOW = 24;
/** Of the residuals in a window. */
const DEVIATIONS_MAX = 6;
/** What the rate detectors remember, and how many values they wait for. */
const ACTIVITY_POINTS = 48;
const JUMPS_REMEMBERED = 2000;
const RATE_BEGUN = 96;
/** Of the surprise of one jump. */
const JUMP_SURPRISE_MAX = 3;
/** Share of the usual activity that is added to it, so that rest is no division by zero. */
const REST = 0.02;
/** The hours of a series move with its local clock: so many must fit badly as they are, and much better an hour earlier or later. */
const CLOCK_HOURS = 4;
const CLOCK_POINTS = 4;
const FITTING = 0.5;
const MISFITTING = 3;
const SURER = 0.5;
const SURER_ACTIVITY = 1;
const SCORE_MAX = 12;
const SMALLEST = 1e-12;

const FIRST = {
  points: 0,
  firstMs: 0,
  lastMs: 0,
  previous: 0,
  level: 0,
  short: 0,
  dayLevel: 0,
  weekLevel: 0,
  /** Mean sizes of the residuals from the short level, the day and the week. */
  shortError: 0,
  dayError: 0,
  weekError: 0,
  activity: 0,
  meanJump: 0,
  density: 0,
  /** Hours that the local clock was put forward, and mean sizes of the latest residuals from the hour as it is, one earlier and one later. */
  clock: 0,
  onTimeError: 0,
  earlierError: 0,
  laterError: 0,
  /** Of an amount: a level that days hardly move, and what the series has grown by since it was first known. */
  longLevel: 0,
  growth: 1,
};
// The keys of an object that has no others.
const NUMBERS = Object.keys(FIRST) as readonly (keyof typeof FIRST)[];
const TAILS = 15;
/** Plain lists: the engine makes typed arrays of this size outside of its heap, which takes four times as long. One of fractions stays one of doubles. */
const NO_OFFSETS = Array.from({ length: SLOTS }, () => 0.5).fill(0);
const NO_COUNTS = Array.from({ length: SLOTS }, () => 0);

export class DenseSeries {
  static readonly BYTES = TAILS * TailSketch.BYTES + 8 * NUMBERS.length + 4 * (SLOTS + LONG_WINDOW) + SLOTS + 1 + Flatline.BYTES;
  readonly #day = new Sight('season', 0);
  readonly #week = new Sight('season', SURER);
  readonly #level = new Sight('level', SURER);
  readonly #short = new Sight('level', SURER);
  readonly #shortMean = new Sight('shift', SURER);
  readonly #longMean = new Sight('shift', SURER);
  readonly #activity = new Sight('rate', SURER_ACTIVITY, { isOfDistance: true });
  readonly #sights = [this.#day, this.#week, this.#level, this.#short, this.#shortMean, this.#longMean, this.#activity];
  readonly #means = [
    [this.#shortMean, SHORT_WINDOW],
    [this.#longMean, LONG_WINDOW],
  ] as const;
  readonly #jumps = new TailSketch();
  readonly #densities = new TailSketch();
  /** In the order in which they are kept. */
  readonly #tails = [...this.#sights.flatMap(({ tails }) => tails), this.#jumps, this.#densities];
  readonly #is = { ...FIRST };
  /** In single precision. */
  readonly #offsets = NO_OFFSETS.slice();
  readonly #counts = NO_COUNTS.slice();
  /** The latest residuals in deviations, oldest first. */
  readonly #residuals = new Float32Array(LONG_WINDOW);
  readonly #flatline = new Flatline();
  readonly #isAmount: boolean;

  /** Of an amount hours differ, and vary, by more as it grows. */
  constructor({ isAmount = false }: { readonly isAmount?: boolean } = {}) {
    this.#isAmount = isAmount;
  }

  /** Time of the newest point that it was taught. */
  get lastMs(): number {
    return this.#is.points === 0 ? Number.NEGATIVE_INFINITY : this.#is.lastMs;
  }

  /** The values that no detector calls rarer than `chance`. */
  bandAt(timeMs: number, chance: number): { readonly lower: number; readonly upper: number } {
    this.#lookAt(timeMs);
    const jump = this.#largestJump(chance);
    let lower = this.#is.previous - jump;
    let upper = this.#is.previous + jump;
    for (const sight of this.#sights) {
      const [least, most] = sight.intervalAt(chance);
      lower = Math.max(lower, least);
      upper = Math.min(upper, most);
    }
    if (lower <= upper) return { lower, upper };
    // The detectors contradict each other, as after a change of level: only what the best forecast expects is usual.
    const { centre } = this.#best();
    return { lower: centre, upper: centre };
  }

  /** How surprising a value would be: the negative decimal logarithm of its chance. */
  surpriseOf(timeMs: number, value: number): Surprise {
    this.#lookAt(timeMs);
    let score = 0;
    let detector: Surprise['detector'] = 'season';
    for (const sight of this.#sights) {
      const surprise = sight.surpriseOf(value);
      if (surprise > score) [score, detector] = [surprise, sight.detector];
    }
    const surprise = this.#densities.isKnown ? -Math.log10(this.#densities.chanceBeyond(this.#densityWith(value))) - SURER : 0;
    if (surprise > score) [score, detector] = [surprise, 'rate'];
    return { score: Math.min(SCORE_MAX, score), detector };
  }

  /** What a value says that has stayed exactly the same for long; undefined of any other, and until it has seen two weekends. */
  flatlineOf(timeMs: number, value: number, chance: number): Surprise | undefined {
    if (timeMs - this.#is.firstMs < SPEAKING_WEEKS * WEEK_MS) return undefined;
    return this.#flatline.surpriseOf(value, this.#momentAt(timeMs), chance);
  }

  learn(timeMs: number, value: number): void {
    const is = this.#is;
    this.#flatline.learn(value, this.#momentAt(timeMs));
    if (is.points === 0) {
      is.firstMs = timeMs;
      is.level = is.short = is.dayLevel = is.weekLevel = value;
    } else {
      this.#lookAt(timeMs);
      for (const sight of this.#sights) sight.learn(value);
      this.#learnResidual(value);
      this.#learnRate(value);
      this.#learnClock(timeMs, value);
      this.#learnLevels(timeMs, value);
    }
    is.previous = value;
    is.lastMs = timeMs;
    is.points += 1;
  }

  write(view: DataView, start: number): void {
    let at = start;
    for (const tail of this.#tails) {
      tail.write(view, at);
      at += TailSketch.BYTES;
    }
    for (const name of NUMBERS) {
      view.setFloat64(at, this.#is[name]);
      at += 8;
    }
    for (let slot = 0; slot < SLOTS; slot += 1) view.setFloat32(at + 4 * slot, this.#offsets[slot] ?? 0);
    at += 4 * SLOTS;
    for (let index = 0; index < LONG_WINDOW; index += 1) view.setFloat32(at + 4 * index, this.#residuals[index] ?? 0);
    at += 4 * LONG_WINDOW;
    for (let slot = 0; slot < SLOTS; slot += 1) view.setUint8(at + slot, this.#counts[slot] ?? 0);
    let surprised = 0;
    for (const [bit, sight] of this.#sights.entries()) surprised |= Number(sight.isSurprised) << bit;
    view.setUint8(at + SLOTS, surprised);
    this.#keepFlatline(view, at + SLOTS + 1, false);
  }

  read(view: DataView, start: number): void {
    let at = start;
    for (const tail of this.#tails) {
      tail.read(view, at);
      at += TailSketch.BYTES;
    }
    for (const name of NUMBERS) {
      this.#is[name] = view.getFloat64(at);
      at += 8;
    }
    for (let slot = 0; slot < SLOTS; slot += 1) this.#offsets[slot] = view.getFloat32(at + 4 * slot);
    at += 4 * SLOTS;
    for (let index = 0; index < LONG_WINDOW; index += 1) this.#residuals[index] = view.getFloat32(at + 4 * index);
    at += 4 * LONG_WINDOW;
    for (let slot = 0; slot < SLOTS; slot += 1) this.#counts[slot] = view.getUint8(at + slot);
    const surprised = view.getUint8(at + SLOTS);
    for (const [bit, sight] of this.#sights.entries()) sight.isSurprised = ((surprised >> bit) & 1) === 1;
    this.#keepFlatline(view, at + SLOTS + 1, true);
  }

  #keepFlatline({ buffer, byteOffset, byteLength }: DataView, from: number, isReading: boolean): void {
    this.#flatline.keep(new KeptNumbers(new Uint8Array(buffer, byteOffset, byteLength), { from, isReading }));
  }

  #momentAt(timeMs: number): { readonly timeMs: number; readonly lastMs: number; readonly spacingMs: number } {
    const { points, firstMs, lastMs } = this.#is;
    return { timeMs, lastMs, spacingMs: (lastMs - firstMs) / Math.max(1, points - 1) };
  }

  #lookAt(timeMs: number): void {
    const is = this.#is;
    const ageMs = timeMs - is.firstMs;
    this.#level.lookAt({ centre: is.level, unit: is.growth });
    this.#short.lookAt({ centre: is.short, unit: is.growth });
    this.#day.lookAt(ageMs > DAY_MS ? this.#expectedAt(timeMs, is.dayLevel, daySlot) : undefined);
    const week = ageMs > WEEK_MS ? this.#expectedAt(timeMs, is.weekLevel, weekSlot) : undefined;
    this.#week.lookAt(week, { isSilent: ageMs < SPEAKING_WEEKS * WEEK_MS });
    const { centre, error } = this.#best();
    for (const [sight, window] of this.#means) {
      const unit = window * Math.max(SMALLEST, error);
      const offset = this.#sumOfLatest(window - 1) / window;
      sight.lookAt(is.points > window ? { centre, unit, offset, reach: DEVIATIONS_MAX / window } : undefined);
    }
    const usual = is.meanJump + SMALLEST;
    const offset = (is.activity * (1 - 1 / ACTIVITY_POINTS)) / usual + REST;
    this.#activity.lookAt(is.points > RATE_BEGUN ? { centre: is.previous, unit: usual * ACTIVITY_POINTS, offset } : undefined);
  }

  /** On a day on which clocks change it may be that of an hour earlier or later. */
  #expectedAt(timeMs: number, level: number, slotOf: (timeMs: number) => number): Parameters<Sight['lookAt']>[0] {
    const localMs = this.#localMs(timeMs);
    const own = this.#expected(level, slotOf(localMs));
    if (own === undefined || !isClockDay(timeMs)) return own;
    const centres = [own, this.#expected(level, slotOf(localMs - HOUR_MS)), this.#expected(level, slotOf(localMs + HOUR_MS))].map(
      (each) => each?.centre ?? own.centre,
    );
    return { ...own, lowest: Math.min(...centres), highest: Math.max(...centres) };
  }

  #expected(level: number, slot: number): { readonly centre: number; readonly unit: number } | undefined {
    const { growth } = this.#is;
    return this.#counts[slot] === 0 ? undefined : { centre: level + growth * (this.#offsets[slot] ?? 0), unit: growth };
  }

  /** The forecast that has erred least, with the mean size of its errors. */
  #best(): { readonly centre: number; readonly error: number } {
    const is = this.#is;
    let best = { centre: is.short, error: is.shortError };
    if (this.#day.isKnown && is.dayError > 0 && is.dayError < best.error) best = { centre: this.#day.centre, error: is.dayError };
    if (this.#week.isKnown && is.weekError > 0 && is.weekError < best.error) best = { centre: this.#week.centre, error: is.weekError };
    return best;
  }

  #sumOfLatest(count: number): number {
    let sum = 0;
    for (let index = LONG_WINDOW - count; index < LONG_WINDOW; index += 1) sum += this.#residuals[index] ?? 0;
    return sum;
  }

  #learnResidual(value: number): void {
    const is = this.#is;
    const rate = Math.max(1 / ERRORS_REMEMBERED, 1 / (is.points + 1));
    const { centre, error } = this.#best();
    const deviations = (value - centre) / Math.max(SMALLEST, error);
    this.#residuals.copyWithin(0, 1);
    this.#residuals[LONG_WINDOW - 1] = Math.max(-DEVIATIONS_MAX, Math.min(DEVIATIONS_MAX, deviations));
    const learned = (mean: number, size: number) => (mean === 0 ? size : mean + rate * (size - mean));
    is.shortError = learned(is.shortError, Math.abs(value - is.short));
    if (this.#day.isKnown) is.dayError = learned(is.dayError, Math.abs(value - this.#day.centre));
    if (this.#week.isKnown) is.weekError = learned(is.weekError, Math.abs(value - this.#week.centre));
  }

  #learnRate(value: number): void {
    const is = this.#is;
    const jump = Math.abs(value - is.previous);
    is.density = this.#densityWith(value);
    if (is.points > RATE_BEGUN) this.#densities.add(is.density);
    this.#jumps.add(jump);
    is.activity += (jump - is.activity) / Math.min(ACTIVITY_POINTS, is.points);
    is.meanJump += (jump - is.meanJump) / Math.min(JUMPS_REMEMBERED, is.points);
  }

  #localMs(timeMs: number): number {
    return timeMs + this.#is.clock * HOUR_MS;
  }

  /** Whether the clock was put forward or back by an hour, as in spring and autumn. */
  #learnClock(timeMs: number, value: number): void {
    const is = this.#is;
    if (!this.#day.isKnown) return;
    const hourPoints = HOUR_MS / Math.max(1, (timeMs - is.firstMs) / is.points);
    const rate = 1 / Math.max(CLOCK_POINTS, CLOCK_HOURS * hourPoints);
    const learned = (mean: number, hours: number): number => {
      const expected = this.#expected(is.dayLevel, daySlot(this.#localMs(timeMs) + hours * HOUR_MS));
      return expected === undefined ? mean : mean + rate * (Math.abs(value - expected.centre) - mean);
    };
    is.onTimeError = learned(is.onTimeError, 0);
    is.earlierError = learned(is.earlierError, -1);
    is.laterError = learned(is.laterError, 1);
    const least = Math.min(is.earlierError, is.laterError);
    const change = is.earlierError < is.laterError ? -1 : 1;
    if (!mayFollowClockChange(timeMs) || Math.abs(is.clock + change) > 1) return;
    if (is.onTimeError <= MISFITTING * is.dayError || least >= FITTING * is.onTimeError) return;
    is.clock += change;
    is.onTimeError = is.earlierError = is.laterError = least;
  }

  /** Mean surprise of the latest jumps: what rises when spikes come more often. */
  #densityWith(value: number): number {
    const { density, previous } = this.#is;
    const surprise = this.#jumps.isKnown ? -Math.log10(this.#jumps.chanceBeyond(Math.abs(value - previous))) : 0;
    return density + (Math.min(JUMP_SURPRISE_MAX, surprise) - density) / ACTIVITY_POINTS;
  }

  /** From the value before, which makes jumps no denser than `chance` allows. */
  #largestJump(chance: number): number {
    if (!this.#densities.isKnown) return Number.POSITIVE_INFINITY;
    const densest = this.#densities.sizeAt(chance * 10 ** -SURER);
    const surprise = this.#is.density + ACTIVITY_POINTS * (densest - this.#is.density);
    if (surprise >= JUMP_SURPRISE_MAX) return Number.POSITIVE_INFINITY;
    return this.#jumps.sizeAt(10 ** -Math.max(0, surprise));
  }

  #learnLevels(timeMs: number, value: number): void {
    const is = this.#is;
    const spacingMs = Math.max(1, (timeMs - is.firstMs) / is.points);
    const rateOf = (points: number) => Math.max(1 / Math.max(1, points), 1 / (is.points + 1));
    is.level += rateOf((LEVEL_DAYS * DAY_MS) / spacingMs) * (value - is.level);
    is.short += rateOf(SHORT_POINTS) * (value - is.short);
    const seasonRate = rateOf((SEASON_LEVEL_DAYS * DAY_MS) / spacingMs);
    const visits = VISITS * Math.max(1, HOUR_MS / spacingMs);
    is.dayLevel += seasonRate * this.#learnSlot(daySlot(this.#localMs(timeMs)), value - is.dayLevel, visits);
    is.weekLevel += seasonRate * this.#learnSlot(weekSlot(this.#localMs(timeMs)), value - is.weekLevel, visits);
    if (this.#isAmount) this.#learnGrowth(timeMs, rateOf((LONG_DAYS * DAY_MS) / spacingMs));
  }

  /** As the offsets of the days of the week of a daily series do, those of the hours follow a long level. */
  #learnGrowth(timeMs: number, rate: number): void {
    const is = this.#is;
    if (timeMs - is.firstMs < LONG_DAYS * DAY_MS || is.longLevel <= 0) {
      is.longLevel += rate * (is.dayLevel - is.longLevel);
      return;
    }
    const share = Math.max(LEVEL_SHARE.least, Math.min(LEVEL_SHARE.most, is.dayLevel / is.longLevel));
    const factor = 1 + rate * (share - 1);
    is.longLevel *= factor;
    is.growth *= factor;
  }

  /** The error of the slot, 0 for its first value. */
  #learnSlot(slot: number, offset: number, visits: number): number {
    const count = Math.min(COUNT_MAX, (this.#counts[slot] ?? 0) + 1);
    this.#counts[slot] = count;
    const before = this.#offsets[slot] ?? 0;
    const error = offset - this.#is.growth * before;
    this.#offsets[slot] = Math.fround(before + (Math.max(1 / visits, 1 / count) * error) / this.#is.growth);
    return count === 1 ? 0 : error;
  }
}

function daySlot(timeMs: number): number {
  return hourOfDay(timeMs);
}

function weekSlot(timeMs: number): number {
  return HOURS + dayOfWeek(timeMs) * HOURS + hourOfDay(timeMs);
}
