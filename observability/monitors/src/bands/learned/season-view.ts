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

const SLOTS = DAYS + HOURS + DAYS * HOURS;
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
  const offsets = new Float64Array(SLOTS);
  const counts = new Uint32Array(SLOTS);
  let levelVariance = 0;
  const offsetVariances = new Float64Array(SLOTS);
  const slotOf = (timeMs: number) => {
    if (pace.isDaily) return dayOfWeek(timeMs);
    const hour = hourOfDay(timeMs);
    return cycle === 'day' ? DAYS + hour : DAYS + HOURS + dayOfWeek(timeMs) * HOURS + hour;
  };
  const offsetAt = (slot: number) => offsets[slot] ?? 0;
  const nextLevel = () => (pace.isDaily ? level + slope : level);
  return {
    expect: (timeMs) => {
      if (cycle === 'day' && pace.isDaily) return undefined;
      const slot = slotOf(timeMs);
      return counts[slot] === 0 ? undefined : nextLevel() + offsetAt(slot);
    },
    variance: (timeMs) => levelVariance + (offsetVariances[slotOf(timeMs)] ?? 0),
    learn: ({ timeMs, value, isSurprise, scale }) => {
      const slot = slotOf(timeMs);
      const visits = (counts[slot] ?? 0) + 1;
      counts[slot] = visits;
      level = nextLevel();
      if (visits === 1) {
        offsets[slot] = value - level;
        offsetVariances[slot] = 1;
        return;
      }
      const pointsPerVisit = pace.isDaily ? 1 : Math.max(1, HOUR_MS / pace.spacingMs);
      const error = value - level - offsetAt(slot);
      // By the precision of what was expected: chance in a large batch is more than the whole of a small day.
      const rate = pace.rate(LEVEL_MEMORY) * Math.min(1, (LARGE / scale) ** 2);
      level += rate * error;
      if (!isSurprise && pace.isDaily) slope += SLOPE_SHARE * rate * error;
      const offsetRate = Math.max(1 / (VISITS * pointsPerVisit), 1 / visits);
      offsets[slot] = offsetAt(slot) + offsetRate * error;
      levelVariance = (1 - rate) ** 2 * levelVariance + rate ** 2;
      offsetVariances[slot] = (1 - offsetRate) ** 2 * (offsetVariances[slot] ?? 0) + offsetRate ** 2;
    },
    moveTo: (value, timeMs) => {
      level = value - offsetAt(slotOf(timeMs));
      levelVariance = MOVED_VARIANCE;
    },
  };
}
