// SPDX-License-Identifier: Apache-2.0
/** Some tests have two sizes: one for `npm test`, which people wait for, and a long one for `npm run test:long`, which they do not. */

/** The environment variable that asks for long sizes; `npm run test:long` sets it. */
export const LONG_VARIABLE = 'TEST_LONG';

/** A long size is so many times the quick one where a test names none. */
const LONG_FACTOR = 10;

/** Whether tests run in their long sizes. */
export function isLongRun(environment: NodeJS.ProcessEnv = process.env): boolean {
  const given = environment[LONG_VARIABLE];
  if (given === undefined || given === '' || given === '0') return false;
  if (given === '1') return true;
  throw new RangeError(`${LONG_VARIABLE} is "${given}"; it must be 1 for the long sizes of tests, or 0`);
}

export type Sizes = {
  readonly quick: number;
  /** Ten times `quick` unless it is named. */
  readonly long?: number;
};

/** How many rounds, runs or milliseconds a test takes in this run. */
export function roundsOf({ quick, long = quick * LONG_FACTOR }: Sizes, environment: NodeJS.ProcessEnv = process.env): number {
  return isLongRun(environment) ? long : quick;
}
