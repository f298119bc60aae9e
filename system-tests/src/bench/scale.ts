// SPDX-License-Identifier: Apache-2.0
/** How much is measured. */
import type { DataSetName } from './data-sets/data-set.ts';

export type Scale = {
  readonly name: 'quick' | 'full';
  /** Where the user limits it. */
  readonly pointsMax?: number;
  readonly queries: number;
  readonly rounds: number;
  /** Points of each set at most. */
  readonly points: { readonly [Name in Exclude<DataSetName, 'GloVe-100-noise' | 'mixture-384' | 'mixture-768'>]: number };
  /** Values of ef_construct; several, so that build rates can be compared at equal recall. */
  readonly efConstructs: readonly number[];
  readonly growth: readonly number[];
  /** Points of each dimension of the sizing tables. */
  readonly sizing: readonly number[];
  /** Of each part of a measurement that goes on for a time. */
  readonly seconds: number;
};

export const QUICK: Scale = {
  name: 'quick',
  queries: 200,
  rounds: 3,
  points: { 'GloVe-100': 20_000, 'Fashion-MNIST': 10_000, MNIST: 10_000, mixture: 10_000 },
  efConstructs: [128],
  growth: [5000, 20_000],
  sizing: [5000, 20_000],
  seconds: 4,
};

export const FULL: Scale = {
  name: 'full',
  queries: 1000,
  rounds: 3,
  points: { 'GloVe-100': 341_479, 'Fashion-MNIST': 70_000, MNIST: 60_000, mixture: 100_000 },
  efConstructs: [128],
  growth: [10_000, 100_000, 341_000, 1_000_000],
  sizing: [10_000, 100_000, 1_000_000],
  seconds: 20,
};

/** The same with no more than `points` points of any set. */
export function limited(scale: Scale, points: number): Scale {
  const most = (count: number) => Math.min(count, points);
  return {
    ...scale,
    pointsMax: points,
    points: {
      'GloVe-100': most(scale.points['GloVe-100']),
      'Fashion-MNIST': most(scale.points['Fashion-MNIST']),
      MNIST: most(scale.points.MNIST),
      mixture: most(scale.points.mixture),
    },
    growth: [...new Set(scale.growth.map(most))],
    sizing: [...new Set(scale.sizing.map(most))],
  };
}
