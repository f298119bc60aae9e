// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { alignedScores } from './figures.ts';

test.each([
  [
    [1, 0.98765, 0.5],
    ['1.00000', '0.98765', '0.50000'],
  ],
  [
    [12, 3],
    ['12', '3'],
  ],
  [
    [0.000012345, 7],
    ['0.00001235', '7.00000000'],
  ],
  [[], []],
])('the decimals of %j stand below each other', (scores, texts) => {
  expect(alignedScores(scores)).toEqual(texts);
});
