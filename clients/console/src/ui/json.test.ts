// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { jsonProblem } from './json.ts';

test.each([
  ['{\n  "city": "Rome",\n  "size" 3\n}', 3, 10],
  ['{\n  "city": "Rome",\n}', 3, 1],
  ['{\n  "city": "Rome"', 2, 17],
  ['{"a": 1,, "b": 2}', 1, 9],
  ['', 1, 1],
])('%j is wrong in line %i, column %i', (text, line, column) => {
  expect(jsonProblem(text)).toMatchObject({ line, column });
});

test('JSON is not wrong, with integers of any size', () => {
  expect(jsonProblem('{"id": 18446744073709551615}')).toBeUndefined();
});
