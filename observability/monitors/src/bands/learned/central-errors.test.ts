// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { normal, student } from '../../anomaly-bench/chance.ts';
import { CentralErrors } from './central-errors.ts';
import { KeptNumbers } from './kept-numbers.ts';

type Random = ReturnType<typeof seededRandom>;

function taught(errors: readonly number[]): CentralErrors {
  const central = new CentralErrors();
  for (const error of errors) central.learn(error);
  return central;
}

function drawn(count: number, draw: (random: Random) => number): number[] {
  const random = seededRandom(1);
  return Array.from({ length: count }, () => draw(random));
}

/** How much likelier errors are of Student's t with four degrees of freedom than of the normal distribution. */
function heaviness(central: CentralErrors): number {
  const { logLikelihoods: [likeNormal = 0, , likeHeavy = 0] = [] } = central.evidence ?? {};
  return likeHeavy - likeNormal;
}

test('few errors, and those of a series that stands still, say nothing of their shape', () => {
  expect(taught(drawn(4, normal)).evidence).toBeUndefined();
  expect(taught(Array.from({ length: 100 }, () => 0)).evidence).toBeUndefined();
  expect(taught(drawn(100, normal)).evidence?.errors).toBeGreaterThan(90);
});

test('the middle of errors tells heavy tails from normal ones', () => {
  expect(heaviness(taught(drawn(200, normal)))).toBeLessThan(0);
  expect(heaviness(taught(drawn(200, (random) => 0.71 * student(random, 4))))).toBeGreaterThan(0);
});

test('an error beyond the middle, as faults are, changes nothing', () => {
  const errors = drawn(50, normal).filter((error) => Math.abs(error) < 3);
  expect(taught([...errors, 3.1, -4, 8, 1000]).evidence).toEqual(taught(errors).evidence);
});

test('it is kept in bytes, however many errors there were', () => {
  const central = taught(drawn(5000, normal));
  const bytes = new Uint8Array(64);
  central.keep(new KeptNumbers(bytes, { from: 0, isReading: false }));
  const read = new CentralErrors();
  read.keep(new KeptNumbers(bytes, { from: 0, isReading: true }));
  expect(read.evidence).toEqual(central.evidence);
  expect(central.evidence?.errors).toBeGreaterThan(400);
  expect(Math.max(...bytes)).toBeLessThan(250);
});
