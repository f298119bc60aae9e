// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { cornersOf, isWithin, middleOf, moved, type Rectangle, sized } from './region.ts';

const seen = { left: -2, right: 2, bottom: -1, top: 1 };
const middle = { left: -1, right: 1, bottom: -0.5, top: 0.5 };

const held = (rectangle: Rectangle) => Object.fromEntries(Object.entries(rectangle).map(([side, at]) => [side, expect.closeTo(at, 9)]));

test('it begins in the middle of what is seen', () => {
  expect(middleOf(seen)).toEqual(held(middle));
  expect(cornersOf(middle)).toEqual([
    [-1, 0.5],
    [1, 0.5],
    [1, -0.5],
    [-1, -0.5],
  ]);
});

test.each([
  [[1, 0], { left: -0.8, right: 1.2, bottom: -0.5, top: 0.5 }],
  [[0, -1], { left: -1, right: 1, bottom: -0.6, top: 0.4 }],
  [[-9, 0], { left: -2, right: 0, bottom: -0.5, top: 0.5 }],
  [[0, 9], { left: -1, right: 1, bottom: 0, top: 1 }],
] as const)('%j steps move it, within what is seen', (steps, expected) => {
  expect(moved(middle, steps, seen)).toEqual(held(expected));
});

test('one that is out of sight is moved into it, not further out', () => {
  const outside = { left: 3, right: 4, bottom: 0, top: 1 };
  expect(moved(outside, [1, 0], seen)).toEqual(held(outside));
  expect(moved(outside, [-1, 0], seen)).toEqual(held({ ...outside, left: 2.8, right: 3.8 }));
});

test.each([
  [[1, 0], { right: 1.2, bottom: -0.5 }],
  [[0, -1], { right: 1, bottom: -0.6 }],
  [[-20, 20], { right: -0.8, bottom: 0.4 }],
  [[20, -20], { right: 2, bottom: -1 }],
] as const)('%j steps size it by its lower right corner; it neither closes nor leaves what is seen', (steps, expected) => {
  expect(sized(middle, steps, seen)).toEqual(held({ ...middle, ...expected }));
});

test.each([
  [[0.5, 0.5], true],
  [[1.5, 0.5], true],
  [[1.5, 1.5], false],
  [[-0.1, 0.5], false],
] as const)('%j within an L: %s', (point, expected) => {
  const corners = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ] as const;
  expect(isWithin(corners, point)).toBe(expected);
  expect(isWithin(corners.toReversed(), point)).toBe(expected);
});
