// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { unknownName } from './spelling.ts';

const MANY = Array.from({ length: 12 }, (_, index) => `attribute${index}`);

test.each([
  ['one near', 'contry', ['country', 'city'], 'contry is not an attribute; did you mean country?'],
  ['none', 'price', [], 'price is not an attribute'],
  ['a single one', 'price', ['country'], 'price is not an attribute; expected country'],
  ['some', 'price', ['country', 'city'], 'price is not an attribute; expected one of country, city'],
  ['more than a sentence lists', 'price', MANY, `price is not an attribute; expected one of ${MANY.slice(0, 10).join(', ')}, and 2 more`],
])('an unknown name among %s', (_, name, known, sentence) => {
  expect(unknownName('attribute', name, known)).toBe(sentence);
});
