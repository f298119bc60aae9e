// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { BodyBudget } from './body-budget.ts';

const MEGABYTE = 1024 * 1024;

test('threads share one budget', () => {
  const shared = BodyBudget.allocate();
  const [one, other] = [new BodyBudget(shared, 3 * MEGABYTE), new BodyBudget(shared, 3 * MEGABYTE)];
  const release = one.take(2 * MEGABYTE);
  expect(() => other.take(2 * MEGABYTE)).toThrow('Try again in 1 s');
  release();
  other.take(2 * MEGABYTE)();
  expect(one.bytesHeld).toBe(0);
});

test('a refused body holds nothing', () => {
  const budget = new BodyBudget(BodyBudget.allocate(), 3 * MEGABYTE);
  budget.take(2 * MEGABYTE);
  expect(() => budget.take(2 * MEGABYTE)).toThrow();
  expect(budget.bytesHeld).toBe(2 * MEGABYTE);
});

test('small bodies are never refused', () => {
  const budget = new BodyBudget(BodyBudget.allocate(), MEGABYTE);
  budget.take(MEGABYTE);
  budget.take(1000)();
  expect(budget.bytesHeld).toBe(MEGABYTE);
});

test('one body alone is let in whatever the budget', () => {
  new BodyBudget(BodyBudget.allocate(), MEGABYTE).take(5 * MEGABYTE)();
});
