// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { vectorLengths } from './vector-lengths.ts';

const sparse = (length: number) => ({ indices: Array.from({ length }, (_, index) => index), values: Array(length).fill(1) });
const multi = (length: number) => Array.from({ length }, () => Float32Array.of(1, 2));

test.each([
  ['a dense vector', [[1, 2], Float32Array.of(1, 2)], false, []],
  ['a multivector', [multi(3)], false, [['multi', '', 3]]],
  [
    'named ones of each kind',
    [{ a: [1], b: multi(2), c: sparse(4) }],
    false,
    [
      ['multi', 'b', 2],
      ['sparse', 'c', 4],
    ],
  ],
  ['a sparse one without a name', [sparse(2)], false, [['sparse', '', 2]]],
  ['nothing', [{}, undefined], false, []],
  [
    'a column of multivectors',
    [[multi(1), multi(5)]],
    true,
    [
      ['multi', '', 1],
      ['multi', '', 5],
    ],
  ],
  [
    'columns by name',
    [{ a: [[1], [2]], s: [sparse(3), sparse(1)] }],
    true,
    [
      ['sparse', 's', 3],
      ['sparse', 's', 1],
    ],
  ],
] as const)('of %s', (_name, values, inColumns, expected) => {
  const lengths = [...vectorLengths(values, { inColumns })];
  expect(lengths.map(({ kind, name, length }) => [kind, name, length])).toEqual(expected);
});
