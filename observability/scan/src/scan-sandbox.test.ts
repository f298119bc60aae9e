// SPDX-License-Identifier: Apache-2.0
/** Tries to get out: SQL of a tenant sees its asset and nothing else, and ends when a limit is reached. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runScan } from './run-scan.ts';
import { profileRequest } from './scan.conformance.ts';
import type { ScanRequest, ScanResult } from './scan.ts';
import { fileSource } from './testing/table-files.ts';
import { testLimits } from './testing/test-limits.ts';

/** A statement without end keeps each of them busy until its time is over. */
const THREADS = 1;
const SECRET = 'the other tenant earns 4711';
let directory: TemporaryDirectory;

beforeAll(async () => {
  directory = await temporaryDirectory();
  await writeFile(join(directory.path, 'secret.csv'), `note\n${SECRET}\n`);
  await writeFile(
    join(directory.path, 'asset.csv'),
    `id,amount\n${Array.from({ length: 1000 }, (_, id) => `${id},${id * 2}`).join('\n')}\n`,
  );
});
afterAll(() => directory[Symbol.asyncDispose]());

type Scan = {
  readonly sql: readonly string[];
  readonly statementSeconds?: number;
  readonly timeoutMs?: number;
  readonly memoryBytes?: number;
  readonly signal?: AbortSignal;
};

async function scan({ sql, statementSeconds, signal = new AbortController().signal, ...limits }: Scan): Promise<ScanResult> {
  const monitors = sql.map((expression, index): ScanRequest['monitors'][number] => ({
    id: String(index),
    type: 'METRIC',
    name: expression,
    monitor: { expression, options: { ignore_nulls: false }, raw_sql: true },
  }));
  const options = statementSeconds === undefined ? {} : { statement_timeout_seconds: statementSeconds };
  await using source = await fileSource(join(directory.path, 'asset.csv'));
  return await runScan(profileRequest(source, ['id', 'amount'], { monitors, options }), {
    limits: { ...testLimits(join(directory.path, 'scans')), threads: THREADS, ...limits },
    clock: systemClock,
    signal,
    onProgress: () => undefined,
  });
}

function customValues({ metrics }: ScanResult): readonly (readonly [string | null, number | null])[] {
  return metrics.filter(({ metric_name }) => metric_name === 'CUSTOM').map(({ segment, value }) => [segment, value]);
}

test('SQL over the asset is measured, by series where it names dimensions', async () => {
  const result = await scan({
    sql: [
      'SELECT max(amount) FROM asset;',
      'WITH few AS (SELECT * FROM asset WHERE id < 4) SELECT count(*), id % 2 AS parity FROM few GROUP BY 2 ORDER BY 2',
    ],
  });
  expect(result.failures).toEqual([]);
  expect(customValues(result)).toEqual([
    [null, 1998],
    ['parity=0', 2],
    ['parity=1', 2],
  ]);
});

