// SPDX-License-Identifier: Apache-2.0
/** Simulated clusters that recover a collection again and again: whatever others do to it, all nodes say the same of it, and nobody is told that a part is the whole. */
import { chooseSeed, roundsOf } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { type RecoveryDefect, simulateRecoveries } from './testing/recovery-simulation.ts';

const FIRST_SEED = chooseSeed();
const SEEDS = roundsOf({ quick: 20, long: 5000 });

test(`${SEEDS} simulated clusters keep recoveries and others apart`, async () => {
  const sums = { whole: 0, refused: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const { violations, whole, refused } = await simulateRecoveries(seed);
    expect(violations, `seed ${seed}`).toEqual([]);
    sums.whole += whole;
    sums.refused += refused;
  }
  // Otherwise the runs have shown less than they say.
  expect(sums.whole).toBeGreaterThan(SEEDS / 2);
  expect(sums.refused).toBeGreaterThan(SEEDS);
});

describe('is found within a hundred seeds', () => {
  test.each<RecoveryDefect>(['ids are not looked at', 'recoveries are not on the disk'])('%s', async (defect) => {
    let found = false;
    for (let seed = FIRST_SEED; !found && seed < FIRST_SEED + 100; seed++)
      found = (await simulateRecoveries(seed, defect)).violations.length > 0;
    expect(found).toBe(true);
  });
});
