// SPDX-License-Identifier: Apache-2.0
/** How far errors reach, where the belief in each shape and scale is known. */
import { placeOf, STEPS_PER_SCALE, sizeAt } from './error-shapes.ts';
import { normalTail } from './quantiles.ts';
import { CELLS, CHANCES, LEAST_SCALE, SCALES, type SideName, tableIndex } from './shape-grid.ts';

/** Less belief in a cell plays no part. */
const LEAST_WEIGHT = 1e-6;
/** What is smaller by so much of its logarithm is less than half of the last bit of a sum, 2 ** -54 of it. */
const NO_BIT = 38;
/** Chances beyond those that errors can show go on at most halfway from a normal to an exponential tail. */
const POWER_MAX = 1.5;
const NEAREST = Math.floor(placeOf(0.5 / LEAST_SCALE));
const FURTHEST = Math.floor(placeOf(2000 / LEAST_SCALE));

/** On either side, in units. */
export type Reach = { readonly above: number; readonly below: number };

export class TailMixture {
  /** Of the cells that matter: the belief in each, its shape, and by how many places its scale moves that. */
  readonly #weights: number[] = [];
  readonly #shapes: number[] = [];
  readonly #shifts: number[] = [];
  readonly #shownChance: number;
  /** Of the smallest chance that errors can show, and of the one that was asked for last. */
  #shown: Reach | undefined;
  #latest: { readonly chance: number; readonly reach: Reach } | undefined;

  /** Logarithms of the belief in each cell before any error, and of the likelihood of the errors; the smallest chance that so many errors can show. */
  constructor(prior: Float64Array, likelihood: readonly number[], shownChance: number) {
    this.#shownChance = shownChance;
    let highest = Number.NEGATIVE_INFINITY;
    for (let cell = 0; cell < CELLS; cell += 1) highest = Math.max(highest, (prior[cell] ?? 0) + (likelihood[cell] ?? 0));
    let whole = 0;
    let seen = Number.NEGATIVE_INFINITY;
    for (let cell = 0; cell < CELLS; cell += 1) {
      const log = (prior[cell] ?? 0) + (likelihood[cell] ?? 0) - highest;
      if (log < seen - NO_BIT) continue;
      seen = Math.max(seen, log);
      const weight = Math.exp(log);
      whole += weight;
      if (weight <= LEAST_WEIGHT) continue;
      const scale = cell % SCALES;
      this.#weights.push(weight);
      this.#shapes.push((cell - scale) / SCALES);
      this.#shifts.push(scale * STEPS_PER_SCALE);
    }
    for (let index = 0; index < this.#weights.length; index += 1) this.#weights[index] = (this.#weights[index] ?? 0) / whole;
  }

  /** The chance of an error further out on its side. */
  chanceBeyond(error: number): number {
    const place = placeOf(Math.abs(error) / LEAST_SCALE);
    const whole = Math.floor(place);
    const share = place - whole;
    const side = error > 0 ? 'above' : 'below';
    return this.#chanceAt(whole, side) * (1 - share) + this.#chanceAt(whole + 1, side) * share;
  }

  /** How far above and below an error is with so small a chance on both sides together. */
  reach(chance: number): Reach {
    if (chance === this.#shownChance) return this.#shownReach;
    if (this.#latest?.chance !== chance) this.#latest = { chance, reach: this.#reachAt(chance) };
    return this.#latest.reach;
  }

  get #shownReach(): Reach {
    this.#shown ??= { above: this.#reachOn('above', this.#shownChance / 2), below: this.#reachOn('below', this.#shownChance / 2) };
    return this.#shown;
  }

  #reachAt(chance: number): Reach {
    const above = this.#reachOn('above', chance / 2);
    const below = this.#reachOn('below', chance / 2);
    if (chance > this.#shownChance) return { above, below };
    const factor = (normalTail(chance) / normalTail(this.#shownChance)) ** POWER_MAX;
    return { above: Math.min(above, factor * this.#shownReach.above), below: Math.min(below, factor * this.#shownReach.below) };
  }

  /** By halving; between two places the logarithm of the chance is a line. */
  #reachOn(side: SideName, chance: number): number {
    let nearest = NEAREST;
    let furthest = FURTHEST;
    while (furthest - nearest > 1) {
      const middle = (nearest + furthest) >> 1;
      if (this.#chanceAt(middle, side) > chance) nearest = middle;
      else furthest = middle;
    }
    const before = Math.log(this.#chanceAt(nearest, side));
    const share = (before - Math.log(chance)) / (before - Math.log(this.#chanceAt(furthest, side)));
    return LEAST_SCALE * sizeAt(nearest + Math.max(0, Math.min(1, share)));
  }

  /** The chance of a size beyond a place on one side. */
  #chanceAt(place: number, side: SideName): number {
    const chances = CHANCES[side];
    const weights = this.#weights;
    let chance = 0;
    for (let index = 0; index < weights.length; index += 1)
      chance += (weights[index] ?? 0) * (chances[tableIndex(place - (this.#shifts[index] ?? 0), this.#shapes[index] ?? 0)] ?? 0);
    return chance / 2;
  }
}
