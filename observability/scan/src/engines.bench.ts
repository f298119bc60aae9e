// SPDX-License-Identifier: Apache-2.0
/**
 * A full profile of the same ten columns by each engine: processor time of the service's process and of the engine's, and the bytes that move from
 * the engine's server to the service:
 *
 *   npm run bench:engines                     1 million rows
 *   npm run bench:engines -- --rows=N,N       tables of these sizes
 *
 * Each scan runs in a process of its own. What it measured is compared with what DuckDB measured, point by point.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, pause, systemClock } from '@sextant/foundation-std';
import { missingPostgres, readFlags, temporaryPostgres } from '@sextant/foundation-testing';
import { asFile, type Column, type OpenedSource } from '@sextant/observability-connectors';
import {
  missingSpark,
  openSparkTable,
  type SparkAddress,
  sparkHome,
  startLocalSpark,
} from '@sextant/observability-connectors/spark-for-tests';
import pg from 'pg';
import { runScan } from './run-scan.ts';
import { generateTable, MEMORY_BYTES, THREADS } from './testing/bench-table.ts';
import { fileSource } from './testing/table-files.ts';

const ENDING_MS = 2000;
const TIMEOUT_MS = 4 * 3_600_000;
const TEMPORARY_BYTES = 64 * 2 ** 30;
const SPARK_MEMORY_MB = 4096;
/** In which the kernel counts the times of a process (USER_HZ of man 5 proc). */
const TICKS_A_SECOND = 100;
/** Of a column in PostgreSQL, by place. */
const POSTGRESQL_TYPES: readonly (readonly [type: string, kind: Column['data_type']])[] = [
  ['bigint', 'INTEGER'],
  ['integer', 'INTEGER'],
  ['double precision', 'DECIMAL'],
  ['numeric(12,2)', 'DECIMAL'],
  ['date', 'DATE'],
  ['timestamp without time zone', 'TIMESTAMP'],
  ['text', 'STRING'],
  ['text', 'STRING'],
  ['text', 'STRING'],
  ['boolean', 'BOOLEAN'],
];
const NAMES = POSTGRESQL_TYPES.map((_, index) => `c${index}`);

type Task =
  | { readonly engine: 'DuckDB'; readonly path: string; readonly directory: string }
  | { readonly engine: 'PostgreSQL'; readonly url: string; readonly directory: string }
  | { readonly engine: 'Spark'; readonly address: SparkAddress; readonly path: string; readonly directory: string };
type Points = readonly (readonly [point: string, value: number | null])[];
type Measured = { readonly wallSeconds: number; readonly processorSeconds: number; readonly points: Points };

const { values: flags } = readFlags({ options: { rows: { type: 'string' }, task: { type: 'string' } } });
if (flags.task === undefined) await compareAll((flags.rows ?? '1000000').split(',').map(Number));
else await runTask(JSON.parse(flags.task) as Task); // Written by `measured` below.

