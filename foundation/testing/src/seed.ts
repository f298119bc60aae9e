// SPDX-License-Identifier: Apache-2.0
import { type Random, seededRandom } from '@sextant/foundation-std';

/** The environment variable that chooses the run; its value is a seed that a failure printed, or any other to look further. */
export const SEED_VARIABLE = 'TEST_SEED';

/** The same by default, so that a red run is red again. */
const DEFAULT_SEED = 20_260_101;

/** The seed of this run: the one of the environment, else the default. */
export function chooseSeed(environment: NodeJS.ProcessEnv = process.env): number {
  const given = environment[SEED_VARIABLE];
  if (given === undefined) return DEFAULT_SEED;
  const seed = Number(given);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
    throw new RangeError(`${SEED_VARIABLE} is "${given}"; it must be an integer from 0 to ${2 ** 32 - 1}`);
  }
  return seed;
}

/** Runs with seeded chance; a failure says the seed and how to replay it, and keeps what failed as its cause. */
export async function withSeed<Result>(
  run: (random: Random, seed: number) => Promise<Result>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Result> {
  const seed = chooseSeed(environment);
  try {
    return await run(seededRandom(seed), seed);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`with seed ${seed} (replay: ${SEED_VARIABLE}=${seed}): ${reason}`, { cause });
  }
}
