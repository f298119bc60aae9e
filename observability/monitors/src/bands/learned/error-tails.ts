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
  lognormalShape,
  mirrored,
  PLACES,
  placeOf,
  SCALE_RATIO,
  STEPS_PER_SCALE,
  sizeAt,
  studentShape,
} from './error-shapes.ts';
import type { KeptNumbers } from './kept-numbers.ts';
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
/** A shape with a scale each, shape by shape. */
const CELLS = SHAPES.length * SCALES;
/** Less belief in a cell plays no part. */
const LEAST_WEIGHT = 1e-6;
const PRIOR = logPrior();
/** Of all shapes, one after another. */
const DENSITIES = { above: joined(({ above }) => above.density), below: joined(({ below }) => below.density) };
const CHANCES = { above: joined(({ above }) => above.chance.map(Math.exp)), below: joined(({ below }) => below.chance.map(Math.exp)) };
/** Density of a fault: one error in two hundred, anywhere within a hundred units. */
const FAULT = Math.log(0.005 / 100);
/** Errors that are remembered; older ones fade. */
const REMEMBERED = 250;
/** Chances beyond the promise of one series go on at most halfway from a normal to an exponential tail. */
const POWER_MAX = 1.5;
const NEAREST = Math.floor(placeOf(0.5 / LEAST_SCALE));
const FURTHEST = Math.floor(placeOf(2000 / LEAST_SCALE));

type SideName = keyof ErrorShape;

export class ErrorTails {
  /** Of the likelihood of the errors in each cell; the highest is 0. */
  readonly #logs = new Float64Array(CELLS);
  /** Cells that matter, with the belief in each; empty where it was not asked since the last error. */
  readonly #cells: number[] = [];
  readonly #weights: number[] = [];
  /** By side and chance. */
  readonly #reaches: { readonly [Side in SideName]: Map<number, number> } = { above: new Map(), below: new Map() };

  /** `error` in units of the usual size. */
  learn(error: number): void {
    this.#forget();
    const densities = DENSITIES[sideOf(error)];
    const place = placeOf(Math.abs(error) / LEAST_SCALE);
    const whole = Math.floor(place);
    const share = place - whole;
    const logs = this.#logs;
    let highest = Number.NEGATIVE_INFINITY;
    for (let cell = 0; cell < CELLS; cell += 1) {
      const scale = cell % SCALES;
      const at = tableIndex(whole - scale * STEPS_PER_SCALE, (cell - scale) / SCALES);
      const density = (densities[at] ?? 0) * (1 - share) + (densities[at + 1] ?? 0) * share;
      const log = (1 - 1 / REMEMBERED) * (logs[cell] ?? 0) + Math.max(FAULT, density - (LOG_SCALES[scale] ?? 0));
      logs[cell] = log;
      if (log > highest) highest = log;
    }
    for (let cell = 0; cell < CELLS; cell += 1) logs[cell] = Math.fround((logs[cell] ?? 0) - highest);
  }

  /** The chance of an error further out on its side. */
  chanceBeyond(error: number): number {
    const place = placeOf(Math.abs(error) / LEAST_SCALE);
    const whole = Math.floor(place);
    const share = place - whole;
    const side = sideOf(error);
    return this.#chanceAt(whole, side) * (1 - share) + this.#chanceAt(whole + 1, side) * share;
  }

