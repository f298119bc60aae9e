// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { readMnist, TEST_COUNT } from './mnist.ts';

test('the first training digit is the well-known 5, and its ink is in the middle', async () => {
  const images = await readMnist('train', 3);
  expect([...images.labels]).toEqual([5, 0, 4]);
  expect(images.dimension).toBe(784);
  const ink = Array.from(images.pixels.subarray(0, 784));
  expect(ink.slice(0, 28).every((pixel) => pixel === 0)).toBe(true);
  expect(Math.max(...ink)).toBe(255);
});

test('the test part is whole', async () => {
  const images = await readMnist('t10k', TEST_COUNT);
  // 980 zeros, 1,135 ones and so on: the published distribution of the labels.
  const counts = Array.from({ length: 10 }, () => 0);
  for (const label of images.labels) counts[label] = (counts[label] ?? 0) + 1;
  expect(counts).toEqual([980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]);
});

test('more images than there are is an error', async () => {
  await expect(readMnist('t10k', TEST_COUNT + 1)).rejects.toThrow('holds 10000 images');
});
