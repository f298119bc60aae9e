// SPDX-License-Identifier: Apache-2.0
/** Small clusters whose nodes die, are removed and lose their log while they replace each other's copies; and defects made on purpose are found. */
import { chooseSeed, roundsOf } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { simulateReplacement } from './testing/replacement-simulation.ts';

const FIRST_SEED = chooseSeed();
const SEEDS = roundsOf({ quick: 60, long: 20_000 });

test(`${SEEDS} simulated clusters lose no copy, and replace none whose node is not gone, whoever decides`, () => {
  let replaced = 0;
  let refused = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const report = simulateReplacement(seed);
    expect(report.violations, `seed ${seed}`).toEqual([]);
    replaced += report.replaced;
    refused += report.refused;
  }
  // Otherwise the runs have shown less than they say.
  expect(replaced).toBeGreaterThan(SEEDS);
  expect(refused).toBeGreaterThan(SEEDS / 10);
});

test.each(['silence is enough', 'the placement takes everything'] as const)('is found within a hundred seeds: %s', (defect) => {
  let found = false;
  for (let seed = FIRST_SEED; !found && seed < FIRST_SEED + 100; seed++) found = simulateReplacement(seed, defect).violations.length > 0;
  expect(found).toBe(true);
});
