// SPDX-License-Identifier: Apache-2.0
/** Series as scans make them, with nothing wrong: what a learned threshold must leave in peace. */
import type { Random } from '@sextant/foundation-std';
import type { SeriesTraits } from '../bands/band.ts';
import { normal, poisson, student } from './chance.ts';

export type Shape = {
  readonly name: string;
  readonly limits: Pick<SeriesTraits, 'minimum' | 'maximum'>;
  /** Begins a series; the returned function gives the value at the next time. */
  readonly begin: (random: Random) => (timeMs: number) => number;
};

const ANY = {};
const COUNT = { minimum: 0 };
const PERCENT = { minimum: 0, maximum: 100 };

export const SHAPES: readonly Shape[] = [
  { name: 'normal noise', limits: ANY, begin: (random) => () => 100 + 5 * normal(random) },
  { name: 'noise around zero', limits: ANY, begin: (random) => () => normal(random) },
  { name: 'heavy tails (t, 5 degrees)', limits: ANY, begin: (random) => () => 100 + 5 * student(random, 5) },
  { name: 'very heavy tails (t, 3 degrees)', limits: ANY, begin: (random) => () => 100 + 5 * student(random, 3) },
  { name: 'skewed (lognormal, 30 %)', limits: COUNT, begin: (random) => () => Math.exp(6 + 0.3 * normal(random)) },
  { name: 'trend', limits: COUNT, begin: trend },
  { name: 'growth by 1 % a scan', limits: COUNT, begin: growth },
  { name: 'weekends at 60 %', limits: COUNT, begin: weekly },
  { name: 'weekends at 60 %, growing by 1 % a scan', limits: COUNT, begin: weeklyGrowth },
  { name: 'random walk', limits: ANY, begin: randomWalk },
  { name: 'constant', limits: ANY, begin: () => () => 42 },
  { name: 'completeness near 100 %', limits: PERCENT, begin: (random) => () => percent(random, 10_000, 0.0005) },
  { name: 'completeness near 98 %', limits: PERCENT, begin: (random) => () => percent(random, 2000, 0.02) },
  { name: 'counts around 3', limits: COUNT, begin: (random) => () => poisson(random, 3) },
  { name: 'counts that are mostly 0', limits: COUNT, begin: (random) => () => poisson(random, 0.05) },
  { name: 'counts around 1000', limits: COUNT, begin: (random) => () => Math.round(1000 + Math.sqrt(1000) * normal(random)) },
];

function trend(random: Random): () => number {
  let scan = 0;
  return () => {
    scan += 1;
    return 1000 + 10 * scan + 10 * normal(random);
  };
}

function growth(random: Random): () => number {
  let rows = 1000;
  return () => {
    rows *= 1.01 * Math.exp(0.003 * normal(random));
    return Math.round(rows);
  };
}

export function weekly(random: Random): (timeMs: number) => number {
  return (timeMs) => {
    const day = new Date(timeMs).getUTCDay();
    return (day === 0 || day === 6 ? 600 : 1000) + 20 * normal(random);
  };
}

export function weeklyGrowth(random: Random): (timeMs: number) => number {
  let scale = 1;
  const next = weekly(random);
  return (timeMs) => {
    scale *= 1.01;
    return Math.round(scale * next(timeMs));
  };
}

function randomWalk(random: Random): () => number {
  let value = 100;
  return () => {
    value += normal(random);
    return value;
  };
}

/** Share of `rows` that are filled, where each is empty with a small chance. */
function percent(random: Random, rows: number, chance: number): number {
  return 100 * (1 - Math.min(rows, poisson(random, rows * chance)) / rows);
}
