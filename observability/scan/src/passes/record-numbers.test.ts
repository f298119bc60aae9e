// SPDX-License-Identifier: Apache-2.0
/** Rows that fail a rule of an asset without an id are identified by the number of their record. */
import type { OpenedSource } from '@sextant/observability-connectors';
import { afterAll, expect, test } from 'vitest';
import type { ScanResult } from '../scan.ts';
import { rule, scannedFiles } from '../testing/scanned-files.ts';

const files = await scannedFiles();
const { csv, json, ndjson, parquet, scan } = files;
afterAll(() => files[Symbol.asyncDispose]());

/** More than DuckDB puts into one group of rows. */
const ROWS = 130_000;
const EVERY = 13_000;
const FAILING = Array.from({ length: ROWS / EVERY }, (_, index) => (index + 1) * EVERY);
const monitors = [rule('1', 'VALIDATE age EXPECT NUMERIC_VALUE >= 0')];
const ageOf = (record: number) => (record % EVERY === 0 ? -record : record);
const all = <T>(of: (record: number) => T): readonly T[] => Array.from({ length: ROWS }, (_, index) => of(index + 1));
const numbersOf = ({ samples }: ScanResult) => samples.map(({ record_id, record_number, row }) => [record_id, record_number, row.age]);

test.each<readonly [string, () => Promise<OpenedSource>]>([
  ['of a CSV file', () => csv(`age,note\n${all((record) => `${ageOf(record)},"one\nand two"`).join('\n')}\n`)],
  ['of JSON lines', () => ndjson(all((record) => `{"age":${ageOf(record)}}`).join('\n'))],
  ['of a JSON array', () => json(JSON.stringify(all((record) => ({ age: ageOf(record) }))))],
  [
    'of a Parquet file',
    () => parquet(`SELECT CASE WHEN i % ${EVERY} = 0 THEN -i ELSE i END AS age FROM range(1, ${ROWS + 1}) AS t(i) ORDER BY i`),
  ],
])('failing rows %s are identified by the number of their record, the first ones first', async (_, open) => {
  const result = await scan(await open(), ['age'], { monitors });
  expect(numbersOf(result)).toEqual(FAILING.map((record) => [null, record, String(-record)]));
  expect(result.columns.map(({ name }) => name)).not.toContain('\u0001record');
});

test('failing rows are identified by it also where the rule counts how often a value occurs', async () => {
  const frequent = [rule('1', 'VALIDATE age EXPECT FREQUENCY < 2')];
  const result = await scan(await csv('age\n1\n2\n1\n'), ['age'], { monitors: frequent });
  expect(numbersOf(result)).toEqual([
    [null, 1, '1'],
    [null, 3, '1'],
  ]);
});

test('failing rows have no number where rows were chosen among all, or a column takes its place', async () => {
  const unnumbered = [[null, undefined, '-3']];
  const some = await csv('age,land\n1,DE\n-2,DE\n-3,IT\n');
  expect(numbersOf(await scan(some, ['age'], { monitors, options: { filter: { land: ['IT'] } } }))).toEqual(unnumbered);
  expect(numbersOf(await scan(await csv('age,RowId\n1,5\n-3,6\n'), ['age'], { monitors }))).toEqual(unnumbered);
  expect(numbersOf(await scan(await parquet('SELECT -3 AS age, 7 AS file_row_number'), ['age'], { monitors }))).toEqual(unnumbered);
});
