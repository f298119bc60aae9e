// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { wordsOf, zipfDocuments } from './zipf-documents.ts';

test('a seed gives the same texts, of lengths within bounds, whose words are as frequent as their rank says', () => {
  const documents = zipfDocuments(2000, seededRandom(1));
  expect(zipfDocuments(2000, seededRandom(1))).toEqual(documents);
  const lengths = documents.map(({ length }) => length);
  expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([20, 100]);
  const counts = new Map<string, number>();
  for (const word of documents.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const between = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => counts.get(`w${from + at}`) ?? 0).reduce((a, b) => a + b, 0);
  const expected = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => 1 / (from + at + 102.7)).reduce((a, b) => a + b, 0);
  const ratio = between(0, 100) / between(1000, 1100);
  expect(ratio / (expected(0, 100) / expected(1000, 1100))).toBeCloseTo(1, 0);
});

test('the words of a query are different words of the text', () => {
  const document = ['a', 'b', 'a', 'c'];
  const words = wordsOf(document, 3, seededRandom(1));
  expect([...words].sort()).toEqual(['a', 'b', 'c']);
  expect(wordsOf(['a'], 3, seededRandom(1))).toEqual(['a']);
});
