// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { compareControls, LORD, shareOfPromise, type Tested } from './online-control.ts';

const nulls = (count: number, seed = 1): Tested[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => ({ chance: random.next(), isFault: false }));
};
const alarms = (judged: readonly boolean[]) => judged.filter(Boolean).length;

test('LORD++ makes a false discovery in a twentieth of all runs at most', () => {
  const runs = Array.from({ length: 200 }, (_, seed) => alarms(LORD.judge(nulls(500, seed))));
  expect(runs.filter((count) => count > 0).length).toBeLessThan(0.05 * 200);
});

test('LORD++ asks for ever less likely values, and for less after a discovery', () => {
  const tests = nulls(1000);
  const late: Tested = { chance: 1e-5, isFault: true };
  const after = (earlier: readonly Tested[]) => LORD.judge([...earlier, late]).at(-1);
  expect(after(tests.slice(0, 5))).toBe(true);
  expect(after(tests)).toBe(false);
  expect(after([...tests.slice(0, 995), { chance: 1e-12, isFault: true }])).toBe(true);
});

test('a share of the promise is the same at each scan', () => {
  const tested = [1e-6, 2e-5, 0.5].map((chance) => ({ chance, isFault: false }));
  expect(shareOfPromise(100).judge([...tested, ...tested])).toEqual([true, false, false, true, false, false]);
});

test('both are counted on the same values', () => {
  const figures = compareControls([shareOfPromise(3), LORD], { series: 3, scans: 50, faults: 1, deviations: 30 });
  expect(figures.map(({ faults, found }) => [faults, found])).toEqual([
    [3, 3],
    [3, 3],
  ]);
});
