// SPDX-License-Identifier: Apache-2.0
import type { CellVerdict } from '@sextant/contracts-observability';
import type { OpenedSource } from '@sextant/observability-connectors';
import { afterAll, describe, expect, test } from 'vitest';
import type { ScanRequest, ScanResult } from '../scan.ts';
import { scannedFiles } from '../testing/scanned-files.ts';

const files = await scannedFiles();
afterAll(() => files[Symbol.asyncDispose]());

const ROWS = 600;
const CITIES = ['Hamburg', 'Lyon', 'Bilbao', 'Torino', 'Leeds', 'Gdansk', 'Graz', 'Porto'];
const COUNTRIES = ['Germany', 'France', 'Spain', 'Italy', 'England', 'Poland', 'Austria', 'Portugal'];
const COLUMNS = ['code', 'city', 'country', 'amount'];
/** Rows from 1 on, with what stands there in place of what should. */
const FAULTS: readonly (readonly [row: number, column: string, value: string])[] = [
  [17, 'city', 'Bilbaoo'],
  [201, 'country', 'Polnad'],
  [333, 'code', '????'],
];

function rows(faults = FAULTS): readonly (readonly string[])[] {
  return Array.from({ length: ROWS }, (_, index) => {
    const city = (index * 7 + (index >> 3)) % CITIES.length;
    const row = [`A-${1000 + index}`, CITIES[city] ?? '', COUNTRIES[city] ?? '', String(2 + (index % 9))];
    for (const [at, column, value] of faults) if (at === index + 1) row[COLUMNS.indexOf(column)] = value;
    return row;
  });
}

const csv = (table: readonly (readonly string[])[]): Promise<OpenedSource> =>
  files.csv([COLUMNS, ...table].map((row) => `${row.join(',')}\n`).join(''));

function parquet(table: readonly (readonly string[])[]): Promise<OpenedSource> {
  const values = table.map((row) => `(${row.map((value) => `'${value}'`).join(', ')})`).join(', ');
  return files.parquet(`SELECT * FROM (VALUES ${values}) AS t (${COLUMNS.join(', ')})`);
}

function search(source: OpenedSource, changes: Partial<ScanRequest> = {}): Promise<ScanResult> {
  return files.scan(source, COLUMNS, { ...changes, options: { find_wrong_cells: 'true', id_attributes: ['code'], ...changes.options } });
}

describe.each([
  ['CSV', csv],
  ['Parquet', parquet],
])('of %s', (_, file) => {
  test('cells that look wrong are proposed with their row, id and value, and measured by attribute', async () => {
    const { cells, metrics, failures } = await search(await file(rows()));
    expect(failures).toEqual([]);
    expect(cells).toMatchObject({ rowsChecked: ROWS, cellsFound: FAULTS.length });
    const found = cells?.cells.map(({ row_number: row, attribute, value }) => [row, attribute, value]) ?? [];
    expect(found.toSorted(([one = 0], [other = 0]) => Number(one) - Number(other))).toEqual(FAULTS);
    expect(cells?.cells.find(({ attribute }) => attribute === 'city')).toMatchObject({ record_id: 'A-1016', repair: 'Bilbao' });
    const shares = metrics.filter(({ metric_name: name }) => name === 'WRONG_CELLS').map(({ attribute, value }) => [attribute, value]);
    const one = expect.closeTo(100 / ROWS);
    expect(Object.fromEntries(shares)).toEqual({ code: one, city: one, country: one, amount: 0 });
  });
});

test('a clean file has no wrong cells, and rules that hold without an exception', async () => {
  const { cells } = await search(await csv(rows([])));
  expect(cells).toMatchObject({ cellsFound: 0, cells: [] });
  expect(cells?.rules.length).toBeGreaterThan(3);
  expect(cells?.rules.filter(({ exceptions }) => exceptions > 0)).toEqual([]);
  expect(cells?.rules.map(({ description }) => description)).not.toContain('amount is a number');
});

test('nothing is searched unless the asset asks for it', async () => {
  const result = await files.scan(await csv(rows()), COLUMNS);
  expect(result.cells).toBeUndefined();
  expect(result.metrics.some(({ metric_name: name }) => name === 'WRONG_CELLS')).toBe(false);
});

test('of cells that a person called right, the next search proposes none', async () => {
  const { cells } = await search(await csv(rows()));
  const cellVerdicts = (cells?.cells ?? []).map(
    ({ attribute, valueKey, detectors }): CellVerdict => ({ attribute, valueKey, detectors, isWrong: attribute !== 'city' }),
  );
  const { cells: next } = await search(await csv(rows()), { cellVerdicts });
  expect(next?.cells.map(({ attribute, score }) => [attribute, score]).sort()).toEqual([
    ['code', 1],
    ['country', 1],
  ]);
});

test('personal data in what is proposed are masked', async () => {
  const { cells } = await search(await csv(rows([[41, 'country', 'lovelace@example.org']])));
  expect(cells?.cells.length).toBeGreaterThan(0);
  expect(JSON.stringify(cells?.cells)).not.toContain('lovelace@');
});
