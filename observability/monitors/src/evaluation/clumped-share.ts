// SPDX-License-Identifier: Apache-2.0
/**
 * How far a share reaches that is a number of things among a sample, when things come in clumps (copies come in pairs at least). A learned band knows nothing of where its
 * values come from and expects tails of any weight; from ten scans of a few pairs it reached to fourteen deviations. Here the number of clumps is that of a Poisson process, and
 * what its past foretells is a negative binomial (Gelman et al., Bayesian Data Analysis, 3rd edition, section 2.6; the prior is that of Jeffreys). How large
 * clumps are follows from how much more the numbers scatter than single things do.
 */
import { rareShareTolerance } from './tolerance.ts';

type Sample = {
  /** How many things were looked at. */
  readonly size: number;
  /** As `confidenceOf` gives it. */
  readonly confidence: number;
};

/** Fewer scans say nothing; as for learned bands. */
const SCANS_MIN = 5;
const SCANS_MAX = 60;
const PAIR = 2;
/** Of a clump: the chance that it is larger than it is taken to be. */
const Z_OF_CLUMP = 1.2816;
/** Of more clumps the learned band says as much. */
const CLUMPS_MAX = 200;
const PRIOR = 0.5;

/** In percent, as the past shares are; undefined where too little is known. */
export function mostOfClumped(past: readonly number[], { size, confidence }: Sample): number | undefined {
  const counts = past.slice(-SCANS_MAX).map((percent) => (percent / 100) * size);
  if (counts.length < SCANS_MIN) return undefined;
  const sum = counts.reduce((total, count) => total + count, 0);
  const mean = sum / counts.length;
  const clump = clumpOf(counts, mean);
  if (sum / clump > CLUMPS_MAX * counts.length) return undefined;
  // The confidence is for both sides.
  const clumps = largestClumps({ shape: sum / clump + PRIOR, scans: counts.length }, 2 * Math.exp(-confidence));
  const chance = mean / size + rareShareTolerance(mean / size, size, confidence);
  return 100 * Math.max((clumps * clump) / size, chance);
}

/** The variance of numbers of clumps is that of single things, times the size of a clump; an upper bound of it, by Wilson and Hilferty's quantile of the chi-squared distribution. */
function clumpOf(counts: readonly number[], mean: number): number {
  if (mean === 0) return PAIR;
  const freedom = counts.length - 1;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / freedom;
  const part = 2 / (9 * freedom);
  const least = (1 - part - Z_OF_CLUMP * Math.sqrt(part)) ** 3;
  return Math.max(PAIR, variance / mean / least);
}

/** The largest number that is not rarer than the chance. */
function largestClumps({ shape, scans }: { readonly shape: number; readonly scans: number }, chance: number): number {
  const other = 1 / (scans + 1);
  let term = (1 - other) ** shape;
  let beyond = 1 - term;
  let count = 0;
  while (beyond > chance && count < 2 * CLUMPS_MAX) {
    count += 1;
    term *= ((shape + count - 1) / count) * other;
    beyond -= term;
  }
  return count;
}
