// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { memory } from './memory.ts';

test('a row says of each form what it takes, and that codes which do not serve were given up', () => {
  const form = {
    kind: 'binary',
    vectors: 'released',
    datatype: 'float32',
    codes: 'in use',
    comparedBytes: 28,
    bytesPerVector: 240.4,
    recall: 0.9876,
  } as const;
  const page = memory.render({
    rounds: 3,
    sets: [
      {
        set: 'GloVe-100',
        points: 20_000,
        dimension: 100,
        forms: [
          { ...form, p50Microseconds: 71.6 },
          { ...form, vectors: 'kept', codes: 'given up', comparedBytes: 400, p50Microseconds: 50 },
          { ...form, kind: 'as chosen', vectors: 'kept', datatype: 'uint8', p50Microseconds: 60 },
        ],
      },
    ],
  });
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| GloVe-100'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows).toEqual([
    ['', 'GloVe-100, 20,000 x 100', 'binary', 'on disk', '28', '240', '0.9876', '72', ''],
    ['', 'GloVe-100, 20,000 x 100', 'binary, given up', 'in memory', '400', '240', '0.9876', '50', ''],
    ['', 'GloVe-100, 20,000 x 100', 'as chosen', 'in memory, uint8', '28', '240', '0.9876', '60', ''],
  ]);
});
