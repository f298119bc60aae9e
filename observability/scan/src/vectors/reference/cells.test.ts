// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { emptiedShare } from './cells.ts';

test.each<[string, readonly number[], readonly number[], number]>([
  ['nothing where cells have as many as before', [0.5, 0.3, 0.2], [0.5, 0.3, 0.2], 0],
  ['nothing where half of a cell is left', [0.5, 0.3, 0.2], [0.6, 0.3, 0.1], 0],
  ['what two cells had of one topic', [0.98, 0.01, 0.01], [1, 0, 0], 0.02],
  ['what a cell lost of which a tenth is left', [0.8, 0.2], [0.98, 0.02], 0.18],
  ['nothing of a cell of so few points that chance empties it', [0.995, 0.005], [1, 0], 0],
])('%s', (_, before, now, emptied) => {
  expect(emptiedShare(before, now, 1000)).toBeCloseTo(emptied, 9);
});
