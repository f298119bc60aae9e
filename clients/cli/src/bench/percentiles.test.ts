// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { percentile } from './percentiles.ts';

test('percentiles by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect([0.5, 0.9, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 90, 99, 100]);
  expect([0, 0.5, 1].map((share) => percentile([7], share))).toEqual([7, 7, 7]);
  expect(() => percentile([], 0.5)).toThrow('no values');
});
