// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { parseRule } from '../rules/rule-parser.ts';
import { findWrongCellsInFile } from './find-in-file.ts';
import type { WrongCells } from './find-wrong-cells.ts';

const LIMITS = { memoryBytes: 2 ** 29, threads: 1 };
const ROWS = 400;
const CITIES = ['Hamburg', 'Lyon', 'Bilbao', 'Torino', 'Leeds', 'Gdansk', 'Graz', 'Porto'];
const COUNTRIES = ['Germany', 'France', 'Spain', 'Italy', 'England', 'Poland', 'Austria', 'Portugal'];

/** A clean table: a key, a city that determines its country, amounts that multiply, dates in order. */
function cleanRows(): string[][] {
  return Array.from({ length: ROWS }, (_, row) => {
    const city = (row * 7 + (row >> 3)) % CITIES.length;
    const [quantity, price] = [2 + (row % 9), 3.5 + ((row * 5) % 17)];
    const ordered = Date.UTC(2024, 0, 1 + ((row * 37) % 300));
    return [
      `A-${1000 + row}`,
      CITIES[city] ?? '',
      COUNTRIES[city] ?? '',
      String(quantity),
      price.toFixed(2),
      (quantity * price).toFixed(2),
      day(ordered),
      day(ordered + (1 + (row % 6)) * 86_400_000),
    ];
  });
}

const COLUMNS = ['code', 'city', 'country', 'quantity', 'price', 'total', 'ordered', 'shipped'];

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

async function searchIn(rows: readonly (readonly string[])[], columns: readonly string[] = COLUMNS): Promise<WrongCells> {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'table.csv');
  const lines = [columns, ...rows].map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(','));
  await writeFile(path, `${lines.join('\n')}\n`);
  return await findWrongCellsInFile(path, LIMITS);
}

async function searchWith(row: number, column: string, value: string): Promise<WrongCells> {
  const rows = cleanRows();
  const own = rows[row];
  if (own !== undefined) own[COLUMNS.indexOf(column)] = value;
  return await searchIn(rows);
}

test('a clean table has no wrong cells', async () => {
  const { cells } = await searchIn(cleanRows());
  expect(cells).toEqual([]);
});

describe('one wrong cell among thousands is proposed, and no other', () => {
  const cases = [
    { kind: 'a typing slip', column: 'city', value: 'Hamurg', detector: 'dependency' },
    { kind: 'another city’s country', column: 'country', value: 'Malta', detector: 'dependency' },
    { kind: 'an empty cell', column: 'ordered', value: '', detector: 'missing' },
    { kind: 'a missing value, spelled out', column: 'price', value: 'N/A', detector: 'missing' },
    { kind: 'a sentinel', column: 'quantity', value: '99999', detector: 'missing' },
    { kind: 'another date format', column: 'shipped', value: '03/04/2024', detector: 'format' },
    { kind: 'a unit', column: 'price', value: '12.50 EUR', detector: 'format' },
    { kind: 'a lost digit', column: 'code', value: 'A-12', detector: 'format' },
    { kind: 'spaces', column: 'city', value: ' Lyon', detector: 'format' },
    { kind: 'a wrong total', column: 'total', value: '61.17', detector: 'relation' },
    { kind: 'a number far from all others', column: 'total', value: '912000.00', detector: 'number' },
  ] as const;
  test('one of each kind', async () => {
    const rows = cleanRows();
    const wrong = cases.map(({ kind, column, value, detector }, index) => {
      const row = 17 + 31 * index;
      const own = rows[row];
      if (own !== undefined) own[COLUMNS.indexOf(column)] = value;
      return { kind, detector, cell: { row, name: column, value } };
    });
    const { cells } = await searchIn(rows);
    const found = new Map(cells.map((cell) => [cell.row, cell]));
    expect(cells).toHaveLength(wrong.length);
    for (const { kind, detector, cell } of wrong) {
      const { row, name, value, detectors, score } = found.get(cell.row) ?? {};
      expect({ row, name, value: value ?? '' }, kind).toEqual(cell);
      expect(detectors, kind).toContain(detector);
      expect(score, kind).toBeGreaterThanOrEqual(0.5);
    }
  });

  test.skipIf(!isLongRun()).each(cases)('$kind, alone', async ({ column, value, detector }) => {
    const row = 123;
    const { cells } = await searchWith(row, column, value);
    expect(cells.map((cell) => ({ row: cell.row, name: cell.name, value: cell.value ?? '' }))).toEqual([{ row, name: column, value }]);
    expect(cells[0]?.detectors).toContain(detector);
    expect(cells[0]?.score).toBeGreaterThanOrEqual(0.5);
  });
});

test('what the other columns of a row say is the repair', async () => {
  const { cells } = await searchWith(50, 'country', 'Malta');
  expect(cells[0]?.repair).toBe(cleanRows()[50]?.[COLUMNS.indexOf('country')]);
});

test('of copies of one event that disagree the majority is right', async () => {
  const rows = Array.from({ length: 30 }, (_, event) =>
    Array.from({ length: 9 }, (_, site) => [
      `site ${site}`,
      `EV-${event}`,
      `${8 + (event % 12)}:${10 + event}`,
      `Hall ${String.fromCharCode(65 + event)}`,
      `${event * 3} EUR`,
    ]),
  ).flat();
  const wrong = rows.flatMap((row, at) => {
    if (at % 9 > 1) return [];
    row[2] = `${8 + (at % 5)}:0${at % 9}`;
    return [at];
  });
  const { cells } = await searchIn(rows, ['site', 'event', 'opens', 'hall', 'price']);
  expect(cells.map(({ row, name }) => `${row} ${name}`).toSorted()).toEqual(wrong.map((row) => `${row} opens`).toSorted());
});

test('a table of no rows, of one row and of one column is searched without complaint', async () => {
  expect((await searchIn([])).cells).toEqual([]);
  expect((await searchIn([['a', 'b']], ['x', 'y'])).cells).toEqual([]);
  expect((await searchIn([['a'], ['b'], ['c']], ['x'])).cells).toEqual([]);
});

test('names and values with quotes do no harm', async () => {
  const rows = cleanRows().map((row) => row.map((value, column) => (column === 1 ? `${value}'s "best"` : value)));
  const { cells } = await searchIn(
    rows,
    COLUMNS.map((name) => `${name}'"\`;--`),
  );
  expect(cells).toEqual([]);
});

describe('suggested rules', () => {
  test('have their support and exceptions, and the rule language takes them', async () => {
    const { rules } = await searchWith(50, 'country', 'Malta');
    expect(rules).toContainEqual(expect.objectContaining({ description: 'city determines country', support: ROWS - 1, exceptions: 1 }));
    expect(rules).toContainEqual(
      expect.objectContaining({ description: 'ordered is at most shipped in nearly all rows', support: ROWS, exceptions: 0 }),
    );
    expect(rules).toContainEqual(expect.objectContaining({ description: 'total is quantity x price in nearly all rows' }));
    for (const { expression } of rules) expect(() => parseRule(expression)).not.toThrow();
  });

  test('a column of one format suggests it', async () => {
    const { rules } = await searchWith(3, 'ordered', '3 May 2024');
    expect(rules).toContainEqual({
      expression: "VALIDATE `ordered` EXPECT IS_NULL OR REGEX('^[0-9]{4}-[0-9]{2}-[0-9]{2}$')",
      description: expect.stringContaining('ordered is written like'),
      support: ROWS - 1,
      exceptions: 1,
    });
  });
});
