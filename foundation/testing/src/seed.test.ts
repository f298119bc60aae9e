// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { chooseSeed, SEED_VARIABLE, withSeed } from './seed.ts';

describe('seeded chance', () => {
  test('a failure says its seed, and that seed replays the run', async () => {
    const drawn: number[][] = [];
    const draw = (environment: NodeJS.ProcessEnv) =>
      withSeed(async (random) => {
        drawn.push([random.integer(1000), random.integer(1000), random.integer(1000)]);
        throw new Error('points differ');
      }, environment);
    const failure: unknown = await draw({}).catch((error: unknown) => error);
    const [, seed = ''] = /seed (\d+).*points differ/.exec(String(failure)) ?? [];
    await expect(draw({ [SEED_VARIABLE]: seed })).rejects.toThrow(`seed ${seed}`);
    await expect(draw({ [SEED_VARIABLE]: '7' })).rejects.toThrow('TEST_SEED=7');
    expect(drawn[1]).toEqual(drawn[0]);
    expect(drawn[2]).not.toEqual(drawn[0]);
  });

  test.each(['-1', '1.5', 'x', '4294967296'])('a seed of %s is refused', (seed) => {
    expect(() => chooseSeed({ [SEED_VARIABLE]: seed })).toThrow(SEED_VARIABLE);
  });
});
