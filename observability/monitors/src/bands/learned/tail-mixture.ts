// SPDX-License-Identifier: Apache-2.0
/** How far errors reach, where the belief in each shape and scale is known. */
import { placeOf, STEPS_PER_SCALE, sizeAt } from './error-shapes.ts';
import { normalTail } from './quantiles.ts';
import { CELLS, CHANCES, LEAST_SCALE, SCALES, type SideName, tableIndex } from './shape-grid.ts';

/** Less belief in a cell plays no part. */
const LEAST_WEIGHT = 1e-6;
/** Chances beyond those that errors can show go on at most halfway from a normal to an exponential tail. */
const POWER_MAX = 1.5;
const NEAREST = Math.floor(placeOf(0.5 / LEAST_SCALE));
const FURTHEST = Math.floor(placeOf(2000 / LEAST_SCALE));

/** On either side, in units. */
export type Reach = { readonly above: number; readonly below: number };

export class TailMixture {
  /** Cells that matter, with the belief in each. */
  readonly #cells: number[] = [];
  readonly #weights: number[] = [];
  readonly #shownChance: number;
  /** By side and chance. */
  readonly #reaches: { readonly [Side in SideName]: Map<number, number> } = { above: new Map(), below: new Map() };

  /** Logarithms of the belief in each cell before any error, and of the likelihood of the errors; the smallest chance that so many errors can show. */
  constructor(prior: Float64Array, likelihood: Float64Array, shownChance: number) {
    this.#shownChance = shownChance;
    let highest = Number.NEGATIVE_INFINITY;
    for (let cell = 0; cell < CELLS; cell += 1) highest = Math.max(highest, (prior[cell] ?? 0) + (likelihood[cell] ?? 0));
    let whole = 0;
    for (let cell = 0; cell < CELLS; cell += 1) {
      const weight = Math.exp((prior[cell] ?? 0) + (likelihood[cell] ?? 0) - highest);
      whole += weight;
      if (weight <= LEAST_WEIGHT) continue;
      this.#cells.push(cell);
      this.#weights.push(weight);
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
    const factor = (normalTail(chance) / normalTail(this.#shownChance)) ** POWER_MAX;
    const reachOn = (side: SideName) => {
      const own = this.#reachOn(side, chance / 2);
      return chance < this.#shownChance ? Math.min(own, factor * this.#reachOn(side, this.#shownChance / 2)) : own;
    };
    return { above: reachOn('above'), below: reachOn('below') };
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
    const chances = CHANCES[side];
    let chance = 0;
    for (let index = 0; index < this.#cells.length; index += 1) {
      const cell = this.#cells[index] ?? 0;
      const scale = cell % SCALES;
      chance += (this.#weights[index] ?? 0) * (chances[tableIndex(place - scale * STEPS_PER_SCALE, (cell - scale) / SCALES)] ?? 0);
    }
    return chance / 2;
  }
}
