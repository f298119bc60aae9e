// SPDX-License-Identifier: Apache-2.0
/**
 * How far errors reach, learned from the errors of one series in units of their usual size: a Bayesian mixture of Student's t distributions over a grid
 * of scales and degrees of freedom. Few errors look normal whatever they come from, so how heavy a tail is said to be stays uncertain until there
 * are many, and the band with it. Two models share the belief: one with the same tails on both sides, and one in which either side has its own, as
 * counts and durations have.
 *
 * An error may also be a fault of the data, of any size. So beyond some point a larger one says no more about the tails, and a bad delivery does not
 * widen the band.
 */

import { normalTail } from './quantiles.ts';
import { FREEDOMS, logChanceAt, logDensityAt, placeOf, SCALE_RATIO } from './student-tails.ts';
import { FAMILY_ALARM_CHANCE } from './tail.ts';

const SCALES = 15;
const LEAST_SCALE = 0.3;
/** Spread of the belief in scales before any error, of their logarithm. */
const SCALE_SPREAD = 0.25;
const LOG_SCALES = Array.from({ length: SCALES }, (_, scale) => Math.log(LEAST_SCALE * SCALE_RATIO ** scale));
const CELLS = FREEDOMS.length * SCALES;
const CELL_LIST = Array.from({ length: CELLS }, (_, cell) => ({ freedom: Math.floor(cell / SCALES), scale: cell % SCALES }));
/** Less belief in a cell plays no part. */
const LEAST_WEIGHT = 1e-6;
/** Beliefs in the degrees of freedom before any error. */
const EVEN_PRIOR = logPrior([0.93, 0.055, 0.011, 0.004]);
const SIDED_PRIOR = logPrior([0.4, 0.3, 0.2, 0.1]);
/** That the sides differ. */
const SIDED = 0.2;
/** Density of a fault: one error in two hundred, anywhere within a hundred units. */
const FAULT = Math.log(0.005 / 100);
/** Errors that are remembered; older ones fade. */
const REMEMBERED = 250;
/** Chances beyond the promise of one series go on at most halfway from a normal to an exponential tail. */
const POWER_MAX = 1.5;
const ROUNDS = 16;
const NEAREST = Math.log(0.5);
const FURTHEST = Math.log(2000);

/** Cells that matter, with the belief in each; that of all is one half where the sides are alike. */
type Mixture = readonly { readonly weight: number; readonly freedom: number; readonly scale: number }[];
type Mixtures = { readonly above: Mixture; readonly below: Mixture };
type Side = { readonly logs: Float64Array; count: number };
/** Belief in each cell, and the logarithm of the evidence. */
type Posterior = { readonly weights: Float64Array; readonly evidence: number };

export class ErrorTails {
  readonly #above: Side = { logs: new Float64Array(CELLS), count: 0 };
  readonly #below: Side = { logs: new Float64Array(CELLS), count: 0 };
  #mixtures: Mixtures | undefined;

  /** `error` in units of the usual size. */
  learn(error: number): void {
    this.#mixtures = undefined;
    const side = error > 0 ? this.#above : this.#below;
    for (const each of [this.#above, this.#below]) {
      each.count *= 1 - 1 / REMEMBERED;
      for (let cell = 0; cell < CELLS; cell += 1) each.logs[cell] = (each.logs[cell] ?? 0) * (1 - 1 / REMEMBERED);
    }
    side.count += 1;
    const size = Math.abs(error) / LEAST_SCALE;
    const place = placeOf(size);
    for (const [cell, { freedom, scale }] of CELL_LIST.entries()) {
      side.logs[cell] = (side.logs[cell] ?? 0) + Math.max(FAULT, logDensityAt(freedom, place, scale) - (LOG_SCALES[scale] ?? 0));
    }
  }

  /** The chance of an error further out on its side. */
  chanceBeyond(error: number): number {
    const { above, below } = this.#believed();
    return chanceIn(error > 0 ? above : below, Math.abs(error));
  }

  /** How far above and below an error is with so small a chance on both sides together. */
  reach(chance: number): { readonly above: number; readonly below: number } {
    const { above, below } = this.#believed();
    const factor = (normalTail(chance) / normalTail(FAMILY_ALARM_CHANCE)) ** POWER_MAX;
    const reachIn = (mixture: Mixture) => {
      const own = reachOf(mixture, chance / 2);
      return chance < FAMILY_ALARM_CHANCE ? Math.min(own, factor * reachOf(mixture, FAMILY_ALARM_CHANCE / 2)) : own;
    };
    return { above: reachIn(above), below: reachIn(below) };
  }

  #believed(): Mixtures {
    this.#mixtures ??= this.#mix();
    return this.#mixtures;
  }

  #mix(): Mixtures {
    const even = posterior(
      this.#above.logs.map((log, cell) => log + (this.#below.logs[cell] ?? 0)),
      EVEN_PRIOR,
    );
    const above = posterior(this.#above.logs, SIDED_PRIOR);
    const below = posterior(this.#below.logs, SIDED_PRIOR);
    const odds = ((1 - SIDED) / SIDED) * Math.exp(Math.min(500, even.evidence - above.evidence - below.evidence));
    const sided = 1 / (1 + odds);
    const errors = this.#above.count + this.#below.count + 2;
    const mixed = (own: Posterior, count: number): Mixture =>
      CELL_LIST.flatMap(({ freedom, scale }, cell) => {
        const sidedWeight = (sided * (own.weights[cell] ?? 0) * (count + 1)) / errors;
        const weight = sidedWeight + ((1 - sided) * (even.weights[cell] ?? 0)) / 2;
        return weight > LEAST_WEIGHT ? [{ weight, freedom, scale }] : [];
      });
    return { above: mixed(above, this.#above.count), below: mixed(below, this.#below.count) };
  }
}

/** The chance of a larger size on one side. */
function chanceIn(mixture: Mixture, size: number): number {
  const place = placeOf(size / LEAST_SCALE);
  let chance = 0;
  for (const { weight, freedom, scale } of mixture) chance += weight * Math.exp(logChanceAt(freedom, place, scale));
  return chance;
}

/** By halving the logarithm of the size. */
function reachOf(mixture: Mixture, chance: number): number {
  let nearest = NEAREST;
  let furthest = FURTHEST;
  for (let round = 0; round < ROUNDS; round += 1) {
    const middle = (nearest + furthest) / 2;
    if (chanceIn(mixture, Math.exp(middle)) > chance) nearest = middle;
    else furthest = middle;
  }
  return Math.exp(furthest);
}

function posterior(logs: Float64Array, prior: Float64Array): Posterior {
  const sums = logs.map((log, cell) => log + (prior[cell] ?? 0));
  const highest = Math.max(...sums);
  const weights = sums.map((sum) => Math.exp(sum - highest));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return { weights: weights.map((weight) => weight / whole), evidence: highest + Math.log(whole) };
}

/** Of the cells, by freedom and then by scale. */
function logPrior(freedoms: readonly number[]): Float64Array {
  const cells = Float64Array.from({ length: CELLS }, (_, cell) => {
    const logScale = Math.log(LEAST_SCALE * SCALE_RATIO ** (cell % SCALES));
    return (freedoms[Math.floor(cell / SCALES)] ?? 0) * Math.exp(-0.5 * (logScale / SCALE_SPREAD) ** 2);
  });
  const whole = cells.reduce((sum, cell) => sum + cell, 0);
  return cells.map((cell) => Math.log(cell / whole));
}
