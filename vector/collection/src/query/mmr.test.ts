// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { chooseDiverse } from './mmr.ts';
import { similarityOf } from './similarity.ts';

const query = [1, 0];
/** Two that are alike, near the query, and one apart. */
const candidates = [
  [1, 0.1],
  [0.99, 0.1],
  [0.6, -0.8],
];
const similarity = similarityOf('dot');

test('without diversity the order is that of relevance', () => {
  expect(chooseDiverse(query, candidates, { similarity, diversity: 0, limit: 3 })).toEqual([0, 1, 2]);
});

test('with diversity, one that is like a chosen one waits', () => {
  // After [1, 0.1]: 0.5 * 0.99 - 0.5 * (0.99 + 0.01) = -0.005 against 0.5 * 0.6 - 0.5 * (0.6 - 0.08) = 0.04.
  expect(chooseDiverse(query, candidates, { similarity, diversity: 0.5, limit: 2 })).toEqual([0, 2]);
});

test('where similarity depends on which of two asks, it is the one that is not chosen yet', () => {
  const one = [3, 0];
  const other = [2, 0];
  const far = [1, 0];
  const asked: string[] = [];
  const oneSided = (a: Parameters<typeof similarity>[0], b: Parameters<typeof similarity>[1]) => {
    asked.push(JSON.stringify([a, b]));
    return similarity(a, b);
  };
  chooseDiverse([4, 0], [one, other, far], { similarity: oneSided, diversity: 0.5, limit: 2 });
  expect(asked).toContain(JSON.stringify([other, one]));
  expect(asked).toContain(JSON.stringify([far, one]));
  expect(asked).not.toContain(JSON.stringify([one, other]));
});

test('chooses no more than there are', () => {
  expect(chooseDiverse(query, [], { similarity, diversity: 0.5, limit: 2 })).toEqual([]);
  expect(chooseDiverse(query, candidates, { similarity, diversity: 1, limit: 9 })).toHaveLength(3);
});
