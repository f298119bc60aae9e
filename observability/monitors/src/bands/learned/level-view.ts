// SPDX-License-Identifier: Apache-2.0
/** Expects what was usual lately: an exponentially weighted mean (Brown 1959). */
import type { Pace } from './pace.ts';
import type { View } from './view.ts';

export function createLevelView(pace: Pace, memory: { readonly points: number; readonly days: number }): View {
  let level = 0;
  return {
    expect: () => level,
    learn: ({ value }) => {
      level += pace.rate(memory) * (value - level);
    },
    moveTo: (value) => {
      level = value;
    },
  };
}
