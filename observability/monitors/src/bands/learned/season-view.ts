// SPDX-License-Identifier: Apache-2.0
/**
 * Expects what is usual at this hour or on this day: a level with its slope, and an additive offset for each slot of the calendar (P. R.
 * Winters, "Forecasting sales by exponentially weighted moving averages", Management Science 6, 1960). It is silent about slots it has
 * not seen. From hour to hour a slope is noise, so only daily series have one.
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
const HOUR_MS = 3_600_000;

/** Of a series measured once a day or less, the day is silent, and the week has seven slots; otherwise they have an hour each. */
export function createSeasonView(pace: Pace, cycle: 'day' | 'week'): View {
  let level = 0;
  let slope = 0;
  let levelVariance = 0;
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
  return {
    expect: (timeMs) => {
      if (cycle === 'day' && pace.isDaily) return undefined;
      const slot = slotOf(timeMs);
      const { offsets, counts } = slotsNow();
      return counts[slot] === 0 ? undefined : nextLevel() + (offsets[slot] ?? 0);
    },
    variance: (timeMs) => levelVariance + (slotsNow().variances[slotOf(timeMs)] ?? 0),
    learn: ({ timeMs, value, isSurprise, scale }) => {
      const slot = slotOf(timeMs);
      const { offsets, counts, variances } = slotsNow();
      const visits = (counts[slot] ?? 0) + 1;
      counts[slot] = visits;
      level = nextLevel();
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
      numbers.doubles(daily.offsets);
      numbers.counts(daily.counts);
      numbers.doubles(daily.variances);
    },
  };
}

/** The offset of each slot, the visits that it is known by, and its variance. */
type Slots = { readonly offsets: Float64Array; readonly counts: Uint32Array; readonly variances: Float64Array };

function createSlots(count: number): Slots {
  return { offsets: new Float64Array(count), counts: new Uint32Array(count), variances: new Float64Array(count) };
}
