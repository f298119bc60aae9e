// SPDX-License-Identifier: Apache-2.0
/** What of a column is compared between two scans: a share of filled values, or a mean. */
import type { ColumnMove, SegmentFigures } from './scan.ts';

/** Percent points of completeness, and share of a mean, that are no news. */
const COMPLETENESS_MIN = 0.01;
const MEAN_MIN = 1e-6;

/** Of one group: what is averaged, over how much. */
export type Part = { readonly weight: number; readonly sum: number };

export type Measure = {
  readonly name: ColumnMove['measure'];
  /** Undefined where it cannot be known. */
  readonly partOf: (group: SegmentFigures, index: number) => Part | undefined;
  readonly isNews: (before: number, after: number) => boolean;
};

export const MEASURES: readonly Measure[] = [
  {
    name: 'COMPLETENESS',
    partOf: ({ rows, filled }, index) => ({ weight: rows, sum: 100 * (filled[index] ?? 0) }),
    isNews: (before, after) => Math.abs(after - before) >= COMPLETENESS_MIN,
  },
  {
    name: 'MEAN',
    partOf: ({ numbers, sums }, index) => {
      const [weight = 0, sum = null] = [numbers[index], sums[index]];
      return weight === 0 ? { weight: 0, sum: 0 } : sum === null ? undefined : { weight, sum };
    },
    isNews: (before, after) => Math.abs(after - before) > MEAN_MIN * Math.max(Math.abs(before), Math.abs(after)),
  },
];

export function sumOf(parts: readonly Part[]): Part {
  return parts.reduce((total, { weight, sum }) => ({ weight: total.weight + weight, sum: total.sum + sum }), { weight: 0, sum: 0 });
}

export function meanOf({ weight, sum }: Part): number | undefined {
  return weight === 0 ? undefined : sum / weight;
}