async function compareAll(sizes: readonly number[]): Promise<void> {
  process.stdout.write('| rows | engine | seconds | processor, service | processor, engine | moved to the service | other points |\n');
  process.stdout.write('| ---: | --- | ---: | ---: | ---: | ---: | ---: |\n');
  for (const rows of sizes) {
    const directory = await mkdtemp(join(tmpdir(), 'sextant-bench-'));
    try {
      // PostgreSQL reads files of it, as a user of its own.
      await chmod(directory, 0o755);
      await compareAt(rows, directory);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}

async function compareAt(rows: number, directory: string): Promise<void> {
  const path = join(directory, 'table.parquet');
  await generateTable({ rows, columns: NAMES.length, path, format: 'parquet' });
  const duckdb = await measured({ engine: 'DuckDB', path, directory });
  const { size } = await stat(path);
  report({ rows, engine: 'DuckDB, of Parquet', run: duckdb, moved: size, engineSeconds: 0 }, duckdb.points);
  const noPostgres = missingPostgres();
  if (noPostgres === undefined) await onPostgres(rows, directory, duckdb.points);
  else process.stdout.write(`PostgreSQL is left out: ${noPostgres}\n`);
  const noSpark = missingSpark();
  if (noSpark === undefined) await onSpark({ rows, path, directory }, duckdb.points);
  else process.stdout.write(`Spark is left out: ${noSpark}\n`);
}

async function onPostgres(rows: number, directory: string, expected: Points): Promise<void> {
  const csv = join(directory, 'table.csv');
  await generateTable({ rows, columns: NAMES.length, path: csv, format: 'csv' });
  await using server = await temporaryPostgres();
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query(`CREATE TABLE bench (${POSTGRESQL_TYPES.map(([type], index) => `c${index} ${type}`).join(', ')})`);
  await client.query(`COPY bench FROM '${csv}' (FORMAT csv, HEADER true)`);
  await client.query('VACUUM ANALYZE bench');
  const { rows: files } = await client.query<{ file: string }>("SELECT pg_read_file('postmaster.pid') AS file");
  await client.end();
  await rm(csv);
  const postmaster = [Number(files[0]?.file.split('\n')[0])];
  await using counted = await countBytes(server.port);
  const url = Object.assign(new URL(server.databaseUrl), { port: String(counted.port) }).href;
  const before = processorSeconds(postmaster);
  const run = await measured({ engine: 'PostgreSQL', url, directory });
  // A server process counts in its parent's time when it has ended.
  await pause(systemClock, ENDING_MS);
  report({ rows, engine: 'PostgreSQL', run, moved: counted.bytes(), engineSeconds: processorSeconds(postmaster) - before }, expected);
}

async function onSpark(
  { rows, path, directory }: { readonly rows: number; readonly path: string; readonly directory: string },
  expected: Points,
): Promise<void> {
  const folder = await mkdtemp(join(directory, 'spark-'));
  await using server = await startLocalSpark({
    home: sparkHome() ?? '',
    directory: folder,
    memoryMb: SPARK_MEMORY_MB,
    threads: THREADS,
    lifeOf: process.pid,
  });
  const pids = () => descendantsOf(server.pid ?? 0);
  await using counted = await countBytes(server.address.port);
  const before = processorSeconds(pids());
  const run = await measured({ engine: 'Spark', address: { ...server.address, port: counted.port }, path, directory });
  report({ rows, engine: 'Spark, of Parquet', run, moved: counted.bytes(), engineSeconds: processorSeconds(pids()) - before }, expected);
}

type Row = {
  readonly rows: number;
  readonly engine: string;
  readonly run: Measured;
  readonly moved: number;
  readonly engineSeconds: number;
};

function report({ rows, engine, run, moved, engineSeconds }: Row, expected: Points): void {
  const cells = [
    rows.toLocaleString('en'),
    engine,
    run.wallSeconds.toFixed(1),
    `${run.processorSeconds.toFixed(2)} s`,
    engineSeconds === 0 ? 'the same' : `${engineSeconds.toFixed(1)} s`,
    `${Math.ceil(moved / 1024).toLocaleString('en')} KiB`,
    `${differences(run.points, expected)} of ${expected.length}`,
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

/** Points whose values differ by more than the last digits of a double. */
function differences(found: Points, expected: Points): number {
  const [left, right] = [new Map(found), new Map(expected)];
  return [...new Set([...left.keys(), ...right.keys()])].filter((point) => {
    const [one, other] = [left.get(point), right.get(point)];
    if (one === other) return false;
    return typeof one !== 'number' || typeof other !== 'number' || !(Math.abs(one - other) <= 1e-12 * Math.abs(other));
  }).length;
}

async function measured(task: Task): Promise<Measured> {
  const child = fork(new URL(import.meta.url), [`--task=${JSON.stringify(task)}`], { execArgv: ['--no-warnings'] });
  try {
    return await new Promise<Measured>((resolve, reject) => {
      // The process below is this file.
      child.once('message', (message) => resolve(message as Measured));
      child.once('exit', (code) => reject(new Error(`the scan ended with code ${code}`)));
    });
  } finally {
    child.kill();
  }
}

async function runTask(task: Task): Promise<void> {
  await using source = await open(task);
  const [beforeSeconds, startMs] = [processorSeconds([process.pid]), systemClock.monotonicMs()];
  const { metrics, failures } = await runScan(
    {
      source,
      options: { id_attributes: ['c0'] },
      attributes: NAMES.map((name) => ({ name, data_type: 'OTHER' as const, monitored: true })),
      monitors: [],
      nowMs: Date.UTC(2026, 0, 1),
      seed: 'bench',
    },
    {
      limits: {
        memoryBytes: MEMORY_BYTES,
        temporaryDirectory: task.directory,
        temporaryBytes: TEMPORARY_BYTES,
        threads: THREADS,
        timeoutMs: TIMEOUT_MS,
      },
      clock: systemClock,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
  );
  assert(failures.length === 0, 'every check of the scan ran');
  assert(process.send !== undefined, 'a scan is a child process');
  const points = metrics.map(
    ({ value, ...point }) => [[point.metric_name, point.metric_aggregation, point.attribute, point.segment].join(' | '), value] as const,
  );
  const wallSeconds = (systemClock.monotonicMs() - startMs) / 1000;
  process.send({ wallSeconds, processorSeconds: processorSeconds([process.pid]) - beforeSeconds, points } satisfies Measured);
}

async function open(task: Task): Promise<OpenedSource> {
  if (task.engine === 'DuckDB') return fileSource(task.path);
  if (task.engine === 'PostgreSQL') return openPostgres(task.url);
  await using file = await fileSource(task.path);
  const opened = await openSparkTable(
    { path: task.path, format: 'parquet' },
    { clock: systemClock, address: task.address, statementTimeoutMs: TIMEOUT_MS },
  );
  return asFile(opened, file.description);
}

async function openPostgres(url: string): Promise<OpenedSource> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET TimeZone = 'UTC'");
  return {
    description: {
      columns: POSTGRESQL_TYPES.map(([source_type, data_type], index) => ({ name: `c${index}`, source_type, data_type })),
      modified_at: null,
      bytes: null,
    },
    data: {
      kind: 'postgresql',
      connect: { query: async (text) => (await client.query({ text, rowMode: 'array' })).rows },
      relation: { kind: 'table', schema: 'public', table: 'bench' },
    },
    confirmUnchanged: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Passes everything on to a server of this machine, and counts what comes back. */
async function countBytes(port: number): Promise<AsyncDisposable & { readonly port: number; bytes(): number }> {
  let bytes = 0;
  const proxy = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    to.on('data', (chunk) => {
      bytes += chunk.length;
    });
    from.pipe(to).pipe(from);
    for (const socket of [from, to]) socket.on('error', () => [from, to].map((each) => each.destroy()));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  // Of a server that listens on a port.
  const { port: own } = proxy.address() as AddressInfo;
  return {
    port: own,
    bytes: () => bytes,
    [Symbol.asyncDispose]: async () => void proxy.close(),
  };
}

/** What processes and their ended children took of all processors, where the system says so (Linux). */
function processorSeconds(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => {
    // The name may hold anything but ends with the last parenthesis.
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return fields.split(' ').slice(11, 15).map(Number);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND;
}

function descendantsOf(pid: number): readonly number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(descendantsOf)];
}
