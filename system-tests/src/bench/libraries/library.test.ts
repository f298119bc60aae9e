// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { openKernel } from './kernel.ts';
import { KERNEL } from './library.ts';

test.each([1, 2])('the kernel built with %d threads finds every point as its own nearest', async (threads) => {
  const [count, dimension] = [600, 8];
  const random = seededRandom(9);
  const values = Float32Array.from({ length: count * dimension }, () => random.next());
  const library = openKernel(KERNEL, { points: { path: '', dimension, count }, metric: 'Euclid', efConstruct: 64, threads });
  library.add(0, values.subarray(0, 400 * dimension));
  library.add(400, values.subarray(400 * dimension));
  await library.finish();
  library.widen(64);
  const found = Array.from({ length: count }, (_, row) => library.search(values.slice(row * dimension, (row + 1) * dimension)));
  expect(found.every((ids) => ids.length === 10)).toBe(true);
  expect(found.filter(([nearest], row) => nearest === row).length).toBeGreaterThan(0.99 * count);
});
