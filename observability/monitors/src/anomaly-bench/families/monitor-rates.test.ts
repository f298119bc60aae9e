// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { CLEAN_FAMILIES, COMPLETE, HEAVY, NORMAL, WEEKENDS } from './clean-families.ts';
import { MONITOR_DAMAGES } from './damages.ts';
import type { Damage, Family } from './family.ts';
import { falseAlarms, PRODUCT } from './measure.ts';
import { alarmedScans, foundAfter } from './monitor-rates.ts';

const JUDGED = { seeds: 'development', values: roundsOf({ quick: 250, long: 20_000 }) } as const;
/** The quick run judges the beginning of a long series alone. */
const SCANS_MAX = roundsOf({ quick: 24 * 28, long: Number.POSITIVE_INFINITY });
/** Series of a large monitor, and series that are damaged alone. */
const MANY = roundsOf({ quick: 20, long: 100 });
/** The most that a family may have where it is not one in five hundred; what has more says why on the design page. */
const RATES: { readonly [family: string]: number } = {
  'heavy tails (t, 3 degrees)': 0.012,
  'heavy tails (t, 5 degrees)': 0.006,
  'skewed metric (lognormal, 0.5)': 0.006,
  'skewed row count (lognormal, 0.5)': 0.006,
  'waiting times (exponential)': 0.004,
  'monthly batch': 0.006,
  'month ends': 0.006,
  'benign bursts, 3 %': 0.02,
  'overdispersed counts': 0.006,
  'counts around 3': 0.003,
  'delivered daily, scanned hourly': 0.012,
  'missing scans': 0.003,
  'hourly, with daylight saving': 0.004,
};

describe('a value is called wrong by mistake hardly ever', () => {
  test.each(CLEAN_FAMILIES)('in $name', (family) => {
    const { judged, alarms } = falseAlarms({ ...family, scans: Math.min(family.scans, SCANS_MAX) }, PRODUCT, JUDGED);
    expect(judged).toBeGreaterThanOrEqual(JUDGED.values);
    expect(alarms).toBeLessThanOrEqual(Math.ceil((RATES[family.name] ?? 0.002) * judged));
  });

  test.each([NORMAL, WEEKENDS, COMPLETE])('in any of many series of one monitor: $name', (family) => {
    const { scans, alarmed } = alarmedScans(family, { seeds: 'development', size: MANY, monitors: 1, scans: 60 });
    expect(scans).toBeGreaterThanOrEqual(50);
    expect(alarmed).toBeLessThanOrEqual(1);
  });
});

test('in any of many series with heavy tails at few scans: together they know their tails', () => {
  const { scans, alarmed } = alarmedScans(HEAVY, {
    seeds: 'development',
    size: roundsOf({ quick: 40, long: 100 }),
    monitors: roundsOf({ quick: 1, long: 2 }),
    scans: 60,
  });
  expect(alarmed / scans).toBeLessThanOrEqual(0.06);
});

describe('what was damaged is found', () => {
  /** Least shares found after 7, 14 and 30 good scans by a series alone, and after 30 in a large monitor. */
  const LEAST: { readonly [damage: string]: readonly number[] } = {
    'one value off by 5 sigma': [0.1, 0.3, 0.65, 0.04],
    'one value off by 8 sigma': [0.6, 0.8, 0.95, 0.5],
    '20 % of the rows missing': [0.8, 0.9, 0.95, 0.9],
    // After two weeks a workday that may be a holiday somewhere may still look like a Sunday.
    'quiet weekends, 50 % missing': [0, 0.6, 0.9, 0.8],
    'quiet weekends, growing by 1 %, 50 % missing': [0, 0.3, 0.8, 0.4],
  };

  test.each(MONITOR_DAMAGES)('$name', (damage) => {
    const points = [7, 14, 30];
    const alone = foundAfter(damage, { seeds: 'development', size: 1, monitors: MANY, points });
    const [inMonitor = 0] = foundAfter(damage, { seeds: 'development', size: MANY, monitors: 1, points: [30] });
    for (const [index, found] of [...alone, inMonitor].entries()) expect(found).toBeGreaterThanOrEqual(LEAST[damage.name]?.[index] ?? 1);
  });
});

describe('monitors of several series', () => {
  /** 0 and 100 in turns. */
  const TURNS: Family = { ...NORMAL, name: 'turns', begin: turns };

  test('count a scan once, whatever the number of series that are wrong, and none at which something does change', () => {
    const shaken: Family = { ...TURNS, begin: () => spikedAt(20) };
    const run = { seeds: 'page', size: 3, monitors: 2, scans: 30 } as const;
    const all = alarmedScans(shaken, run);
    expect(all.scans).toBeGreaterThan(40);
    expect(all.alarmed).toBe(2);
    expect(alarmedScans({ ...shaken, isNews: (scan) => scan === 20 }, run)).toEqual({ scans: all.scans - 2, alarmed: 0 });
  });

  test('measure a damage beside values that stay as they were', () => {
    const damage: Damage = { name: 'off', family: TURNS, after: 0, within: 1, damaged: (value) => value + 10_000 };
    expect(foundAfter(damage, { seeds: 'page', size: 2, monitors: 2, points: [3, 20] })).toEqual([0, 1]);
    expect(foundAfter({ ...damage, damaged: (value) => value }, { seeds: 'page', size: 2, monitors: 2, points: [20] })).toEqual([0]);
  });
});

function turns(): () => number {
  let scan = 0;
  return () => {
    scan += 1;
    return 100 * (scan % 2);
  };
}

function spikedAt(at: number): () => number {
  const next = turns();
  let scan = -1;
  return () => {
    scan += 1;
    return next() + (scan === at ? 10_000 : 0);
  };
}
