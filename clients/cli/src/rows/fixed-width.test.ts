// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { npyFile, vecsFile } from '../testing/binary-files.ts';
import { rowsOf } from '../testing/rows-of.ts';
import { type FixedWidthFormat, openFixedWidth } from './fixed-width.ts';

async function read(format: FixedWidthFormat, bytes: Uint8Array, from = 0) {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'file');
  await writeFile(path, bytes);
  await using source = await openFixedWidth(path, format);
  return { rowCount: source.rowCount, rows: await rowsOf(source, from) };
}

const float32 = (...values: number[]) => new Uint8Array(Float32Array.of(...values).buffer);

test.each([
  [
    '<f4',
    float32(1, 2.5, -3, 4),
    [
      [1, 2.5],
      [-3, 4],
    ],
  ],
  [
    '<f8',
    new Uint8Array(Float64Array.of(0.1, 1e300, 3, 4).buffer),
    [
      [0.1, 1e300],
      [3, 4],
    ],
  ],
  [
    '<f2',
    new Uint8Array(Float16Array.of(1, 0.5, -2, 4).buffer),
    [
      [1, 0.5],
      [-2, 4],
    ],
  ],
  [
    '|u1',
    Uint8Array.of(0, 255, 1, 2),
    [
      [0, 255],
      [1, 2],
    ],
  ],
  [
    '|i1',
    Uint8Array.of(255, 1, 2, 3),
    [
      [-1, 1],
      [2, 3],
    ],
  ],
  [
    '>u2',
    Uint8Array.of(1, 0, 0, 1, 0, 2, 0, 3),
    [
      [256, 1],
      [2, 3],
    ],
  ],
  [
    '<i8',
    new Uint8Array(BigInt64Array.of(-1n, 2n, 3n, 2n ** 60n).buffer),
    [
      [-1, 2],
      [3, 2n ** 60n],
    ],
  ],
  [
    '|b1',
    Uint8Array.of(0, 1, 1, 0),
    [
      [false, true],
      [true, false],
    ],
  ],
])('.npy of type %s has its numbers', async (descr, data, vectors) => {
  expect(await read('npy', npyFile({ descr, shape: [2, 2], data }))).toEqual({ rowCount: 2, rows: vectors.map((vector) => ({ vector })) });
});

test('an array of one dimension has values, one of three is flattened, and version 2 is read', async () => {
  expect((await read('npy', npyFile({ descr: '|u1', shape: [3], data: Uint8Array.of(7, 8, 9) }))).rows).toEqual([
    { value: 7 },
    { value: 8 },
    { value: 9 },
  ]);
  const cube = npyFile({ descr: '|u1', shape: [1, 2, 2], data: Uint8Array.of(1, 2, 3, 4), version: 2 });
  expect((await read('npy', cube)).rows).toEqual([{ vector: [1, 2, 3, 4] }]);
});

test('reading begins at any row', async () => {
  const file = npyFile({ descr: '|u1', shape: [3, 1], data: Uint8Array.of(7, 8, 9) });
  expect((await read('npy', file, 2)).rows).toEqual([{ vector: [9] }]);
  expect((await read('npy', file, 3)).rows).toEqual([]);
});

test.each([
  [
    'fvecs',
    vecsFile(2, 'float32', [1, 2, 3, 4]),
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    'ivecs',
    vecsFile(2, 'int32', [1, -2, 3, 4]),
    [
      [1, -2],
      [3, 4],
    ],
  ],
  [
    'bvecs',
    vecsFile(2, 'uint8', [1, 2, 3, 255]),
    [
      [1, 2],
      [3, 255],
    ],
  ],
] as const)('.%s', async (format, bytes, vectors) => {
  expect((await read(format, bytes)).rows).toEqual(vectors.map((vector) => ({ vector })));
});

test('a row of another dimension is reported, not read', async () => {
  const bytes = vecsFile(2, 'float32', [1, 2, 3, 4]);
  bytes[12] = 3;
  expect((await read('fvecs', bytes)).rows[1]).toBe('has 3 components, but the first row has 2');
});

test('IDX as MNIST has it', async () => {
  const images = Uint8Array.of(0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 9, 8, 7, 6);
  expect((await read('idx', images)).rows).toEqual([{ vector: [9, 8] }, { vector: [7, 6] }]);
  const labels = Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 5, 0);
  expect((await read('idx', labels)).rows).toEqual([{ value: 5 }, { value: 0 }]);
});

const good = npyFile({ descr: '<f4', shape: [2, 2], data: float32(1, 2, 3, 4) });

test.each<[string, FixedWidthFormat, Uint8Array, string]>([
  ['another file', 'npy', Uint8Array.from({ length: 64 }, () => 65), 'does not begin with the header of the format'],
  ['an empty file', 'npy', new Uint8Array(), 'ends at byte 0'],
  ['a cut file', 'npy', good.subarray(0, -1), 'ends early: its header announces 2 rows'],
  ['Python objects', 'npy', npyFile({ descr: '|O', shape: [2], data: new Uint8Array(16) }), 'does not hold plain numbers'],
  ['Fortran order', 'npy', npyFile({ descr: '<f4', shape: [2, 2], data: float32(1, 2, 3, 4), fortran: true }), 'ascontiguousarray'],
  ['no dimension', 'npy', npyFile({ descr: '<f4', shape: [], data: float32(1) }), 'a single number'],
  ['empty rows', 'npy', npyFile({ descr: '<f4', shape: [3, 0], data: new Uint8Array() }), 'rows are empty'],
  ['a shape beyond all files', 'npy', npyFile({ descr: '<f4', shape: [2 ** 40, 2 ** 40], data: float32(1) }), 'its shape is'],
  [
    'a head beyond all heads',
    'npy',
    npyFile({ descr: '<f4', shape: [1], data: float32(1), version: 2, headLength: 1e9 }),
    'invalid length of 1000000000 bytes',
  ],
  ['a dimension below zero', 'fvecs', Uint8Array.of(255, 255, 255, 255), 'says that it has -1 components'],
  ['half a row', 'fvecs', vecsFile(2, 'float32', [1, 2]).subarray(0, 9), 'not a multiple of a row'],
  ['a type that IDX has not', 'idx', Uint8Array.of(0, 0, 7, 1, 0, 0, 0, 1, 5), 'does not begin with the header of the format'],
  ['IDX that promises more', 'idx', Uint8Array.of(0, 0, 8, 1, 0, 0, 1, 0, 5), 'ends early'],
])('%s is refused', async (_, format, bytes, sentence) => {
  await expect(read(format, bytes)).rejects.toThrow(sentence);
});
