// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import type { DataSet } from './data-set.ts';
import { exactSearch } from './truth.ts';

const COUNT = 200;
const DIMENSION = 5;

async function randomSet(directory: string, metric: DataSet['metric']): Promise<{ set: DataSet; values: Float32Array }> {
  const random = seededRandom(4);
  const values = Float32Array.from({ length: COUNT * DIMENSION }, () => random.next() - 0.5);
  // Rows 20 and 21 are the same point.
  values.copyWithin(21 * DIMENSION, 20 * DIMENSION, 21 * DIMENSION);
  const path = join(directory, 'vectors');
  await writeFile(path, values);
  const file = { path, count: COUNT, dimension: DIMENSION };
  return { set: { name: 'GloVe-100', title: '', metric, isOfBytes: false, points: file, queries: file }, values };
}

test.each(['Euclid', 'Cosine'] as const)('of %s the exact answers are those of a plain loop', async (metric) => {
  await using directory = await temporaryDirectory();
  const { set, values } = await randomSet(directory.path, metric);
  const search = await exactSearch(set);
  const distance = (a: number, b: number) => {
    let sum = 0;
    for (let column = 0; column < DIMENSION; column++) {
      const [x = 0, y = 0] = [values[a * DIMENSION + column], values[b * DIMENSION + column]];
      sum += metric === 'Euclid' ? (x - y) ** 2 : -x * y;
    }
    return sum;
  };
  const nearestTen = (rows: readonly number[]) => rows.slice(0, 10).toSorted((a, b) => a - b);
  const even = new Uint32Array(Math.ceil(COUNT / 32)).fill(0x55555555);
  for (const query of [0, 20, 77, 199]) {
    const sorted = Array.from({ length: COUNT }, (_, row) => row).toSorted((a, b) => distance(query, a) - distance(query, b) || a - b);
    const vector = values.subarray(query * DIMENSION, (query + 1) * DIMENSION);
    expect(nearestTen(search(vector))).toEqual(nearestTen(sorted));
    const evenRows = sorted.filter((row) => row % 2 === 0);
    expect(nearestTen(search(vector, even))).toEqual(nearestTen(evenRows));
  }
});

test('a point that lies as far away as the last one is an answer too', async () => {
  await using directory = await temporaryDirectory();
  const { set } = await randomSet(directory.path, 'Euclid');
  const values = new Float32Array(COUNT * DIMENSION);
  await writeFile(set.points.path, values);
  expect((await exactSearch(set))(new Float32Array(DIMENSION))).toHaveLength(20);
});
