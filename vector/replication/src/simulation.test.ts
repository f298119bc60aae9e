// SPDX-License-Identifier: Apache-2.0
/** Simulated clusters, thousands a minute: what was acknowledged is there, nodes are equal to the log, reads are linearizable; and defects made on purpose are found. */
import { systemClock } from '@sextant/foundation-std';
import { chooseSeed, isLongRun, roundsOf } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { simulate } from './testing/simulation.ts';
import type { Defect, SimulationOptions } from './testing/simulation-options.ts';

const FIRST_SEED = chooseSeed();
const SEEDS = roundsOf({ quick: 16, long: 20_000 });

/** @returns what all runs came to, added up */
async function simulateAll(seeds: number, options: Omit<SimulationOptions, 'seed'> = {}) {
  const sums = { answered: 0, unanswered: 0, kills: 0, refused: 0, divisions: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
    const { violations, ...counts } = await simulate({ seed, ...options });
    expect(violations, `seed ${seed}`).toEqual([]);
    for (const name of ['answered', 'unanswered', 'kills', 'refused', 'divisions'] as const) sums[name] += counts[name];
  }
  return sums;
}

test(`${SEEDS} simulated clusters keep what they promise`, async () => {
  const beganMs = systemClock.monotonicMs();
  const { answered, unanswered, kills, refused, divisions } = await simulateAll(SEEDS);
  const minutes = (systemClock.monotonicMs() - beganMs) / 60_000;
  if (isLongRun()) console.info(`${Math.round(SEEDS / minutes)} simulated clusters a minute, each with ${Math.round(kills / SEEDS)} kills`);
  // Otherwise the runs have shown less than they say.
  expect(answered).toBeGreaterThan(15 * SEEDS);
  expect(unanswered).toBeGreaterThan(SEEDS / 2);
  expect(kills).toBeGreaterThan(SEEDS);
  expect(refused).toBe(0);
  expect(divisions).toBeGreaterThan(SEEDS / 2);
});

test('nodes whose log has lost entries stop rather than go on with others', async () => {
  const { refused } = await simulateAll(SEEDS / 4, { losesTail: true });
  expect(refused).toBeGreaterThan(SEEDS / 4);
});

test('a run is the same each time', async () => {
  const options = { seed: FIRST_SEED, defect: 'marks are lost' } as const;
  const report = await simulate(options);
  expect(report.violations).not.toEqual([]);
  expect(await simulate(options)).toEqual(report);
});

describe('is found within a hundred seeds', () => {
  test.each<Defect>([
    'marks are lost',
    'entries are not recognised',
    'the newest position is old',
    'a lost tail is not noticed',
    'keys are not looked at',
    'new shards do not wait for each other',
    'copies may be old',
  ])('%s', async (defect) => {
    const losesTail = defect === 'a lost tail is not noticed';
    let found = false;
    for (let seed = FIRST_SEED; !found && seed < FIRST_SEED + 100; seed++)
      found = (await simulate({ seed, defect, losesTail })).violations.length > 0;
    expect(found).toBe(true);
  });
});
