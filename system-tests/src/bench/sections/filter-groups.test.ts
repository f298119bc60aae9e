// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { makeGroups, SHARES } from './filter-groups.ts';

const COUNT = 2000;

test('a correlated filter passes what is near the queries that ask, an anti-correlated one what is far away', async () => {
  await using directory = await temporaryDirectory();
  const random = seededRandom(3);
  // On a line, so that near and far can be read off.
  const values = Float32Array.from({ length: COUNT }, () => random.next());
  const path = join(directory.path, 'vectors');
  await writeFile(path, values);
  const points = { path, count: COUNT, dimension: 1 };
  const queries = { path, count: 200, dimension: 1 };
  const groups = await makeGroups(
    { name: 'GloVe-100', title: '', metric: 'Euclid', isOfBytes: false, points, queries },
    { path, count: 600, dimension: 1 },
    random,
  );

  expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
  for (const { surroundings, field, share, rows, queries: asking, former } of groups) {
    const isIn = (row: number) => ((rows[row >> 5] ?? 0) & (1 << (row & 31))) !== 0;
    const passing = Array.from({ length: COUNT }, (_, row) => row).filter(isIn);
    expect(SHARES).toContain(share);
    expect(passing.length / COUNT).toBeCloseTo(share, 1);
    const isRandom = surroundings.startsWith('random');
    expect(asking.length).toBe(isRandom ? 200 : 25);
    expect(field).toBe(surroundings === 'random, no index' ? 'open' : 'groups');
    if (isRandom) continue;
    expect(former.length).toBe(50);
    expect(former.every((query) => query >= 200 && query < 600)).toBe(true);
    const middle = asking.reduce((sum, query) => sum + (values[query] ?? 0), 0) / asking.length;
    const distanceOf = (row: number) => Math.abs((values[row] ?? 0) - middle);
    const mean = (rowsToMean: readonly number[]) => rowsToMean.reduce((sum, row) => sum + distanceOf(row), 0) / rowsToMean.length;
    const others = Array.from({ length: COUNT }, (_, row) => row).filter((row) => !isIn(row));
    expect(mean(passing) < mean(others)).toBe(surroundings === 'correlated');
  }
});
