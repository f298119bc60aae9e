// SPDX-License-Identifier: Apache-2.0
/**
 * How far a share reaches that is a number of things among a sample, when things come in clumps (copies come in pairs at least). A learned band knows nothing of where its
 * values come from and expects tails of any weight; from ten scans of a few pairs it reached to fourteen deviations. Here the number of clumps is that of a Poisson process, and
 * what its past foretells is a negative binomial (Gelman et al., Bayesian Data Analysis, 3rd edition, section 2.6; the prior is that of Jeffreys). How large
 * clumps are follows from how much more the numbers scatter than single things do. Where it is known how many things were exposed (copies come with the points that
 * came), the number of clumps is expected to be in proportion to that.
 */
import { learnedPoints, type Place, plainSeries, type ScanSeries } from './scan-series.ts';
import { comparedOf, rareShareTolerance } from './tolerance.ts';
import type { Watched } from './watched.ts';

/** One scan: the share, in percent, and what it is in proportion to, in any unit. */
export type ExposedShare = { readonly percent: number; readonly exposure: number };

type Sample = {
  /** Of this scan, in the unit of those before. */
  readonly exposure: number;
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
/** Of what is exposed: a percentage of which nothing came foretells nothing. */
const EXPOSURE_MIN = 0.1;

/** Of vectors that have become near-duplicates, or came and lie far, in percent: as many as new vectors came, as far as it is known how many those were. */
export function mostAmongNew(
  history: Watched['history'],
  place: Place,
  { scan, confidence }: { readonly scan: ScanSeries; readonly confidence: number },
): number | undefined {
  const share = plainSeries('VECTOR_NEW_SHARE', 'ratio', place);
  const newAt = new Map(scan.historyOf(share).map(({ timeMs, value }) => [timeMs, value]));
  const now = scan.valueOf(share);
  const past = learnedPoints(history).slice(-SCANS_MAX);
  const exposures = past.map(({ timeMs }) => newAt.get(timeMs) ?? undefined);
  const isKnown = now !== null && !exposures.includes(undefined);
  const sample = { size: comparedOf(place, scan), confidence, exposure: isKnown ? now : 1 };
  return mostOfClumped(
    past.map(({ value }, at) => ({ percent: value, exposure: (isKnown ? exposures[at] : undefined) ?? 1 })),
    sample,
  );
}

/** In percent, as the past shares are; undefined where too little is known. */
export function mostOfClumped(past: readonly ExposedShare[], { size, confidence, exposure }: Sample): number | undefined {
  const scans = past
    .slice(-SCANS_MAX)
    .map((one) => ({ count: (one.percent / 100) * size, exposure: Math.max(EXPOSURE_MIN, one.exposure) }));
  if (scans.length < SCANS_MIN) return undefined;
  const sum = scans.reduce((total, { count }) => total + count, 0);
  const exposed = scans.reduce((total, one) => total + one.exposure, 0);
  const clump = clumpOf(scans, sum / exposed);
  if (sum / clump > CLUMPS_MAX * scans.length) return undefined;
  const now = Math.max(EXPOSURE_MIN, exposure);
  // The confidence is for both sides.
  const clumps = largestClumps({ shape: sum / clump + PRIOR, share: now / (exposed + now) }, 2 * Math.exp(-confidence));
  const expected = (sum / exposed) * (now / size);
  return 100 * Math.max((clumps * clump) / size, expected + rareShareTolerance(expected, size, confidence));
}

type Exposed = { readonly count: number; readonly exposure: number };

/** The variance of numbers of clumps is that of single things, times the size of a clump; an upper bound of it, by Wilson and Hilferty's quantile of the chi-squared distribution. */
function clumpOf(scans: readonly Exposed[], rate: number): number {
  if (rate === 0) return PAIR;
  const freedom = scans.length - 1;
  const dispersion = scans.reduce((sum, { count, exposure }) => sum + (count - rate * exposure) ** 2 / (rate * exposure), 0) / freedom;
  const part = 2 / (9 * freedom);
  const least = (1 - part - Z_OF_CLUMP * Math.sqrt(part)) ** 3;
  return Math.max(PAIR, dispersion / least);
}

/** The largest number that is not rarer than the chance; `share` is that of this scan in all that was ever exposed. */
function largestClumps({ shape, share: other }: { readonly shape: number; readonly share: number }, chance: number): number {
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
