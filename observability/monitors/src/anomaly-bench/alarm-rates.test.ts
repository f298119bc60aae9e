// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { countFalseAlarms, DAMAGES, FAMILY_SIZES, powerOf } from './alarm-rates.ts';
import { SHAPES } from './simulated-series.ts';

/** From fixed seeds: 2,000 evaluated values or more for each shape, and twice as many in the long run. */
const UNDISTURBED = { series: roundsOf({ quick: 40, long: 80 }), points: 60, families: FAMILY_SIZES.slice(0, 2) };

/** Highest rates of false alarms: for a series alone, and for one of a family of 100. Of one in a thousand, nine of 4,400 are no rare chance. */
const RATES: { readonly [shape: string]: readonly [alone: number, amongHundred: number] } = {
  'heavy tails (t, 5 degrees)': [0.006, 0.001],
  'very heavy tails (t, 3 degrees)': [0.012, 0.004],
  'skewed (lognormal, 30 %)': [0.006, 0.001],
  'counts around 3': [0.003, 0.0003],
  'counts that are mostly 0': [0.003, 0.002],
};

describe('a value is called wrong by mistake hardly ever', () => {
  test.each(SHAPES)('in $name', (shape) => {
    const { evaluated, alarms } = countFalseAlarms(shape, UNDISTURBED);
    const [alone, amongHundred] = RATES[shape.name] ?? [0.002, 0.0001];
    expect(evaluated).toBeGreaterThan(50 * UNDISTURBED.series);
    expect((alarms[0] ?? 0) / evaluated).toBeLessThanOrEqual(alone);
    expect((alarms[1] ?? 0) / evaluated).toBeLessThanOrEqual(amongHundred);
  });
});

describe('what was damaged is found', () => {
  /** Least shares found after 7, 14 and 30 good scans by a series alone, and after 30 in a family of 100. */
  const LEAST: { readonly [damage: string]: readonly number[] } = {
    'row count around 1000 (2 %): 20 % fewer': [0.8, 0.9, 0.95, 0.9],
    'row count 1000 always: 20 % fewer': [1, 1, 1, 1],
    // After two weeks a workday that may be a holiday somewhere may still look like a Sunday.
    'row count with weekends: half': [0, 0.6, 0.95, 0.9],
    'the same, growing by 1 % a scan: half': [0, 0.35, 0.95, 0.5],
    'completeness 100 always: 95': [1, 1, 1, 1],
    'normal noise: 5 deviations': [0.1, 0.3, 0.65, 0.04],
    'normal noise: 10 deviations': [0.8, 0.9, 0.98, 0.8],
  };

  test.each(DAMAGES)('$name', (damage) => {
    const power = powerOf(damage, { series: 100, points: [7, 14, 30] });
    const alone = power.map(([found = 0]) => found);
    const inFamily = power.at(-1)?.[1] ?? 0;
    for (const [index, found] of [...alone, inFamily].entries()) expect(found).toBeGreaterThanOrEqual(LEAST[damage.name]?.[index] ?? 1);
  });
});
