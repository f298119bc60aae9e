// SPDX-License-Identifier: Apache-2.0
/** The grid of shapes and scales that errors of a series may have, with the belief in each before any error. */
import { type ErrorShape, lognormalShape, mirrored, PLACES, SCALE_RATIO, studentShape } from './error-shapes.ts';

/**
 * Shapes with the belief in each; most errors are normal. Student's t have the size of which their usual one is 1, of few errors of which the largest are
 * cut.
 */
const SHAPES: readonly (readonly [belief: number, shape: ErrorShape])[] = [
  [0.865, studentShape(200)],
  [0.04, studentShape(8, 0.87)],
  [0.03, studentShape(4, 0.71)],
  [0.01, studentShape(2.5, 0.55)],
  ...skewed(0.3, 0.02),
  ...skewed(0.6, 0.035),
];
export const SCALES = 14;
export const LEAST_SCALE = SCALE_RATIO ** -9;
/** Belief in scales: most units are right, by this much of their logarithm, and some are far off, as of series that stand still. */
const SCALE_SPREAD = 0.1;
const ODD_SCALES = { belief: 0.1, spread: 0.5 };
export const LOG_SCALES: readonly number[] = Array.from({ length: SCALES }, (_, scale) => Math.log(LEAST_SCALE * SCALE_RATIO ** scale));
/** Logarithms; the beliefs in all scales sum to 1. */
export const LOG_SCALE_BELIEFS: readonly number[] = logShares(LOG_SCALES.map(beliefInScale));
/** In each shape; they sum to 1. */
export const SHAPE_BELIEFS: readonly number[] = SHAPES.map(([belief]) => belief);
/** A shape with a scale each, shape by shape. */
export const CELLS = SHAPES.length * SCALES;

/** Of all shapes, one after another: logarithms of twice the density, and twice the chance of a larger size. */
export const DENSITIES = { above: joined(({ above }) => above.density), below: joined(({ below }) => below.density) };
export const CHANCES = {
  above: joined(({ above }) => above.chance.map(Math.exp)),
  below: joined(({ below }) => below.chance.map(Math.exp)),
};

export type SideName = keyof ErrorShape;

/** In the tables of all shapes, such that another place follows. */
export function tableIndex(place: number, shape: number): number {
  return shape * PLACES + Math.max(0, Math.min(PLACES - 2, place));
}

/** Logarithms of the belief in each cell, where shapes have these. */
export function logBeliefs(shapeBeliefs: readonly number[]): Float64Array {
  return Float64Array.from(shapeBeliefs.flatMap((belief) => LOG_SCALE_BELIEFS.map((logBelief) => Math.log(belief) + logBelief)));
}

function logShares(beliefs: readonly number[]): readonly number[] {
  const whole = beliefs.reduce((sum, belief) => sum + belief, 0);
  return beliefs.map((belief) => Math.log(belief / whole));
}

function beliefInScale(logScale: number): number {
  const normal = (spread: number) => Math.exp(-0.5 * (logScale / spread) ** 2) / spread;
  return (1 - ODD_SCALES.belief) * normal(SCALE_SPREAD) + ODD_SCALES.belief * normal(ODD_SCALES.spread);
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
