// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { normal } from '../../anomaly-bench/chance.ts';
import { ErrorSize } from './error-size.ts';

const TYPICAL = 9000;
const LEAST = 20;

/** Weeks of one large day and six small ones, with errors of so many deviations. */
function taught(weeks: number, typical: number | undefined, deviationAt: (expected: number) => number) {
  const random = seededRandom(1);
  const size = new ErrorSize();
  for (let day = 0; day < 7 * weeks; day += 1) {
    const expected = day % 7 === 0 ? 50_000 : 2000;
    size.lookAt(expected, typical);
    size.learn(Math.abs(deviationAt(expected) * normal(random)), LEAST);
  }
  return (expected: number) => {
    size.lookAt(expected, typical);
    return size.deviation;
  };
}

test('errors that are a share of what is expected are detected from a few of them', () => {
  const deviationAt = taught(5, TYPICAL, (expected) => 0.03 * expected);
  expect(deviationAt(2000) / 60).toBeCloseTo(1, 0);
  expect(deviationAt(50_000) / 1500).toBeCloseTo(1, 0);
  expect(deviationAt(50_000)).toBeGreaterThan(1100);
});

test('errors that are larger only where more than usual is expected are detected as well', () => {
  const deviationAt = taught(5, TYPICAL, (expected) => 100 * Math.max(1, expected / TYPICAL));
  expect(deviationAt(2000)).toBeGreaterThan(70);
  expect(deviationAt(50_000)).toBeLessThan(900);
});

test('what is no amount has errors of one size', () => {
  const deviationAt = taught(5, undefined, () => 100);
  expect(deviationAt(2000)).toBe(deviationAt(50_000));
  expect(deviationAt(2000)).toBeGreaterThan(70);
  expect(deviationAt(2000)).toBeLessThan(140);
});

test('errors of small counts are no shares', () => {
  const deviationOf = (isCount: boolean) => {
    const size = new ErrorSize();
    for (let day = 0; day < 60; day += 1) {
      const expected = day % 2 === 0 ? 2 : 20;
      size.lookAt(expected, 11, { isCount });
      size.learn(0.1 * expected, 0.01);
    }
    size.lookAt(2, 11, { isCount });
    return size.deviation;
  };
  expect(deviationOf(true)).toBeGreaterThan(0.7);
  expect(deviationOf(false)).toBeLessThan(0.5);
});

test('next to nothing is expected with the error of a tenth of the usual', () => {
  const deviationAt = taught(20, TYPICAL, (expected) => 0.03 * expected);
  expect(deviationAt(0)).toBeCloseTo(deviationAt(0.1 * TYPICAL), 0);
  expect(deviationAt(0)).toBeGreaterThan(0);
});

test('numbers beyond all measure leave it finite', () => {
  const size = new ErrorSize();
  for (const expected of [1e308, 1, 0, 1e308, 1e-300, 5]) {
    size.lookAt(expected, 1e154);
    size.learn(1e308, 1e-6);
  }
  size.lookAt(5, 1e154);
  expect(size.deviation).not.toBeNaN();
});
