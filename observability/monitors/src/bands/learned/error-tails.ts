// SPDX-License-Identifier: Apache-2.0
/**
 * How far errors reach, learned from the errors of one series in units of their usual size: a Bayesian mixture over a grid of shapes and scales. Few errors
 * look normal whatever they come from, so how heavy a tail is said to be stays uncertain until there are many, and the band with it.
 *
 * An error may also be a fault of the data, of any size. So beyond some point a larger one says no more about the tails, and a bad delivery does not
 * widen the band.
 */

import {
  type ErrorShape,
  logChanceAt,
  logDensityAt,
  lognormalShape,
  mirrored,
  placeOf,
  SCALE_RATIO,
  studentShape,
} from './error-shapes.ts';
import { normalTail } from './quantiles.ts';
import { FAMILY_ALARM_CHANCE } from './tail.ts';

/**
 * Shapes with the belief in each before any error; most errors are normal. Student's t have the size of which their usual one is 1, of few errors of which
 * the largest are cut.
 */
const SHAPES: readonly (readonly [belief: number, shape: ErrorShape])[] = [
  [0.865, studentShape(200)],
  [0.04, studentShape(8, 0.87)],
  [0.03, studentShape(4, 0.71)],
  [0.01, studentShape(2.5, 0.55)],
  ...skewed(0.3, 0.02),
  ...skewed(0.6, 0.035),
];
const SCALES = 14;
const LEAST_SCALE = SCALE_RATIO ** -9;
/** Belief in scales before any error: most units are right, by this much of their logarithm, and some are far off, as of series that stand still. */
const SCALE_SPREAD = 0.1;
const ODD_SCALES = { belief: 0.1, spread: 0.5 };
const LOG_SCALES = Array.from({ length: SCALES }, (_, scale) => Math.log(LEAST_SCALE * SCALE_RATIO ** scale));
const CELLS = SHAPES.flatMap(([belief, shape]) =>
  LOG_SCALES.map((logScale, scale) => ({ belief: belief * beliefInScale(logScale), shape, scale })),
);
/** Less belief in a cell plays no part. */
const LEAST_WEIGHT = 1e-6;
const PRIOR = logPrior();
/** Density of a fault: one error in two hundred, anywhere within a hundred units. */
const FAULT = Math.log(0.005 / 100);
/** Errors that are remembered; older ones fade. */
const REMEMBERED = 250;
/** Chances beyond the promise of one series go on at most halfway from a normal to an exponential tail. */
const POWER_MAX = 1.5;
const ROUNDS = 16;
const NEAREST = Math.log(0.5);
const FURTHEST = Math.log(2000);

/** Cells that matter, with the belief in each. */
type Mixture = readonly { readonly weight: number; readonly shape: ErrorShape; readonly scale: number }[];
type SideName = keyof ErrorShape;

export class ErrorTails {
  readonly #logs = new Float64Array(CELLS.length);
  #mixture: Mixture | undefined;

  /** `error` in units of the usual size. */
  learn(error: number): void {
    this.#mixture = undefined;
    const side = sideOf(error);
    const place = placeOf(Math.abs(error) / LEAST_SCALE);
    let cell = 0;
    for (const [, { [side]: tables }] of SHAPES) {
      for (let scale = 0; scale < SCALES; scale += 1) {
        const said = Math.max(FAULT, logDensityAt(tables, place, scale) - (LOG_SCALES[scale] ?? 0));
        this.#logs[cell] = (1 - 1 / REMEMBERED) * (this.#logs[cell] ?? 0) + said;
        cell += 1;
      }
    }
  }

  /** The chance of an error further out on its side. */
  chanceBeyond(error: number): number {
    return chanceIn(this.#believed(), sideOf(error), Math.abs(error));
  }

  /** How far above and below an error is with so small a chance on both sides together. */
  reach(chance: number): { readonly above: number; readonly below: number } {
    const mixture = this.#believed();
    const factor = (normalTail(chance) / normalTail(FAMILY_ALARM_CHANCE)) ** POWER_MAX;
    const reachOn = (side: SideName) => {
      const own = reachIn(mixture, side, chance / 2);
      return chance < FAMILY_ALARM_CHANCE ? Math.min(own, factor * reachIn(mixture, side, FAMILY_ALARM_CHANCE / 2)) : own;
    };
    return { above: reachOn('above'), below: reachOn('below') };
  }

  #believed(): Mixture {
    this.#mixture ??= this.#mix();
    return this.#mixture;
  }

  #mix(): Mixture {
    const weights = new Float64Array(CELLS.length);
    let highest = Number.NEGATIVE_INFINITY;
    for (let cell = 0; cell < weights.length; cell += 1) {
      const sum = (this.#logs[cell] ?? 0) + (PRIOR[cell] ?? 0);
      weights[cell] = sum;
      highest = Math.max(highest, sum);
    }
    let whole = 0;
    for (let cell = 0; cell < weights.length; cell += 1) {
      const weight = Math.exp((weights[cell] ?? 0) - highest);
      weights[cell] = weight;
      whole += weight;
    }
    return CELLS.flatMap(({ shape, scale }, cell) => {
      const weight = (weights[cell] ?? 0) / whole;
      return weight > LEAST_WEIGHT ? [{ weight, shape, scale }] : [];
    });
  }
}

function sideOf(error: number): SideName {
  return error > 0 ? 'above' : 'below';
}

/** The chance of a larger size on one side. */
function chanceIn(mixture: Mixture, side: SideName, size: number): number {
  const place = placeOf(size / LEAST_SCALE);
  let chance = 0;
  for (const { weight, shape, scale } of mixture) chance += weight * Math.exp(logChanceAt(shape[side], place, scale));
  return chance / 2;
}

/** By halving the logarithm of the size. */
function reachIn(mixture: Mixture, side: SideName, chance: number): number {
  let nearest = NEAREST;
  let furthest = FURTHEST;
  for (let round = 0; round < ROUNDS; round += 1) {
    const middle = (nearest + furthest) / 2;
    if (chanceIn(mixture, side, Math.exp(middle)) > chance) nearest = middle;
    else furthest = middle;
  }
  return Math.exp(furthest);
}

function beliefInScale(logScale: number): number {
  const normal = (spread: number) => Math.exp(-0.5 * (logScale / spread) ** 2) / spread;
  return (1 - ODD_SCALES.belief) * normal(SCALE_SPREAD) + ODD_SCALES.belief * normal(ODD_SCALES.spread);
}

/** Logarithms of the belief in each cell before any error. */
function logPrior(): readonly number[] {
  const whole = CELLS.reduce((sum, { belief }) => sum + belief, 0);
  return CELLS.map(({ belief }) => Math.log(belief / whole));
}

/** Larger values spread further more often than smaller ones. */
function skewed(spread: number, belief: number): readonly (readonly [belief: number, shape: ErrorShape])[] {
  const shape = lognormalShape(spread);
  return [
    [0.75 * belief, shape],
    [0.25 * belief, mirrored(shape)],
  ];
}
