// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SqlEngine } from '../expressions/sql-engines.conformance.ts';
import { fixedPointOf, type Moments, momentsOf, squareOfUnits, unitsFromPivot } from './fixed-point.ts';

/** With the rows in the order in which they are given. */
async function measured({ dialect, query }: SqlEngine, values: readonly number[]): Promise<Moments> {
  const fixed = fixedPointOf(rangeOf(values)) ?? expect.fail();
  const constants = { pivot: dialect.number(fixed.pivot), anchor: dialect.number(fixed.anchor), scale: dialect.number(fixed.scale) };
  const rows = values.map((value) => `(${dialect.number(value)})`).join(', ');
  const [row = []] = await query(
    `SELECT ${dialect.castText(dialect.sumOfIntegers(dialect.wholeNumber('u')))}, ` +
      `${dialect.castText(dialect.sumOfIntegers(dialect.wholeNumber(squareOfUnits('u', dialect))))} ` +
      `FROM (SELECT ${unitsFromPivot('x', constants)} AS u FROM (VALUES ${rows}) AS v(x)) AS t`,
  );
  return momentsOf(fixed, { units: BigInt(String(row[0])), squares: BigInt(String(row[1])), count: values.length });
}

export function rangeOf(values: readonly number[]) {
  const roughMean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { count: values.length, min: Math.min(...values), max: Math.max(...values), roughMean };
}

/** By the two passes of the textbook, each sum of which is exact in whole numbers of a unit far below the digits of the values. */
function exactly(values: readonly number[], unit: number): Moments {
  const whole = values.map((value) => BigInt(value / unit));
  const n = BigInt(whole.length);
  const sum = whole.reduce((total, value) => total + value, 0n);
  const squares = whole.reduce((total, value) => total + (n * value - sum) ** 2n, 0n);
  return {
    mean: (Number(sum) / whole.length) * unit,
    deviation: Math.sqrt(Number(squares) / whole.length ** 2 / (whole.length - 1)) * unit,
  };
}

/** Numbers of any size with a few digits, so that sums of whole numbers are the truth. */
const values = fc
  .tuple(
    fc.integer({ min: -400, max: 400 }),
    fc.integer({ min: -(2 ** 45), max: 2 ** 45 }),
    fc.array(fc.integer({ min: -(2 ** 30), max: 2 ** 30 }), { minLength: 2, maxLength: 40 }),
  )
  .map(([exponent, offset, numbers]) => ({ unit: 2 ** exponent, values: numbers.map((number) => (offset + number) * 2 ** exponent) }));

/** The moments are those of the other engines to the last digit. */
export function fixedPointSuite(engine: SqlEngine, others: readonly SqlEngine[] = []): void {
  describe('moments', () => {
    test('large numbers near each other keep the digits of their deviation', async () => {
      // Times of a day in milliseconds, as a column of timestamps has them: an engine's own deviation is off in the eighth digit.
      const values = Array.from({ length: 1000 }, (_, row) => Date.UTC(2024, 0, 1) + ((row * 7919) % 122_101) + ((row * 31) % 8) / 8);
      const { deviation } = exactly(values, 1 / 8);
      const found = await measured(engine, values);
      expect(Math.abs((found.deviation ?? 0) / (deviation ?? 0) - 1)).toBeLessThan(1e-14);
    });

    test('mean and deviation are the same on every engine and in any order, and right', async () => {
      await fc.assert(
        fc.asyncProperty(values, async ({ unit, values }) => {
          const first = await measured(engine, values);
          expect(await measured(engine, values.toReversed())).toEqual(first);
          for (const other of others) {
            expect(await measured(other, values)).toEqual(first);
            expect(await measured(other, values.toReversed())).toEqual(first);
          }
          const { mean, deviation } = exactly(values, unit);
          const reach = Math.max(...values) - Math.min(...values);
          expect(Math.abs(first.mean - mean)).toBeLessThanOrEqual(1e-15 * Math.abs(mean) + 1e-15 * reach);
          expect(Math.abs((first.deviation ?? 0) - (deviation ?? 0))).toBeLessThanOrEqual(1e-13 * (deviation ?? 0));
        }),
      );
    });

    test.each([
      ['one value', [5], { mean: 5, deviation: null }],
      ['equal values', [0.1, 0.1, 0.1], { mean: 0.1, deviation: 0 }],
      ['the smallest doubles', [5e-324, 0, -5e-324], { mean: 0, deviation: 0 }],
      ['whole numbers', [1, 2, 3, 4], { mean: 2.5, deviation: Math.sqrt(5 / 3) }],
    ])('%s', async (_, values, moments) => {
      const found = await measured(engine, values);
      expect(found.mean).toBeCloseTo(moments.mean, 15);
      if (moments.deviation === null) expect(found.deviation).toBeNull();
      else expect(found.deviation).toBeCloseTo(moments.deviation, 14);
    });
  });
}
