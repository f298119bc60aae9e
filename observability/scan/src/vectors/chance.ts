// SPDX-License-Identifier: Apache-2.0
/** Whether more was found than chance gives. */

/** Of the vectors, how many lie beyond a cut without a fault. */
export const RARE = 0.001;

/** More than `expected` by four deviations of a Poisson number, and three more; `variance` where what is expected was itself counted. */
export function isMoreThanChance(found: number, expected: number, variance = expected): boolean {
  return found > expected + 4 * Math.sqrt(variance) + 3;
}
