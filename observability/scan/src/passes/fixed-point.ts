// SPDX-License-Identifier: Apache-2.0
/**
 * Sums of doubles that come to the same number in any order and on any engine. The distance of a value from a pivot is rounded to a multiple of a
 * small power of two, by adding a number that is too large to keep more (Demmel and Nguyen, "Fast Reproducible Floating-Point Summation", IEEE
 * Symposium on Computer Arithmetic 2013); the multiples are whole numbers, and integers add up exactly.
 *
 * The pivot is near the mean, so that the sum of squares loses no digits to a large mean ("Algorithms for Computing the Sample Variance", Chan,
 * Golub and LeVeque, The American Statistician 37, 1983). No distance is more than the square root of the count times the deviation, so 51 bits
 * of the largest distance leave the mean and the deviation 45 bits or more at a thousand million values.
 */
import type { Dialect } from '../dialect/dialect.ts';
import type { NumberRange } from './number-ranges.ts';

/** The square of a larger double is no double any more. */
const SQUARABLE = 1e150;
/** Bits of the whole numbers. */
const BITS = 51;
/** The whole numbers are divided by so much before they are squared, so that a square has 60 bits. */
const SQUARE_BITS = 21;
/** Smaller units have no reciprocal among the doubles. */
const LEAST_EXPONENT = -970;
/** The pivot has so many bits of the range: it is the same where engines round the mean differently. */
const PIVOT_BITS = 20;

export type FixedPoint = {
  readonly pivot: number;
  /** Added and subtracted, it leaves multiples of the unit. */
  readonly anchor: number;
  /** Units in one; a power of two. */
  readonly scale: number;
};

/** Undefined where there is no value, or the square of one is no double. */
export function fixedPointOf(range: NumberRange | undefined): FixedPoint | undefined {
  if (range === undefined || range.roughMean === null) return undefined;
  const { min, max, roughMean } = range;
  if (Math.max(Math.abs(min), Math.abs(max)) >= SQUARABLE) return undefined;
  const pivot = Math.min(max, Math.max(min, coarse(roughMean, { min, max })));
  const reach = Math.max(max - pivot, pivot - min);
  const exponent = reach === 0 ? 0 : Math.max(LEAST_EXPONENT, exponentAbove(reach));
  return { pivot, anchor: 1.5 * 2 ** (exponent + 1), scale: 2 ** (BITS - exponent) };
}

/** The mean on a grid of the range; the minimum where the values are so near each other that the mean itself is rounded more coarsely. */
function coarse(mean: number, { min, max }: Pick<NumberRange, 'min' | 'max'>): number {
  if (min === max) return min;
  const grid = 2 ** (exponentAbove(max - min) - PIVOT_BITS);
  const steps = mean / grid;
  return Math.abs(steps) < 2 ** 50 ? Math.round(steps) * grid : min;
}

/** The least power of two that is not below a positive number. */
function exponentAbove(value: number): number {
  // A logarithm may be rounded to the next whole number.
  let exponent = Math.floor(Math.log2(value)) - 1;
  while (2 ** exponent < value) exponent += 1;
  return exponent;
}

/** The whole number of units that a value is from the pivot, as a double. */
export function unitsFromPivot(double: string, { pivot, anchor, scale }: { readonly [Name in keyof FixedPoint]: string }): string {
  return `((((${double} - ${pivot}) + ${anchor}) - ${anchor}) * ${scale})`;
}

/** A whole number whose sum stands for that of the squares. */
export function squareOfUnits(units: string, dialect: Dialect): string {
  const reduced = `(${units} * ${dialect.number(2 ** -SQUARE_BITS)})`;
  return dialect.floor(`${reduced} * ${reduced} + ${dialect.number(0.5)}`);
}

export type Moments = { readonly mean: number; readonly deviation: number | null };

/** From the sums of both, over as many values. */
export function momentsOf(
  { pivot, scale }: FixedPoint,
  sums: { readonly units: bigint; readonly squares: bigint; readonly count: number },
): Moments {
  const { units, squares, count } = sums;
  const mean = pivot + Number(units) / count / scale;
  if (count < 2) return { mean, deviation: null };
  const n = BigInt(count);
  const spread = n * (squares << BigInt(2 * SQUARE_BITS)) - units * units;
  const variance = Number(spread > 0n ? spread : 0n) / count / (count - 1);
  return { mean, deviation: Math.sqrt(variance) / scale };
}