  /** How far above and below an error is with so small a chance on both sides together. */
  reach(chance: number): { readonly above: number; readonly below: number } {
    const factor = (normalTail(chance) / normalTail(FAMILY_ALARM_CHANCE)) ** POWER_MAX;
    const reachOn = (side: SideName) => {
      const own = this.#reachOn(side, chance / 2);
      return chance < FAMILY_ALARM_CHANCE ? Math.min(own, factor * this.#reachOn(side, FAMILY_ALARM_CHANCE / 2)) : own;
    };
    return { above: reachOn('above'), below: reachOn('below') };
  }

  keep(numbers: KeptNumbers): void {
    this.#forget();
    numbers.singles(this.#logs);
  }

  /** By halving; between two places the logarithm of the chance is a line. */
  #reachOn(side: SideName, chance: number): number {
    const known = this.#reaches[side].get(chance);
    if (known !== undefined) return known;
    let nearest = NEAREST;
    let furthest = FURTHEST;
    while (furthest - nearest > 1) {
      const middle = (nearest + furthest) >> 1;
      if (this.#chanceAt(middle, side) > chance) nearest = middle;
      else furthest = middle;
    }
    const before = Math.log(this.#chanceAt(nearest, side));
    const share = (before - Math.log(chance)) / (before - Math.log(this.#chanceAt(furthest, side)));
    const reach = LEAST_SCALE * sizeAt(nearest + Math.max(0, Math.min(1, share)));
    this.#reaches[side].set(chance, reach);
    return reach;
  }

  /** The chance of a size beyond a place on one side. */
  #chanceAt(place: number, side: SideName): number {
    if (this.#cells.length === 0) this.#believe();
    const chances = CHANCES[side];
    let chance = 0;
    for (let index = 0; index < this.#cells.length; index += 1) {
      const cell = this.#cells[index] ?? 0;
      const scale = cell % SCALES;
      chance += (this.#weights[index] ?? 0) * (chances[tableIndex(place - scale * STEPS_PER_SCALE, (cell - scale) / SCALES)] ?? 0);
    }
    return chance / 2;
  }

  #believe(): void {
    let highest = Number.NEGATIVE_INFINITY;
    for (let cell = 0; cell < CELLS; cell += 1) highest = Math.max(highest, (this.#logs[cell] ?? 0) + (PRIOR[cell] ?? 0));
    let whole = 0;
    for (let cell = 0; cell < CELLS; cell += 1) {
      const weight = Math.exp((this.#logs[cell] ?? 0) + (PRIOR[cell] ?? 0) - highest);
      whole += weight;
      if (weight <= LEAST_WEIGHT) continue;
      this.#cells.push(cell);
      this.#weights.push(weight);
    }
    for (let index = 0; index < this.#weights.length; index += 1) this.#weights[index] = (this.#weights[index] ?? 0) / whole;
  }

  #forget(): void {
    this.#cells.length = 0;
    this.#weights.length = 0;
    this.#reaches.above.clear();
    this.#reaches.below.clear();
  }
}

function sideOf(error: number): SideName {
  return error > 0 ? 'above' : 'below';
}

/** In the tables of all shapes, such that another place follows. */
function tableIndex(place: number, shape: number): number {
  return shape * PLACES + Math.max(0, Math.min(PLACES - 2, place));
}

function beliefInScale(logScale: number): number {
  const normal = (spread: number) => Math.exp(-0.5 * (logScale / spread) ** 2) / spread;
  return (1 - ODD_SCALES.belief) * normal(SCALE_SPREAD) + ODD_SCALES.belief * normal(ODD_SCALES.spread);
}

/** Logarithms of the belief in each cell before any error. */
function logPrior(): Float64Array {
  const beliefs = SHAPES.flatMap(([belief]) => LOG_SCALES.map((logScale) => belief * beliefInScale(logScale)));
  const whole = beliefs.reduce((sum, belief) => sum + belief, 0);
  return Float64Array.from(beliefs, (belief) => Math.log(belief / whole));
}

function joined(tableOf: (shape: ErrorShape) => Float64Array): Float64Array {
  return Float64Array.from(SHAPES.flatMap(([, shape]) => [...tableOf(shape)]));
}

/** Larger values spread further more often than smaller ones. */
function skewed(spread: number, belief: number): readonly (readonly [belief: number, shape: ErrorShape])[] {
  const shape = lognormalShape(spread);
  return [
    [0.75 * belief, shape],
    [0.25 * belief, mirrored(shape)],
  ];
}
