// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { Streak } from './streak.ts';

/** Of so small errors of both signs that nothing is under way. */
function calm(count: number): Streak {
  const streak = new Streak();
  for (let index = 0; index < count; index += 1) streak.learn(index % 2 === 0 ? 0.7 : -0.7);
  return streak;
}

test('nothing is said of calm errors, nor of the first ones', () => {
  expect(calm(30).reach(0.001)).toEqual({ above: Number.POSITIVE_INFINITY, below: Number.POSITIVE_INFINITY });
  const young = new Streak();
  for (let index = 0; index < 6; index += 1) young.learn(3);
  expect(young.reach(0.001).above).toBe(Number.POSITIVE_INFINITY);
});

test('after one error that is off, a second may be off less', () => {
  const streak = calm(30);
  streak.learn(50);
  const { above, below } = streak.reach(0.001);
  expect(above).toBeGreaterThan(2);
  expect(above).toBeLessThan(3);
  expect(below).toBe(Number.POSITIVE_INFINITY);
});

test('several that are off a little on one side leave little room on that side', () => {
  const streak = calm(30);
  for (let index = 0; index < 5; index += 1) streak.learn(-1.6);
  expect(streak.reach(0.001).below).toBeLessThan(2);
});

test('errors that are like their neighbours must be off more', () => {
  const alike = new Streak();
  for (let index = 0; index < 40; index += 1) alike.learn(index % 12 < 6 ? 0.7 : -0.7);
  const streak = calm(40);
  for (const each of [alike, streak]) for (let index = 0; index < 3; index += 1) each.learn(2.4);
  expect(alike.reach(0.001).above).toBeGreaterThan(streak.reach(0.001).above);
});

test('a new level is no streak', () => {
  const streak = calm(30);
  for (let index = 0; index < 4; index += 1) streak.learn(3);
  streak.restart();
  expect(streak.reach(0.001).above).toBe(Number.POSITIVE_INFINITY);
});

test('where errors reach further above, several of them above must be off more, and of those below nothing changes', () => {
  const skewed = new Streak();
  for (let index = 0; index < 60; index += 1) skewed.learn(index % 6 === 0 ? 2.2 : -0.44);
  const calmed = calm(60);
  for (const each of [skewed, calmed]) {
    each.restart();
    each.learn(2.8);
  }
  expect(skewed.reach(0.001).above).toBeGreaterThan(calmed.reach(0.001).above);
  for (const each of [skewed, calmed]) {
    each.restart();
    each.learn(-2.8);
  }
  expect(skewed.reach(0.001).below).toBeLessThanOrEqual(calmed.reach(0.001).below);
});
