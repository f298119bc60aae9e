// SPDX-License-Identifier: Apache-2.0
/** Numbers that are equal and written in two ways: `12.0` among `12`, `07` among `7`, and codes that lost the zeros they begin with. */
import type { ColumnValues, ValueCount } from './column-values.ts';
import type { ValueSuspicion } from './suspicion.ts';

/** Digit strings of one length are a code from this share on. */
const CODE = 0.6;
/** And their zeros are meant where so many begin with one. */
const PADDED = 0.03;

export function numberForms({ values }: ColumnValues): readonly ValueSuspicion[] {
  return [...pointZero(values), ...leadingZeros(values)];
}

/** What a program leaves that reads whole numbers as floating-point ones. */
function pointZero(values: readonly ValueCount[]): readonly ValueSuspicion[] {
  const whole = values.filter(({ value }) => /^-?(0|[1-9]\d*)$/.test(value));
  const pointed = values.filter(({ value }) => /^-?\d+\.0+$/.test(value));
  if (whole.length === 0 || pointed.length === 0) return [];
  const [few, many] = countOf(pointed) <= countOf(whole) ? [pointed, whole] : [whole, pointed];
  // Nought is often written by itself.
  const said = few.filter(({ value }) => Number(value) !== 0);
  const example = many[0]?.value ?? '';
  return said.map(({ value }) => ({
    detector: 'format' as const,
    value,
    score: 0.75,
    reason: `a whole number in another notation than most of the column, such as "${example}"`,
    repair: few === pointed ? value.replace(/\.0+$/, '') : `${value}${/\.0+$/.exec(example)?.[0] ?? ''}`,
  }));
}

function leadingZeros(values: readonly ValueCount[]): readonly ValueSuspicion[] {
  const digits = values.filter(({ value }) => /^\d+$/.test(value));
  const padded = digits.filter(({ value }) => /^0\d/.test(value));
  if (padded.length === 0 || countOf(digits) < 0.5 * countOf(values)) return [];
  const [length, share] = commonLength(digits);
  const ofLength = padded.filter(({ value }) => value.length === length);
  if (share >= CODE && countOf(ofLength) >= PADDED * countOf(digits)) {
    return digits
      .filter(({ value }) => value.length < length || (value.length > length && value.startsWith('0')))
      .map(({ value }) => ({
        detector: 'format' as const,
        value,
        score: 0.75,
        reason: `not of the ${length} digits that the column has with leading zeros`,
        repair: value.replace(/^0+/, '').padStart(length, '0'),
      }));
  }
  if (countOf(padded) > 0.5 * countOf(digits)) return [];
  return padded.map(({ value }) => ({
    detector: 'format' as const,
    value,
    score: 0.7,
    reason: 'begins with a zero, as few numbers of the column do',
    repair: value.replace(/^0+(?=\d)/, ''),
  }));
}

function commonLength(digits: readonly ValueCount[]): readonly [number, number] {
  const lengths = new Map<number, number>();
  for (const { value, count } of digits) lengths.set(value.length, (lengths.get(value.length) ?? 0) + count);
  const [[length, count] = [0, 0]] = [...lengths].sort((a, b) => b[1] - a[1]);
  return [length, count / Math.max(1, countOf(digits))];
}

function countOf(values: readonly ValueCount[]): number {
  return values.reduce((sum, { count }) => sum + count, 0);
}
