// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { determinedCells } from './determined.ts';
import type { TextTable } from './text-table.ts';

const rows = Array.from({ length: 60 }, (_, at) => [`zip${at % 6}`, `city${at % 6}`, `name${(at * 7) % 11}`]);
const clean: TextTable = { name: 't', columns: ['zip', 'city', 'name'], rows };

function withCell(at: number, column: number, value: string): TextTable {
  return { ...clean, rows: rows.map((row, index) => (index === at ? row.with(column, value) : row)) };
}

test('a value is determined where the other rows of its group agree', () => {
  expect(determinedCells(clean, withCell(7, 1, 'city4'), ['7:1'])).toEqual(new Set(['7:1']));
});

test('a value that no column determines is not', () => {
  expect(determinedCells(clean, withCell(7, 2, 'name3'), ['7:2'])).toEqual(new Set());
});

test('nor is one whose group is wrong throughout', () => {
  const dirty = { ...clean, rows: rows.map(([zip = '', city = '', name = '']) => [zip, zip === 'zip1' ? 'city9' : city, name]) };
  expect(determinedCells(clean, dirty, ['7:1'])).toEqual(new Set());
});
