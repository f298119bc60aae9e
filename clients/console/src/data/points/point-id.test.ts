// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { pointId } from './point-id.ts';

test.each([
  ['7', 7],
  [' 12 ', 12],
  ['18446744073709551615', 18446744073709551615n],
  ['b2f1c0de-0000-4000-8000-00000000000a', 'b2f1c0de-0000-4000-8000-00000000000a'],
  ['-1', '-1'],
])('“%s” is the id %s', (text, expected) => {
  expect(pointId(text)).toBe(expected);
});
