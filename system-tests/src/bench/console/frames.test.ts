// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { framesOf, middleOf } from './frames.ts';

test('a frame that comes three times as late as it should has dropped two', () => {
  const frames = framesOf([0, 16.7, 33.3, 83.3, 100], [12, 55]);
  expect(frames).toMatchObject({ frames: 4, longestTaskMs: 55 });
  expect(frames.medianMs).toBeCloseTo(16.7, 1);
  expect(frames.p95Ms).toBeCloseTo(50, 1);
  expect(frames.droppedShare).toBeCloseTo(2 / 6, 5);
});

test('a page that was never drawn has no frame', () => {
  expect(framesOf([5], [])).toMatchObject({ frames: 0, droppedShare: 0, longestTaskMs: 0 });
});

test('of several rounds the middle of each figure counts', () => {
  const round = (p95Ms: number, longestTaskMs: number) => ({ frames: 100, medianMs: 16.7, p95Ms, droppedShare: 0, longestTaskMs });
  expect(middleOf([round(17, 90), round(80, 0), round(18, 60)])).toMatchObject({ p95Ms: 18, longestTaskMs: 60 });
});
