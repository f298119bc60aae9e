// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { KILLS } from './kills.ts';

test.each([
  ['quick', 5],
  ['long', 1000],
] as const)('the %s run kills the service %d times', (size, total) => {
  expect(Object.values(KILLS).reduce((sum, sizes) => sum + sizes[size], 0)).toBe(total);
});
