// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { ColumnValues, ValueCount } from './column-values.ts';
import { formatFaults } from './formats.ts';
import { initialFaults } from './initials.ts';
import { wordFaults } from './words.ts';
import { writtenUnits } from './written-units.ts';

function column(counts: Readonly<Record<string, number>>): ColumnValues {
  const values: readonly ValueCount[] = Object.entries(counts)
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count);
  const present = values.reduce((sum, { count }) => sum + count, 0);
  return { index: 0, name: 'c', rows: present, present, values, isWhole: true };
}

const DAYS = Object.fromEntries(Array.from({ length: 28 }, (_, day) => [`2026-01-${String(day + 1).padStart(2, '0')}`, 2]));

test.each<[string, Readonly<Record<string, number>>, readonly string[]]>([
  ['a whole number with a decimal', { 12: 20, 13: 20, '12.0': 3, 14: 9 }, ['12.0']],
  ['decimals of their own are no fault', { 1.5: 20, 2.25: 20, 3: 20 }, []],
  ['a code that lost its zero', { '02134': 9, 10001: 20, 10002: 20, 2139: 1 }, ['2139']],
  ['a zero put before a number', { 7: 20, 8: 20, 9: 20, '07': 1 }, ['07']],
  ['capitals of a word that has a usual case', { Hamburg: 20, HAMBURG: 9, Bremen: 20, Kiel: 20 }, ['HAMBURG']],
  [
    'most dates in a form that standards do not have',
    { ...DAYS, ...Object.fromEntries(Array.from({ length: 28 }, (_, day) => [`1/${day + 1}/26`, 3])) },
    Array.from({ length: 28 }, (_, day) => `1/${day + 1}/26`),
  ],
  ['the year behind', { ...DAYS, '13-01-2026': 1 }, ['13-01-2026']],
  ['a value of the column’s own, written otherwise', { '10 to 14': 20, '15 to 19': 20, '20 to 24': 20, '<10': 20 }, []],
  [
    'an amount beyond those of four digits',
    Object.fromEntries([...Array.from({ length: 60 }, (_, at) => [String(4000 + 100 * at), 1]), ['10200', 1]]),
    [],
  ],
  ['a space at an end, even of a third', { 'blue ': 10, red: 20, green: 20 }, ['blue ']],
  ['an ordinal', { 'Main Street': 200, 'High Street': 200, '23rd Street': 1 }, []],
])('format: %s', (_, counts, expected) => {
  expect(new Set(formatFaults(column(counts)).map(({ value }) => value))).toEqual(new Set(expected));
});

test.each<[string, Readonly<Record<string, number>>, readonly string[]]>([
  ['a unit in three spellings, in every cell', { '12 oz': 9, '12 oz.': 9, '16 ounce': 9 }, ['12 oz', '12 oz.', '16 ounce']],
  ['and beside plain numbers', { 12: 9, '12 oz': 9, '16 oz.': 9 }, ['12 oz', '16 oz.']],
  ['one spelling throughout is how the column is written', { '12 oz': 9, '16 oz': 9 }, []],
  ['two units are two units', { '12 g': 9, '16 ml': 9 }, []],
])('units: %s', (_, counts, expected) => {
  expect(writtenUnits(column(counts)).map(({ value }) => value)).toEqual(expected);
});

test('names with an initial where the column writes them in full', () => {
  const cities = { 'Fort Worth': 9, 'South Bend': 9, 'San Diego': 9, 'Santa Diego': 1, Austin: 30 };
  const found = initialFaults(column({ ...cities, 'F. Worth': 2, 'S. Bend': 1, 'S. Diego': 1, 'E. Moriches': 1 }));
  expect(found.map(({ value, repair }) => [value, repair])).toEqual([
    ['F. Worth', 'Fort Worth'],
    ['S. Bend', 'South Bend'],
    ['S. Diego', undefined],
    ['E. Moriches', undefined],
  ]);
  const people = { 'Ada Byron': 9, 'J. Smith': 1, 'K. Jones': 1 };
  expect(initialFaults(column(people))).toEqual([]);
  expect(initialFaults(column({ 'Fort Worth': 3, 'F. Worth': 3, 'S. Bend': 3 }))).toEqual([]);
});

test('slips and abbreviations of the words of a column', () => {
  const schools = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`College University of Place${'abcdefghijklmnopqrstuvwxyzäöüß'[at]}`, 1]),
  );
  const found = wordFaults(
    column({
      ...schools,
      'College Univresity of North': 1,
      'College Univ. of South': 1,
      'Colleges of the West': 1,
      'College unv of East': 1,
    }),
  );
  expect(found.map(({ value, repair }) => [value, repair])).toEqual([
    ['College Univresity of North', 'College University of North'],
    ['College Univ. of South', 'College University of South'],
  ]);
});
