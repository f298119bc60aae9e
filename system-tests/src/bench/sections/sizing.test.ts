// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { extrapolated, type Measured, sizing } from './sizing.ts';

const MEGABYTE = 1e6;

function measured(points: number, rate: number, others: Partial<Measured> = {}): Measured {
  const memoryBytes = points * 1000;
  const curve = [
    { ef: 16, recall: 0.9, rate: 2 * rate },
    { ef: 32, recall: 0.96, rate },
  ];
  const form = 'int8';
  return {
    points,
    dimension: 384,
    form,
    memoryBytes,
    diskBytes: points * 2000,
    buildSeconds: points / 1000,
    startUpSeconds: 1,
    curve,
    ...others,
  };
}

test('a size that was not measured takes in proportion, and costs by as much more per decade as between the two largest', () => {
  const all = [measured(1000, 9000), measured(100_000, 2000, { buildSeconds: 150 }), measured(10_000, 4000)];
  const [million, tenMillions, ...others] = extrapolated(all);
  // A point costs half as much again per decade, a search twice as much.
  expect(million).toMatchObject({ points: 1_000_000, memoryBytes: 1000 * MEGABYTE, diskBytes: 2000 * MEGABYTE });
  expect(million?.buildSeconds).toBeCloseTo(150 * 10 * 1.5);
  expect(million?.rate).toBeCloseTo(1000);
  expect(tenMillions?.buildSeconds).toBeCloseTo(150 * 100 * 1.5 ** 2);
  expect(tenMillions?.rate).toBeCloseTo(500);
  expect(others).toEqual([]);
});

test.each([
  ['one size alone was measured', [measured(100_000, 2000)]],
  ['the sizes are of two forms', [measured(10_000, 4000), measured(100_000, 2000, { form: 'binary' })]],
  ['the largest size was measured', [measured(1_000_000, 2000), measured(10_000_000, 1500)]],
])('nothing is extrapolated where %s', (_, all) => {
  expect(extrapolated(all)).toEqual([]);
});

test('a row says where it comes from, and what is not known is left open', () => {
  const never = { curve: [{ ef: 16, recall: 0.5, rate: 7 }] };
  const page = sizing.render({ emptyBytes: undefined, measured: [measured(10_000, 4000), measured(100_000, 2000, never)] });
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| 1'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows).toEqual([
    ['', '10,000', 'x 384', 'int8', '0.01 GB', '0.02 GB', '10', '4,000', '0.9600', '1.0', 'measured', ''],
    ['', '100,000', 'x 384', 'int8', '0.10 GB', '0.20 GB', '100', '-', '-', '1.0', 'measured', ''],
    ['', '1,000,000', 'x 384', 'int8', '1.00 GB', '2.00 GB', '1,000', '-', '-', '-', 'extrapolated', ''],
    ['', '10,000,000', 'x 384', 'int8', '10.00 GB', '20.00 GB', '10,000', '-', '-', '-', 'extrapolated', ''],
  ]);
});
