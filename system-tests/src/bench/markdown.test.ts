// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { fixed, table, times, whole } from './markdown.ts';

test('columns are as wide as their widest cell, and a short row is filled', () => {
  expect(table(['', 'rate'], [['one', '12,345'], ['four']])).toBe(
    ['|      | rate   |', '| ---- | ------ |', '| one  | 12,345 |', '| four |        |'].join('\n'),
  );
});

test('what was not reached is a dash, not a number', () => {
  expect([whole(undefined), fixed(undefined, 2), times(1, undefined), times(undefined, 1)]).toEqual(['-', '-', '-', '-']);
  expect([whole(1234.5), fixed(0.12345, 4), times(3, 2)]).toEqual(['1,235', '0.1235', '1.50 x']);
});
