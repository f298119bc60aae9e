// SPDX-License-Identifier: Apache-2.0
/**
 * What many series say together of the shape of their errors: how many of them have each shape, by the mixture that makes what they show likeliest
 * (expectation maximisation; Dempster, Laird and Rubin, JRSS B 39, 1977), as a prior for each (empirical Bayes; Efron and Morris, JASA 70, 1975). A history of
 * sixty values does not tell a heavy tail from a normal one; those of a hundred series do.
 */
import type { ShapeEvidence, SharedShapes } from '../band.ts';
import { logSum } from './central-errors.ts';
import { SHAPE_BELIEFS } from './shape-grid.ts';

/** Fewer series say little more than one. */
export const SERIES_MIN = 5;
/** So many series what is believed of one alone counts as. */
const PRIOR_SERIES = 3;
const ROUNDS_MAX = 20;
/** What changes less between two rounds has settled. */
const SETTLED = 1e-3;

/** Undefined of few series. */
export function sharedShapes(evidence: readonly ShapeEvidence[]): SharedShapes | undefined {
  if (evidence.length < SERIES_MIN) return undefined;
  let shares = SHAPE_BELIEFS;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = shares;
    shares = likelierShares(before, evidence);
    if (shares.every((share, shape) => Math.abs(share - (before[shape] ?? 0)) < SETTLED)) break;
  }
  return { shares, errors: evidence.reduce((sum, { errors }) => sum + errors, 0) };
}

/** One round: each series counts for the shapes that it may have. */
function likelierShares(shares: readonly number[], evidence: readonly ShapeEvidence[]): readonly number[] {
  const counts = SHAPE_BELIEFS.map((belief) => PRIOR_SERIES * belief);
  for (const { logLikelihoods } of evidence) {
    const logs = logLikelihoods.map((log, shape) => log + Math.log(shares[shape] ?? 0));
    const whole = logSum(logs);
    for (let shape = 0; shape < counts.length; shape += 1) counts[shape] = (counts[shape] ?? 0) + Math.exp((logs[shape] ?? 0) - whole);
  }
  return counts.map((count) => count / (PRIOR_SERIES + evidence.length));
}
