// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { exponential, normal, student } from '../../anomaly-bench/chance.ts';
import { ErrorTails } from './error-tails.ts';

type Random = ReturnType<typeof seededRandom>;

function tailsOf(errors: readonly number[]): ErrorTails {
  const tails = new ErrorTails();
  for (const error of errors) tails.learn(error);
  return tails;
}

function drawn(count: number, draw: (random: Random) => number, seed = 1): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => draw(random));
}

/** Over many memories. */
function meanReach(count: number, draw: (random: Random) => number, side: 'above' | 'below', chance = 0.001): number {
  const reaches = Array.from({ length: 40 }, (_, seed) => tailsOf(drawn(count, draw, seed)).reach(chance)[side]);
  return reaches.reduce((sum, reach) => sum + reach, 0) / reaches.length;
}

test('many normal errors reach about as far as the normal distribution says', () => {
  const reach = meanReach(250, normal, 'above');
  expect(reach).toBeGreaterThan(3.2);
  expect(reach).toBeLessThan(4);
});

test('few errors are trusted less', () => {
  const reaches = [5, 20, 60, 200].map((count) => meanReach(count, normal, 'above'));
  expect(reaches).toEqual(reaches.toSorted((a, b) => b - a));
});

test('heavy errors reach further, and both sides have their own', () => {
  expect(meanReach(100, (random) => student(random, 3), 'above')).toBeGreaterThan(1.3 * meanReach(100, normal, 'above'));
  const skewed = (random: Random) => exponential(random) - 1;
  expect(meanReach(100, skewed, 'above')).toBeGreaterThan(2 * meanReach(100, skewed, 'below'));
});

test('one fault, of whatever size, hardly moves the reach', () => {
  const errors = drawn(60, normal);
  const before = tailsOf(errors).reach(0.001).above;
  for (const fault of [20, 1000, 1e9]) expect(tailsOf([...errors, fault]).reach(0.001).above).toBeLessThan(1.3 * before);
});

test('what is beyond the reach is rarer than the chance on one side, and what is not is not', () => {
  const tails = tailsOf(drawn(60, normal));
  const { above, below } = tails.reach(0.001);
  expect(tails.chanceBeyond(1.01 * above)).toBeLessThan(0.0005);
  expect(tails.chanceBeyond(0.99 * above)).toBeGreaterThan(0.0005);
  expect(tails.chanceBeyond(-1.01 * below)).toBeLessThan(0.0005);
  expect(tails.chanceBeyond(-0.99 * below)).toBeGreaterThan(0.0005);
});

test('a smaller chance never reaches less far, and goes on not as far as an exponential tail', () => {
  const tails = tailsOf(drawn(100, (random) => student(random, 3)));
  const reaches = [0.001, 1e-4, 1e-5, 1e-6].map((chance) => tails.reach(chance).above);
  expect(reaches).toEqual(reaches.toSorted((a, b) => a - b));
  expect((reaches[3] ?? 0) / (reaches[0] ?? 1)).toBeLessThan(1.9);
});

test('errors that nobody has heard of yet say something all the same', () => {
  const { above, below } = new ErrorTails().reach(0.001);
  // Data has long tails above more often than below.
  expect(above).toBeGreaterThan(below);
  expect(below).toBeGreaterThan(3.3);
  for (const error of [0, -0, 1e-300, 1e300]) expect(Number.isFinite(tailsOf([error]).reach(0.001).above)).toBe(true);
});

test('what many series say together widens a reach, and never narrows it', () => {
  const tails = tailsOf(drawn(30, normal));
  const own = tails.reach(1e-5);
  tails.share({ shares: [0.98, 0.01, 0.004, 0.001, 0.001, 0.001, 0.002, 0.001], errors: 3000 });
  expect(tails.reach(1e-5).above).toBeGreaterThanOrEqual(own.above);
  expect(tails.reach(1e-5).below).toBeGreaterThanOrEqual(own.below);
  tails.share({ shares: [0.05, 0.05, 0.8, 0.07, 0.01, 0.005, 0.01, 0.005], errors: 3000 });
  expect(tails.reach(1e-5).above).toBeGreaterThan(1.2 * own.above);
  expect(tails.reach(1e-5).below).toBeGreaterThan(1.2 * own.below);
});
