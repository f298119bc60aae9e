// SPDX-License-Identifier: Apache-2.0
/** Numbers of the usual distributions, from seeded dice. */

import type { Random } from '@sextant/foundation-std';

/** Box & Muller 1958. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** Student's t. */
export function student(random: Random, freedom: number): number {
  let squares = 0;
  for (let degree = 0; degree < freedom; degree += 1) squares += normal(random) ** 2;
  return normal(random) / Math.sqrt(squares / freedom);
}

/** By inversion (Devroye, Non-Uniform Random Variate Generation, 1986, chapter 10.3). */
export function poisson(random: Random, mean: number): number {
  let count = 0;
  let term = Math.exp(-mean);
  let below = term;
  const chance = random.next();
  while (chance > below && term > 0) {
    count += 1;
    term *= mean / count;
    below += term;
  }
  return count;
}

/** Poisson with a mean that itself varies, by a gamma distribution of an integer shape: a negative binomial. */
export function overdispersed(random: Random, { mean, shape }: { readonly mean: number; readonly shape: number }): number {
  let gamma = 0;
  for (let part = 0; part < shape; part += 1) gamma += exponential(random);
  return poisson(random, (mean * gamma) / shape);
}

/** With mean 1. */
export function exponential(random: Random): number {
  return -Math.log(1 - random.next());
}
