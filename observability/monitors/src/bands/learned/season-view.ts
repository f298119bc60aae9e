// SPDX-License-Identifier: Apache-2.0
/**
 * Expects what is usual at this hour or on this day: a level with its slope, and an offset for each slot of the calendar (P. R. Winters,
 * "Forecasting sales by exponentially weighted moving averages", Management Science 6, 1960). The offsets of an amount grow with it, as those of
 * Winters' multiplicative form do. It is silent about slots it has not seen. From hour to hour a slope is noise, so only daily series have one.
 */
import { DAYS, dayOfWeek, HOURS, hourOfDay } from './calendar.ts';
import type { Pace } from './pace.ts';
import { SLOPE_SHARE } from './trend-view.ts';
import { MOVED_VARIANCE, type View } from './view.ts';

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
export function createSeasonView(
  pace: Pace,
  { cycle, isAmount = false }: { readonly cycle: 'day' | 'week'; readonly isAmount?: boolean },
): View {
  let level = 0;
  let slope = 0;
  let levelVariance = 0;
  /** As the level, but moved by no chance that lasts less than weeks: offsets follow it. */
  let longLevel = 0;
  const daily = createSlots(DAYS);
  let hourly: Slots | undefined;
  const slotsNow = () => {
    if (pace.isDaily) return daily;
    hourly ??= createSlots(cycle === 'day' ? HOURS : DAYS * HOURS);
    return hourly;
  };
  const slotOf = (timeMs: number) => {
    if (pace.isDaily) return dayOfWeek(timeMs);
    const hour = hourOfDay(timeMs);
    return cycle === 'day' ? hour : dayOfWeek(timeMs) * HOURS + hour;
  };
  const nextLevel = () => (pace.isDaily ? level + slope : level);
  /** By which a scan moves the long level of an amount, and with it its offsets. */
  const growthTo = (next: number) => {
    if (!isAmount || !pace.isDaily || longLevel <= 0) return 1;
    const factor = 1 + (next / longLevel - 1) / Math.min(LONG_POINTS, pace.points + 1);
    return Math.max(1 / GROWTH_MAX, Math.min(GROWTH_MAX, factor));
  };
  return {
    expect: (timeMs) => {
      if (cycle === 'day' && pace.isDaily) return undefined;
      const slot = slotOf(timeMs);
      const { offsets, counts } = slotsNow();
      const next = nextLevel();
      return counts[slot] === 0 ? undefined : next + growthTo(next) * (offsets[slot] ?? 0);
    },
    variance: (timeMs) => levelVariance + (slotsNow().variances[slotOf(timeMs)] ?? 0),
    learn: ({ timeMs, value, isSurprise, scale }) => {
      const slot = slotOf(timeMs);
      const { offsets, counts, variances } = slotsNow();
      const visits = (counts[slot] ?? 0) + 1;
      counts[slot] = visits;
      const next = nextLevel();
      const growth = growthTo(next);
      if (growth !== 1) scaleBy(offsets, growth);
      longLevel = longLevel > 0 ? growth * longLevel : next;
      level = next;
      if (visits === 1) {
        offsets[slot] = value - level;
        variances[slot] = 1;
        return;
      }
      const pointsPerVisit = pace.isDaily ? 1 : Math.max(1, HOUR_MS / pace.spacingMs);
      const offset = offsets[slot] ?? 0;
      const error = value - level - offset;
      // By the precision of what was expected: chance in a large batch is more than the whole of a small day.
      const rate = pace.rate(LEVEL_MEMORY) * Math.min(1, (LARGE / scale) ** 2);
      level += rate * error;
      if (!isSurprise && pace.isDaily) slope += SLOPE_SHARE * rate * error;
      const offsetRate = Math.max(1 / (VISITS * pointsPerVisit), 1 / visits);
      offsets[slot] = offset + offsetRate * error;
      levelVariance = (1 - rate) ** 2 * levelVariance + rate ** 2;
      variances[slot] = (1 - offsetRate) ** 2 * (variances[slot] ?? 0) + offsetRate ** 2;
    },
    moveTo: (value, timeMs) => {
      level = value - (slotsNow().offsets[slotOf(timeMs)] ?? 0);
      levelVariance = MOVED_VARIANCE;
    },
    keep: (numbers) => {
      level = numbers.double(level);
      slope = numbers.double(slope);
      levelVariance = numbers.double(levelVariance);
      longLevel = numbers.double(longLevel);
      numbers.doubles(daily.offsets);
      numbers.counts(daily.counts);
      numbers.doubles(daily.variances);
    },
  };
}

/** The offset of each slot, the visits that it is known by, and its variance. */
type Slots = { readonly offsets: Float64Array; readonly counts: Uint32Array; readonly variances: Float64Array };

function scaleBy(offsets: Float64Array, factor: number): void {
  for (let slot = 0; slot < offsets.length; slot += 1) offsets[slot] = (offsets[slot] ?? 0) * factor;
}

function createSlots(count: number): Slots {
  return { offsets: new Float64Array(count), counts: new Uint32Array(count), variances: new Float64Array(count) };
}
