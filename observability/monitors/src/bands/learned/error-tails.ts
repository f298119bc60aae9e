// SPDX-License-Identifier: Apache-2.0
/**
 * How far errors reach, learned from the errors of one series in units of their usual size: a Bayesian mixture over a grid of shapes and scales. Few errors
 * look normal whatever they come from, so how heavy a tail is said to be stays uncertain until there are many, and the band with it. What many series say
 * of the shapes together (`shared-shapes.ts`) can widen it.
 *
 * An error may also be a fault of the data, of any size. So beyond some point a larger one says no more about the tails, and a bad delivery does not
 * widen the band.
 */

import type { ShapeEvidence, SharedShapes } from '../band.ts';
import { CentralErrors } from './central-errors.ts';
import { placeOf, STEPS_PER_SCALE } from './error-shapes.ts';
import type { KeptNumbers } from './kept-numbers.ts';
import { CELLS, DENSITIES, LEAST_SCALE, LOG_SCALES, logBeliefs, SCALES, SHAPE_BELIEFS, tableIndex } from './shape-grid.ts';
import { FAMILY_ALARM_CHANCE } from './tail.ts';
import { type Reach, TailMixture } from './tail-mixture.ts';

const PRIOR = logBeliefs(SHAPE_BELIEFS);
/** Density of a fault: one error in two hundred, anywhere within a hundred units. */
const FAULT = Math.log(0.005 / 100);
/** A plain list of doubles, as it was one of fractions: the engine makes typed arrays of this size outside of its heap, which takes four times as long. */
const NO_LOGS = [...PRIOR].fill(0);
/** Errors that are remembered; older ones fade. */
const REMEMBERED = 250;

export class ErrorTails {
  /** Of the likelihood of the errors in each cell; the highest is 0. */
  readonly #logs = NO_LOGS.slice();
  readonly #central = new CentralErrors();
  #shared: SharedShapes | undefined;
  /** As far as it was asked for since the last error. */
  #own: TailMixture | undefined;
  #pooled: TailMixture | undefined;

  /** `error` in units of the usual size. */
  learn(error: number): void {
    this.#own = undefined;
    this.#pooled = undefined;
    this.#central.learn(error);
    const densities = DENSITIES[error > 0 ? 'above' : 'below'];
    const place = placeOf(Math.abs(error) / LEAST_SCALE);
    const whole = Math.floor(place);
    const share = place - whole;
    const logs = this.#logs;
    let highest = Number.NEGATIVE_INFINITY;
    let cell = 0;
    for (let shape = 0; shape < SHAPE_BELIEFS.length; shape += 1) {
      for (let scale = 0; scale < SCALES; scale += 1, cell += 1) {
        const at = tableIndex(whole - scale * STEPS_PER_SCALE, shape);
        const density = (densities[at] ?? 0) * (1 - share) + (densities[at + 1] ?? 0) * share;
        const log = (1 - 1 / REMEMBERED) * (logs[cell] ?? 0) + Math.max(FAULT, density - (LOG_SCALES[scale] ?? 0));
        logs[cell] = log;
        if (log > highest) highest = log;
      }
    }
    for (cell = 0; cell < CELLS; cell += 1) logs[cell] = Math.fround((logs[cell] ?? 0) - highest);
  }

  /** What its errors say of their shape to those of other series; undefined where they say nothing. */
  get evidence(): ShapeEvidence | undefined {
    return this.#central.evidence;
  }

  /** From now on it reaches at least as far as with what many series say together. */
  share(shapes: SharedShapes): void {
    this.#pooled = undefined;
    this.#shared = shapes;
  }

  /** The chance of an error further out on its side, from the errors of this series alone. */
  chanceBeyond(error: number): number {
    return this.#ownMixture.chanceBeyond(error);
  }

  /** How far above and below an error is with so small a chance on both sides together. */
  reach(chance: number): Reach {
    const own = this.#ownMixture.reach(chance);
    const pooled = this.#pooledMixture?.reach(chance) ?? own;
    return { above: Math.max(own.above, pooled.above), below: Math.max(own.below, pooled.below) };
  }

  keep(numbers: KeptNumbers): void {
    this.#own = undefined;
    this.#pooled = undefined;
    numbers.singles(this.#logs);
    this.#central.keep(numbers);
  }

  get #ownMixture(): TailMixture {
    this.#own ??= new TailMixture(PRIOR, this.#logs, FAMILY_ALARM_CHANCE);
    return this.#own;
  }

  get #pooledMixture(): TailMixture | undefined {
    if (this.#shared === undefined) return undefined;
    const { shares, errors } = this.#shared;
    this.#pooled ??= new TailMixture(logBeliefs(shares), this.#logs, Math.min(FAMILY_ALARM_CHANCE, 1 / errors));
    return this.#pooled;
  }
}
