import { randomInt } from 'node:crypto';
import { type Random, seededRandom } from '@sextant/foundation-std';

/** The environment variable that replays a run: its value is the seed that a failure printed. */
export const SEED_VARIABLE = 'SEXTANT_TEST_SEED';

/** The seed of this run: the one of the environment, else a new one. */
export function chooseSeed(environment: NodeJS.ProcessEnv = process.env): number {
  const given = environment[SEED_VARIABLE];
  if (given === undefined) return randomInt(2 ** 32);
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
