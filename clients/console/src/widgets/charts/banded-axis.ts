// SPDX-License-Identifier: Apache-2.0
import type { PreviewedPoint } from '@sextant/sdk';

export type BandedAxis = {
  readonly min: number;
  readonly max: number;
  /** With the edge of the axis where a side has no bound. */
  readonly bands: readonly { readonly time: string; readonly lower: number; readonly upper: number }[];
};

/** Room above and below, as a share of what is shown. */
const ROOM = 0.08;
/** A bound so many times further off than the values reach would press them to a line, and is cut at the edge. */
const REACH_MAX = 4;

type Bounded = Pick<PreviewedPoint, 'metric_time' | 'value' | 'lower_bound' | 'upper_bound'>;

/** An axis on which the values can be told from each other, and the bands on it. */
export function bandedAxis(points: readonly Bounded[]): BandedAxis {
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const reach = most - least || Math.abs(most) * 0.1 || 1;
  const inReach = (bound: number | null): bound is number =>
    bound !== null && bound >= least - reach * REACH_MAX && bound <= most + reach * REACH_MAX;
  const bounds = points.flatMap(({ lower_bound: lower, upper_bound: upper }) => [lower, upper].filter(inReach));
  const [from, to] = [Math.min(least, ...bounds), Math.max(most, ...bounds)];
  const room = (to - from || reach) * ROOM;
  const [min, max] = [from - room, to + room];
  const within = (bound: number) => Math.min(max, Math.max(min, bound));
  return {
    min,
    max,
    bands: points.map(({ metric_time: time, lower_bound: lower, upper_bound: upper }) => ({
      time,
      lower: within(lower ?? min),
      upper: within(upper ?? max),
    })),
  };
}
