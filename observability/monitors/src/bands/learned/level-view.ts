// SPDX-License-Identifier: Apache-2.0
/** Expects what was usual lately: an exponentially weighted mean (Brown 1959). */
import type { Pace } from './pace.ts';
import { MOVED_VARIANCE, type View } from './view.ts';

export function createLevelView(pace: Pace, memory: { readonly points: number; readonly days: number }): View {
  let level = 0;
  let variance = 0;
  return {
    expect: () => level,
    variance: () => variance,
    learn: ({ value }) => {
      const rate = pace.rate(memory);
      level += rate * (value - level);
      variance = (1 - rate) ** 2 * variance + rate ** 2;
    },
    moveTo: (value) => {
      level = value;
      variance = MOVED_VARIANCE;
    },
    keep: (numbers) => {
      level = numbers.double(level);
      variance = numbers.double(variance);
    },
  };
}
