// SPDX-License-Identifier: Apache-2.0
/** How often the learned threshold is wrong about series in which nothing happened, and how often it finds what did. */
import { type Random, seededRandom } from '@sextant/foundation-std';
import { LearnedSeries } from '../bands/learned/learned-series.ts';
import { chancePerSeries } from '../bands/learned/tail.ts';
import { normal } from './chance.ts';
import { type Shape, weekly, weeklyGrowth } from './simulated-series.ts';

export const FAMILY_SIZES = [1, 100, 1000] as const;

const CHANCES = FAMILY_SIZES.map(chancePerSeries);
const DAY_MS = 86_400_000;
/** A Monday; series begin on different days of the week. */
const START_MS = Date.UTC(2026, 0, 5, 2);

/** Evaluated values, and how many of them were out for each family size. */
export type AlarmCount = { readonly evaluated: number; readonly alarms: readonly number[] };

/** Evaluates each point of many daily series from the first that can be evaluated. */
export function countFalseAlarms(
  shape: Shape,
  { series, points, families = FAMILY_SIZES }: { readonly series: number; readonly points: number; readonly families?: readonly number[] },
): AlarmCount {
  let evaluated = 0;
  const chances = families.map(chancePerSeries);
  const alarms = families.map(() => 0);
  for (let seed = 0; seed < series; seed += 1) {
    const next = shape.begin(seededRandom(seed));
    const learned = new LearnedSeries({ ...shape.limits, familySize: 1 });
    for (let point = 0; point < points; point += 1) {
      const timeMs = START_MS + (seed + point) * DAY_MS;
      const value = next(timeMs);
      const isOut = chances.map((chance) => isOutAt(learned, { timeMs, value, chance }));
      if (isOut[0] !== undefined) evaluated += 1;
      addTo(alarms, isOut);
      learned.learn(timeMs, value);
    }
  }
  return { evaluated, alarms };
}

export type Damage = {
  readonly name: string;
  readonly limits: Shape['limits'];
  readonly begin: Shape['begin'];
  /** What the next value becomes. */
  readonly damaged: (value: number) => number;
};

export const DAMAGES: readonly Damage[] = [
  {
    name: 'row count around 1000 (2 %): 20 % fewer',
    limits: { minimum: 0 },
    begin: (random) => () => Math.round(1000 * (1 + 0.02 * normal(random))),
    damaged: (value) => 0.8 * value,
  },
  { name: 'row count 1000 always: 20 % fewer', limits: { minimum: 0 }, begin: always(1000), damaged: (value) => 0.8 * value },
  { name: 'row count with weekends: half', limits: { minimum: 0 }, begin: weekly, damaged: (value) => 0.5 * value },
  { name: 'the same, growing by 1 % a scan: half', limits: { minimum: 0 }, begin: weeklyGrowth, damaged: (value) => 0.5 * value },
  { name: 'completeness 100 always: 95', limits: { minimum: 0, maximum: 100 }, begin: always(100), damaged: () => 95 },
  { name: 'normal noise: 5 deviations', limits: {}, begin: noise, damaged: (value) => value + 5 },
  { name: 'normal noise: 10 deviations', limits: {}, begin: noise, damaged: (value) => value + 10 },
];

/** Share of damaged values that are out after each of these numbers of good ones, for each family size. */
export function powerOf(
  damage: Damage,
  { series, points }: { readonly series: number; readonly points: readonly number[] },
): readonly (readonly number[])[] {
  const found = points.map(() => FAMILY_SIZES.map(() => 0));
  for (let seed = 0; seed < series; seed += 1) {
    const next = damage.begin(seededRandom(seed));
    const learned = new LearnedSeries({ ...damage.limits, familySize: 1 });
    for (let point = 0; point <= Math.max(...points); point += 1) {
      const timeMs = START_MS + ((seed % 5) + point) * DAY_MS;
      const good = next(timeMs);
      const counts = found[points.indexOf(point)];
      const value = damage.damaged(good);
      if (counts !== undefined)
        addTo(
          counts,
          CHANCES.map((chance) => isOutAt(learned, { timeMs, value, chance })),
        );
      learned.learn(timeMs, good);
    }
  }
  return found.map((counts) => counts.map((count) => count / series));
}

/** Undefined where nothing is said. */
function isOutAt(
  learned: LearnedSeries,
  { timeMs, value, chance }: { readonly timeMs: number; readonly value: number; readonly chance: number },
): boolean | undefined {
  const band = learned.bandAt(timeMs, chance);
  return band && (value < band.lower || value > band.upper);
}

function always(value: number): Damage['begin'] {
  return () => () => value;
}

function noise(random: Random): () => number {
  return () => normal(random);
}

function addTo(counts: number[], isOut: readonly (boolean | undefined)[]): void {
  for (const [index, out] of isOut.entries()) if (out === true) counts[index] = (counts[index] ?? 0) + 1;
}
