// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { normal, student } from '../../anomaly-bench/chance.ts';
import type { ShapeEvidence } from '../band.ts';
import { CentralErrors } from './central-errors.ts';
import { sharedShapes } from './shared-shapes.ts';

type Draw = (random: ReturnType<typeof seededRandom>) => number;

/** Of so many series with so many errors each. */
function evidenceOf(draw: Draw, { series, errors = 30 }: { readonly series: number; readonly errors?: number }): readonly ShapeEvidence[] {
  return Array.from({ length: series }, (_, seed) => {
    const random = seededRandom(seed);
    const central = new CentralErrors();
    for (let error = 0; error < errors; error += 1) central.learn(draw(random));
    return central.evidence;
  }).filter((evidence) => evidence !== undefined);
}

function shareOf(shapes: readonly number[], evidence: readonly ShapeEvidence[]): number {
  const { shares = [] } = sharedShapes(evidence) ?? {};
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  return shapes.reduce((sum, shape) => sum + (shares[shape] ?? 0), 0);
}

const NORMAL = [0];
const HEAVY = [1, 2, 3];
const LONG_ABOVE = [4, 6];
const heavy: Draw = (random) => 0.6 * student(random, 3);
/** With mean 0 and deviation 1. */
const skewed: Draw = (random) => (Math.exp(0.5 * normal(random)) - Math.exp(0.125)) / (Math.exp(0.125) * Math.sqrt(Math.expm1(0.25)));

test('a hundred series tell from thirty errors each what one cannot', () => {
  expect(shareOf(NORMAL, evidenceOf(normal, { series: 100 }))).toBeGreaterThan(0.8);
  expect(shareOf(HEAVY, evidenceOf(heavy, { series: 100 }))).toBeGreaterThan(0.6);
  expect(shareOf(LONG_ABOVE, evidenceOf(skewed, { series: 100 }))).toBeGreaterThan(0.5);
});

test('series of two kinds have two shapes', () => {
  const evidence = [...evidenceOf(normal, { series: 50, errors: 120 }), ...evidenceOf(heavy, { series: 50, errors: 120 })];
  const shareOfHeavy = shareOf(HEAVY, evidence);
  expect(shareOfHeavy).toBeGreaterThan(0.25);
  expect(shareOfHeavy).toBeLessThan(0.75);
  expect(shareOf(HEAVY, evidence.toReversed())).toBeCloseTo(shareOfHeavy, 9);
});

test('few series say nothing together, and it is said of how many errors the shares are', () => {
  expect(sharedShapes([])).toBeUndefined();
  expect(sharedShapes(evidenceOf(normal, { series: 4 }))).toBeUndefined();
  const evidence = evidenceOf(normal, { series: 5 });
  expect(sharedShapes(evidence)?.errors).toBe(evidence.reduce((sum, { errors }) => sum + errors, 0));
});
