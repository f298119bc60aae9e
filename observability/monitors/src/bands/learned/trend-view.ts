// SPDX-License-Identifier: Apache-2.0
/** Expects that a series goes on rising or falling as it did: Holt's linear method (C. C. Holt 1957). */
import type { Pace } from './pace.ts';
import type { View } from './view.ts';

/** The level remembers about three points, so that a line is followed without lag. */
const LEVEL_HASTE = 1.2;
/** Share of what the level learns that the slope learns. */
export const SLOPE_SHARE = 0.2;

export function createTrendView(pace: Pace, memory: { readonly points: number; readonly days: number }): View {
  let level = 0;
  let slope = 0;
  return {
    expect: () => level + slope,
    learn: ({ value, isSurprise }) => {
      const error = value - (level + slope);
      const rate = pace.rate(memory);
      level += slope + Math.min(1, LEVEL_HASTE * rate) * error;
      if (pace.points > 0 && !isSurprise) slope += SLOPE_SHARE * rate * error;
    },
    moveTo: (value) => {
      level = value;
    },
  };
}
