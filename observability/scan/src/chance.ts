// SPDX-License-Identifier: Apache-2.0
/** Whether so many of the rows of a part fail by chance alone. */
import type { Tally } from './combinations.ts';

/** How probable it is at most that anything of one length is taken for an explanation where there is none. */
const ERROR = 0.01;

/**
 * For rows that fail, where so many values were looked at, and their combinations. The tail of what rows drawn without replacement have is at most
 * exp(-n KL(q, p)) (Hoeffding, "Probability Inequalities for Sums of Bounded Random Variables", 1963, theorem 1 and section 6), times the number of combinations.
 */
export function chanceAmong(values: number): (part: Tally, whole: Tally, length: number) => boolean {
  return (part, whole, length) => {
    if (part.size <= 0 || whole.size <= 0) return true;
    const [q, p] = [part.effect / part.size, whole.effect / whole.size];
    if (q <= p) return true;
    const divergence = q * Math.log(q / p) + (q < 1 ? (1 - q) * Math.log((1 - q) / (1 - p)) : 0);
    return part.size * divergence < logOfCombinations(values, length) - Math.log(ERROR);
  };
}

/** Sets of so many of the values: V^k / k! at most. */
function logOfCombinations(values: number, length: number): number {
  return Array.from({ length }, (_, index) => Math.log(Math.max(1, values / (index + 1)))).reduce((sum, each) => sum + each, 0);
}
