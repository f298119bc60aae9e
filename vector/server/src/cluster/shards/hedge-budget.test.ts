// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { HedgeBudget } from './hedge-budget.ts';

test('a node has a budget of its own, which the questions that it is asked first fill again', () => {
  const budget = new HedgeBudget();
  const spent = (node: string) => Array.from({ length: 20 }, () => budget.spend(node)).filter(Boolean).length;
  expect(spent('a')).toBe(10);
  for (let question = 0; question < 110; question += 1) budget.earn('a');
  expect([spent('a'), spent('b')]).toEqual([5, 10]);
  for (let question = 0; question < 1000; question += 1) budget.earn('b');
  expect(spent('b')).toBe(10);
});