describe('SQL that reaches past its asset is refused', () => {
  const escapes = (path: string): readonly string[] => [
    `SELECT count(*) FROM read_csv('${path}/secret.csv')`,
    `SELECT count(*) FROM '${path}/secret.csv'`,
    `SELECT count(*) FROM read_text('/etc/passwd')`,
    `SELECT count(*) FROM read_blob('/proc/self/environ')`,
    `SELECT count(*) FROM glob('/etc/*')`,
    `SELECT count(*) FROM read_parquet('https://example.com/x.parquet')`,
    `SELECT count(*) FROM parquet_scan('/etc/passwd')`,
    `SELECT (SELECT count(*) FROM sniff_csv('/etc/passwd'))`,
    `SELECT count(*) FROM (COPY asset TO '${path}/out.csv')`,
    `COPY asset TO '${path}/out.csv'`,
    `EXPORT DATABASE '${path}/out'`,
    `ATTACH '${path}/out.db' AS other`,
    'INSTALL httpfs',
    'LOAD httpfs',
    "SET memory_limit = '100GB'",
    'RESET enable_external_access',
    "PRAGMA enable_profiling = 'json'",
    'CALL pragma_version()',
    'SELECT count(*) FROM pragma_database_size()',
    'SELECT count(*) FROM duckdb_settings()',
    'SELECT count(*) FROM duckdb_secrets()',
    'SELECT count(*) FROM information_schema.tables',
    'SELECT count(*) FROM pg_catalog.pg_class',
    'SELECT count(*) FROM sqlite_master',
    'SELECT count(*) FROM reject_errors',
    "SELECT length(current_setting('temp_directory'))",
    "SELECT length(getenv('PATH'))",
    "SELECT count(*) FROM query('SELECT 1')",
    "SELECT count(*) FROM query_table('reject_errors')",
    'SELECT count(*) FROM (SHOW ALL TABLES)',
    'SELECT 1; DROP TABLE asset',
    'DROP TABLE asset',
    'CREATE TABLE evil AS SELECT 1',
    "SELECT 1) AS m, read_text('/etc/passwd') AS t, (SELECT 1",
    'WITH reject_errors AS (SELECT 1) SELECT (SELECT count(*) FROM main.reject_errors)',
    "SELECT nextval('evil')",
    'SELECT count(*) FROM (WITH duckdb_views AS (SELECT 1) SELECT * FROM duckdb_views), duckdb_views',
    '(WITH sqlite_master AS (SELECT 1) SELECT * FROM sqlite_master) UNION ALL SELECT count(*) FROM sqlite_master',
    'WITH reject_errors AS (SELECT count(*) FROM reject_errors) SELECT * FROM reject_errors',
    'WITH RECURSIVE sqlite_master AS (SELECT count(*) FROM sqlite_master) SELECT * FROM sqlite_master',
    'WITH a AS (SELECT count(*) FROM sqlite_master), sqlite_master AS (SELECT 1) SELECT * FROM a',
    'SELECT (WITH sqlite_master AS (SELECT 1) SELECT 1), (SELECT count(*) FROM sqlite_master)',
    'WITH "duc\u212adb_views" AS (SELECT 1) SELECT count(*) FROM duckdb_views',
  ];

  test('and the scan goes on', async () => {
    const sql = escapes(directory.path);
    const before = await readdir(directory.path);
    const result = await scan({ sql });
    expect(result.recordsScanned).toBe(1000);
    expect(customValues(result)).toEqual([]);
    expect(new Set(result.failures.map(({ monitor_id }) => sql[Number(monitor_id)]))).toEqual(new Set(sql));
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(JSON.stringify(result)).not.toContain('root:');
    expect(await readdir(directory.path)).toEqual(expect.arrayContaining(before));
    expect((await readdir(directory.path)).filter((name) => name.startsWith('out'))).toEqual([]);
    expect(await readFile(join(directory.path, 'asset.csv'), 'utf8')).toContain('999,1998');
  });
});

describe('a scan ends at its limits and leaves nothing behind', () => {
  const ENDLESS = 'SELECT count(*) FROM asset a, asset b, asset c, asset d, asset e WHERE a.id + b.id + c.id + d.id + e.id = -1';

  test('of time', async () => {
    await expect(scan({ sql: [ENDLESS], timeoutMs: 800 })).rejects.toThrow(/took longer than its limit/);
    expect(await readdir(join(directory.path, 'scans'))).toEqual([]);
  });

  test('when it is cancelled, with the reason of the caller', async () => {
    const controller = new AbortController();
    const running = scan({ sql: [ENDLESS], signal: controller.signal });
    setImmediate(() => controller.abort(new Error('the asset was deleted')));
    await expect(running).rejects.toThrow('the asset was deleted');
    expect(await readdir(join(directory.path, 'scans')).catch(() => [])).toEqual([]);
  });
});

describe('a statement of a tenant ends at its limits, and the scan goes on', () => {
  test('of time', async () => {
    const sql = [
      'SELECT count(*) FROM range(1000000000000)',
      'SELECT max(r) FROM (SELECT row_number() OVER (ORDER BY hash(range)) AS r FROM range(1000000000000))',
      'WITH RECURSIVE r AS (SELECT 1 AS v UNION ALL SELECT 1 FROM r) SELECT count(*) FROM r',
    ];
    // Less than a tenant may set: each of them takes as much of a processor.
    const result = await scan({ sql, statementSeconds: 0.25 });
    expect(result.recordsScanned).toBe(1000);
    const reason = 'The SQL took longer than its limit of 0.25 s';
    expect(result.failures).toEqual(['0', '1', '2'].map((monitor_id) => ({ monitor_id, reason })));
    expect(await readdir(join(directory.path, 'scans'))).toEqual([]);
  });

  test('of memory', async () => {
    const bomb = "SELECT length(string_agg(repeat('x', 1000000), '')) FROM range(100000)";
    const result = await scan({ sql: [bomb, 'SELECT max(amount) FROM asset'], memoryBytes: 512 * 2 ** 20 });
    expect(result.failures).toEqual([{ monitor_id: '0', reason: expect.stringMatching(/memory/i) }]);
    expect(customValues(result)).toEqual([[null, 1998]]);
    expect(await readdir(join(directory.path, 'scans'))).toEqual([]);
  });
});
