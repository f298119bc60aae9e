// SPDX-License-Identifier: Apache-2.0
/**
 * Expects what is usual at this hour or on this day: a level with its slope, and an offset for each slot of the calendar (P. R. Winters,
 * "Forecasting sales by exponentially weighted moving averages", Management Science 6, 1960). The offsets of an amount grow with it, as those of
 * Winters' multiplicative form do. It is silent about slots it has not seen. From hour to hour a slope is noise, so only daily series have one.
 */
import { DAYS, dayOfWeek, HOURS, hourOfDay } from './calendar.ts';
import type { KeptNumbers } from './kept-numbers.ts';
import type { Pace } from './pace.ts';
import { SLOPE_SHARE } from './trend-view.ts';
import { MOVED_VARIANCE, type View, type ViewedPoint } from './view.ts';

const LEVEL_MEMORY = { points: 10, days: 7 };
/** Visits that an offset remembers. */
const VISITS = 20;
/** What is expected to be larger than the usual by this factor says less of the level. */
const LARGE = 2;
/** Of an amount: what the long level remembers, and the most that offsets grow by in one scan. */
const LONG_POINTS = 40;
const GROWTH_MAX = 1.1;
const HOUR_MS = 3_600_000;

/** Of a series measured once a day or less, the day is silent, and the week has seven slots; otherwise they have an hour each. */
export class SeasonView implements View {
  readonly #pace: Pace;
  readonly #cycle: 'day' | 'week';
  readonly #isAmount: boolean;
  #level = 0;
  #slope = 0;
  #levelVariance = 0;
  /** As the level, but moved by no chance that lasts less than weeks: offsets follow it. */
  #longLevel = 0;
  readonly #daily = createSlots(DAYS);
  #hourly: Slots | undefined;

  constructor(pace: Pace, { cycle, isAmount = false }: { readonly cycle: 'day' | 'week'; readonly isAmount?: boolean }) {
    this.#pace = pace;
    this.#cycle = cycle;
    this.#isAmount = isAmount;
  }

  expect(timeMs: number): number | undefined {
    if (this.#cycle === 'day' && this.#pace.isDaily) return undefined;
    const slot = this.#slotOf(timeMs);
    const { offsets, counts } = this.#slots;
    const next = this.#nextLevel;
    return counts[slot] === 0 ? undefined : next + this.#growthTo(next) * (offsets[slot] ?? 0);
  }

  variance(timeMs: number): number {
    return this.#levelVariance + (this.#slots.variances[this.#slotOf(timeMs)] ?? 0);
  }

  learn({ timeMs, value, isSurprise, scale }: ViewedPoint): void {
    const slot = this.#slotOf(timeMs);
    const { offsets, counts, variances } = this.#slots;
    const visits = (counts[slot] ?? 0) + 1;
    counts[slot] = visits;
    const next = this.#nextLevel;
    const growth = this.#growthTo(next);
    if (growth !== 1) scaleBy(offsets, growth);
    this.#longLevel = this.#longLevel > 0 ? growth * this.#longLevel : next;
    this.#level = next;
    if (visits === 1) {
      offsets[slot] = value - next;
      variances[slot] = 1;
      return;
    }
    const { isDaily } = this.#pace;
    const pointsPerVisit = isDaily ? 1 : Math.max(1, HOUR_MS / this.#pace.spacingMs);
    const offset = offsets[slot] ?? 0;
    const error = value - next - offset;
    // By the precision of what was expected: chance in a large batch is more than the whole of a small day.
    const rate = this.#pace.rate(LEVEL_MEMORY) * Math.min(1, (LARGE / scale) ** 2);
    this.#level += rate * error;
    if (!isSurprise && isDaily) this.#slope += SLOPE_SHARE * rate * error;
    const offsetRate = Math.max(1 / (VISITS * pointsPerVisit), 1 / visits);
    offsets[slot] = offset + offsetRate * error;
    this.#levelVariance = (1 - rate) ** 2 * this.#levelVariance + rate ** 2;
    variances[slot] = (1 - offsetRate) ** 2 * (variances[slot] ?? 0) + offsetRate ** 2;
  }

  moveTo(value: number, timeMs: number): void {
    this.#level = value - (this.#slots.offsets[this.#slotOf(timeMs)] ?? 0);
    this.#levelVariance = MOVED_VARIANCE;
  }

  keep(numbers: KeptNumbers): void {
    this.#level = numbers.double(this.#level);
    this.#slope = numbers.double(this.#slope);
    this.#levelVariance = numbers.double(this.#levelVariance);
    this.#longLevel = numbers.double(this.#longLevel);
    numbers.doubles(this.#daily.offsets);
    numbers.counts(this.#daily.counts);
    numbers.doubles(this.#daily.variances);
  }

  get #slots(): Slots {
    if (this.#pace.isDaily) return this.#daily;
    this.#hourly ??= createSlots(this.#cycle === 'day' ? HOURS : DAYS * HOURS);
    return this.#hourly;
  }

  #slotOf(timeMs: number): number {
    if (this.#pace.isDaily) return dayOfWeek(timeMs);
    const hour = hourOfDay(timeMs);
    return this.#cycle === 'day' ? hour : dayOfWeek(timeMs) * HOURS + hour;
  }

  get #nextLevel(): number {
    return this.#pace.isDaily ? this.#level + this.#slope : this.#level;
  }

  /** By which a scan moves the long level of an amount, and with it its offsets. */
  #growthTo(next: number): number {
    if (!this.#isAmount || !this.#pace.isDaily || this.#longLevel <= 0) return 1;
    const factor = 1 + (next / this.#longLevel - 1) / Math.min(LONG_POINTS, this.#pace.points + 1);
    return Math.max(1 / GROWTH_MAX, Math.min(GROWTH_MAX, factor));
  }
}

/** The offset of each slot, the visits that it is known by, and its variance. */
type Slots = { readonly offsets: Float64Array; readonly counts: Uint32Array; readonly variances: Float64Array };

function scaleBy(offsets: Float64Array, factor: number): void {
  for (let slot = 0; slot < offsets.length; slot += 1) offsets[slot] = (offsets[slot] ?? 0) * factor;
}

function createSlots(count: number): Slots {
  return { offsets: new Float64Array(count), counts: new Uint32Array(count), variances: new Float64Array(count) };
}
