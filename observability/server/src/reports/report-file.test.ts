// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { temporaryDirectory } from '@sextant/foundation-testing';
import type { ScanReport } from '@sextant/observability-metadata';
import { expect, test } from 'vitest';
import { reportFile, reportKey } from './report-file.ts';

const REPORT: ScanReport = {
  project_id: 3,
  asset_id: 'orders',
  job_id: 'a1',
  finished_at: '2026-03-10T23:59:59.999Z',
  record_id_attribute: 'id',
  rows: [
    { monitor_id: 7, records_failed: 2, records_scanned: 1000, record_ids: ['k1', 'Ä "2"'], state: 'violated', reason: null },
    { monitor_id: -9, records_failed: null, records_scanned: 1000, record_ids: [], state: 'errored', reason: 'the column is gone' },
    { monitor_id: 2 ** 40, records_failed: 2 ** 31 - 1, records_scanned: 2 ** 31 - 1, record_ids: Array.from({ length: 100 }, String) },
  ],
};

/** The answers of DuckDB, which has no part in the writing. */
async function read(report: ScanReport, ...statements: readonly string[]) {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'report.parquet');
  await writeFile(path, reportFile(report));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const answers = [];
  for (const statement of statements) {
    const reader = await connection.runAndReadAll(statement.replaceAll('FILE', `'${path}'`));
    answers.push(reader.getRowsJson());
  }
  connection.closeSync();
  instance.closeSync();
  return answers;
}

test('the file has the published columns and types, and behind them what the monitors came to', async () => {
  const [columns, physical] = await read(
    REPORT,
    'SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM FILE)',
    "SELECT name, type, repetition_type, converted_type FROM parquet_schema(FILE) WHERE name <> 'scan_report'",
  );
  expect(columns).toEqual([
    ['project_id', 'BIGINT'],
    ['data_asset_id', 'VARCHAR'],
    ['monitor_Id', 'BIGINT'],
    ['scan_timestamp', 'TIMESTAMP WITH TIME ZONE'],
    ['total_records_failed', 'INTEGER'],
    ['total_records_scanned', 'INTEGER'],
    ['record_id_attribute_name', 'VARCHAR'],
    ['record_id_sample', 'VARCHAR[]'],
    ['monitor_state', 'VARCHAR'],
    ['monitor_state_reason', 'VARCHAR'],
  ]);
  expect(physical).toEqual([
    ['project_id', 'INT64', 'REQUIRED', null],
    ['data_asset_id', 'BYTE_ARRAY', 'REQUIRED', 'UTF8'],
    ['monitor_Id', 'INT64', 'REQUIRED', null],
    ['scan_timestamp', 'INT64', 'REQUIRED', 'TIMESTAMP_MILLIS'],
    ['total_records_failed', 'INT32', 'OPTIONAL', null],
    ['total_records_scanned', 'INT32', 'REQUIRED', null],
    ['record_id_attribute_name', 'BYTE_ARRAY', 'OPTIONAL', 'UTF8'],
    ['record_id_sample', null, 'REQUIRED', 'LIST'],
    ['list', null, 'REPEATED', null],
    ['element', 'BYTE_ARRAY', 'REQUIRED', 'UTF8'],
    ['monitor_state', 'BYTE_ARRAY', 'OPTIONAL', 'UTF8'],
    ['monitor_state_reason', 'BYTE_ARRAY', 'OPTIONAL', 'UTF8'],
  ]);
});

test('the file has one row for each monitor', async () => {
  const [rows] = await read(REPORT, 'SELECT * REPLACE (epoch_ms(scan_timestamp) AS scan_timestamp) FROM FILE');
  const endMs = String(Date.parse(REPORT.finished_at));
  expect(rows).toEqual([
    ['3', 'orders', '7', endMs, 2, 1000, 'id', ['k1', 'Ä "2"'], 'violated', null],
    ['3', 'orders', '-9', endMs, null, 1000, 'id', [], 'errored', 'the column is gone'],
    ['3', 'orders', '1099511627776', endMs, 2_147_483_647, 2_147_483_647, 'id', Array.from({ length: 100 }, String), null, null],
  ]);
});

test('nothing but nulls and empty lists is readable too', async () => {
  const rows = REPORT.rows.slice(1, 2);
  const [read1] = await read({ ...REPORT, record_id_attribute: null, rows }, 'SELECT * EXCLUDE (scan_timestamp) FROM FILE');
  expect(read1).toEqual([['3', 'orders', '-9', null, 1000, null, [], 'errored', 'the column is gone']]);
});

test('ten thousand monitors make one file', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ ...REPORT.rows[0], monitor_id: index + 1 }) as ScanReport['rows'][number]);
  const [read1] = await read(
    { ...REPORT, rows },
    'SELECT count(*)::INT, count(DISTINCT "monitor_Id")::INT, sum(len(record_id_sample))::INT FROM FILE',
  );
  expect(read1).toEqual([[10_000, 10_000, 20_000]]);
});

test.each(['reports/dq', 'reports/dq/', 'reports/dq//'])('its key lies below %j in a partition for the day', (path) => {
  expect(reportKey(path, REPORT)).toBe('reports/dq/scan_date=2026-03-10/orders_a1.parquet');
});
