// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { FAULT_KINDS, spoil } from './faults.ts';
import { differences, scoresByColumn } from './pair.ts';
import { scoreOf } from './score.ts';
import { parseCsv, type TextTable, writeCsv } from './text-table.ts';

const TABLE: TextTable = {
  name: 'table',
  columns: ['name', 'said', 'amount'],
  rows: Array.from({ length: 50 }, (_, row) => [`person ${row}`, `"yes", he said\non day ${row}`, String(1000 + row)]),
};

test('precision, recall and F1 count cells', () => {
  const score = scoreOf(new Set(['0:0', '0:1', '1:1']), new Set(['0:1', '2:2']));
  expect(score).toMatchObject({ proposed: 3, wrong: 2, hits: 1, precision: 1 / 3, recall: 1 / 2, f1: 0.4 });
});

test('nothing proposed and nothing wrong scores zero, not infinity', () => {
  expect(scoreOf(new Set(), new Set())).toMatchObject({ precision: 0, recall: 0, f1: 0 });
});

test('a table is read as it was written: quotes, commas and line breaks stay', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'table.csv');
  await writeCsv(path, TABLE);
  expect(parseCsv(await readFile(path, 'utf8'))).toEqual([TABLE.columns, ...TABLE.rows]);
});

test('the wrong cells are those that differ, by column', () => {
  const dirty = { ...TABLE, rows: TABLE.rows.map((row, at) => (at === 7 ? [row[0] ?? '', '', row[2] ?? ''] : row)) };
  const wrong = differences(dirty, TABLE);
  expect([...wrong]).toEqual(['7:1']);
  expect(scoresByColumn(dirty, new Set(['7:1', '8:1']), wrong)[1]).toMatchObject({ column: 'said', precision: 0.5, recall: 1 });
});

test('tables of other sizes are refused', () => {
  expect(() => differences({ ...TABLE, rows: TABLE.rows.slice(1) }, TABLE)).toThrow('49 rows and the clean one 50');
  expect(() => differences({ ...TABLE, columns: ['name'] }, TABLE)).toThrow('1 columns and the clean one 3');
});

test('every fault is a difference, and the same seed gives the same faults', () => {
  const [one, other] = [1, 1].map((seed) => spoil(TABLE, FAULT_KINDS, 0.2, seededRandom(seed)));
  expect(one).toEqual(other);
  expect(new Set(one?.faults.keys())).toEqual(differences(one?.table ?? TABLE, TABLE));
  expect(one?.faults.size).toBeGreaterThan(20);
});
