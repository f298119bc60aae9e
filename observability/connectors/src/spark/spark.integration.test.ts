// SPDX-License-Identifier: Apache-2.0
/** The connector and its session against a real Spark, which all tests of a run share. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { freePort, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connector, type OpenConnection, SourceError, type SparkProgress } from '../connector.ts';
import { openCutProxy } from '../testing/cut-proxy.ts';
import { missingSpark, openSparkForTests, sharedSpark } from '../testing/spark-for-tests.ts';
import { clusterLaunchers } from './clusters/cluster-kinds.ts';
import type { SparkAddress } from './connect-channel.ts';
import { localLauncher, remoteLauncher } from './launcher.ts';
import { createSparkConnector } from './spark-connector.ts';

const STATEMENT_TIMEOUT_MS = 100_000;
/** On a machine with other work Java takes minutes to start. */
const START_TIMEOUT_MS = 600_000;
/** It counts for minutes. */
const ENDLESS = "SELECT count(*) FROM range(100000000000) WHERE sha2(CAST(id AS STRING), 512) LIKE '0000000000%'";

const missing = missingSpark();
const outbound = createOutboundGuard({ allowPrivateNetworks: true });
const noSpark = { memoryMb: 0, threads: 1, home: undefined, environments: [], temporaryDirectory: '', clock: systemClock };
const { signal } = new AbortController();
let directory: TemporaryDirectory;
let address: SparkAddress;
let connector: Connector;
let connection: OpenConnection;

beforeAll(async () => {
  if (missing !== undefined) return;
  directory = await temporaryDirectory();
  address = await sharedSpark();
  connector = createSparkConnector({
    remote: remoteLauncher(outbound),
    local: localLauncher(noSpark),
    clusters: clusterLaunchers({ outbound, clock: systemClock }),
    allowedDirectories: [],
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    clock: systemClock,
  });
  connection = connectionTo({});
}, START_TIMEOUT_MS);
afterAll(async () => {
  outbound.close();
  await directory?.[Symbol.asyncDispose]();
});

function connectionTo(changes: OpenConnection['payload'], token = address.token): OpenConnection {
  const payload = { host: address.host, port: address.port, ssl: false, ...changes };
  return { id: 1, type: 'SPARK', payload, credential: { type: 'TOKEN', payload: { token } } };
}

function open(payload: OpenConnection['payload']) {
  const options = { signal, temporaryDirectory: directory.path };
  return connector.open(connection, { payload }, options);
}

describe.skipIf(missing !== undefined)(missing === undefined ? 'Spark' : `Spark (skipped: ${missing})`, { timeout: 600_000 }, () => {
  test('a connection is tried, and what is wrong with it is said', async () => {
    await connector.test(connection, signal);
    await expect(connector.test(connectionTo({}, 'another'), signal)).rejects.toThrow(
      `Spark at 127.0.0.1:${address.port} refused the token`,
    );
    const nobody = await freePort();
    await expect(connector.test(connectionTo({ port: nobody }), signal)).rejects.toThrow(`Spark at 127.0.0.1:${nobody} cannot be reached`);
    const local: OpenConnection = { id: 1, type: 'SPARK', payload: { local: true }, credential: null };
    await expect(connector.test(local, signal)).rejects.toThrow('OBSERVABILITY_SPARK_MEMORY_MB');
    for (const payload of [{ path: '/etc', format: 'csv' }, { path: 's3a://bucket/a', format: 'csv' }, { table: 'csv.`/etc/passwd`' }])
      await expect(connector.describe(local, { payload }, signal)).rejects.toThrow(/^payload\.(?:path|table) must/);
  });

  test('files are opened as a view with their columns, and found to have changed', async () => {
    const folder = join(directory.path, "deliv'eries");
    await mkdir(folder);
    const text = 'id,name,day\n1,x,2026-01-31\n2,"y\\z",2026-02-01\n';
    await writeFile(join(folder, 'a.csv'), text);
    await using source = await open({ path: folder, format: 'csv' });
    expect(source.description.columns).toEqual([
      { name: 'id', source_type: 'int', data_type: 'INTEGER' },
      { name: 'name', source_type: 'string', data_type: 'STRING' },
      { name: 'day', source_type: 'date', data_type: 'DATE' },
    ]);
    expect(source.description.bytes).toBe(Buffer.byteLength(text));
    if (source.data.kind !== 'spark') throw new Error('another kind');
    const { connect, view } = source.data;
    const statement = `SELECT sum(id), max(name), CAST(sum(id) AS DECIMAL(38, 0)) * -10000000000000000000, 0.5D, id IS NULL, NULL FROM ${view} GROUP BY id ORDER BY id LIMIT 1`;
    expect(await connect.query(statement)).toEqual([[1n, 'x', -10_000_000_000_000_000_000n, 0.5, false, null]]);
    await source.confirmUnchanged();
    await writeFile(join(folder, 'b.csv'), 'id,name,day\n3,z,2026-02-02\n');
    await expect(source.confirmUnchanged()).rejects.toThrow('the files changed while they were read');
  });

  test('a line that cannot be read ends the scan in words', async () => {
    const path = join(directory.path, 'broken.csv');
    await writeFile(path, 'id,name\n1,x\n2,y,too,many\n');
    await expect(
      (async () => {
        await using source = await open({ path, format: 'csv', options: { inferSchema: false } });
        if (source.data.kind === 'spark') await source.data.connect.query(`SELECT count(id) FROM ${source.data.view}`);
      })(),
    ).rejects.toThrow(/^Encountered error while reading file .*broken\.csv: it may be damaged, or a line of it does not fit/);
    await expect(open({ path: join(directory.path, 'none.parquet'), format: 'parquet' })).rejects.toThrow(
      /^the asset cannot be read: .*none\.parquet/,
    );
    await expect(open({ table: 'no.such.table' })).rejects.toThrow(SourceError);
  });

  test('a cancelled statement is interrupted, one that takes too long has a sentence, and the next one runs', async () => {
    await using session = await openSparkForTests(systemClock);
    const cancelled = new AbortController();
    const running = session.query(ENDLESS, { signal: cancelled.signal });
    const reason = new Error('a person ended it');
    setTimeout(() => cancelled.abort(reason), 500);
    await expect(running).rejects.toBe(reason);
    await expect(session.query(ENDLESS, { timeoutMs: 1000 })).rejects.toThrow('a statement took longer than its limit of 1 seconds');
    await expect(session.query('SELECT 1/0')).rejects.toThrow(/^Division by zero$/);
    // There is one thread: it would wait for ever behind a statement that goes on.
    expect(await session.query('SELECT count(*) FROM range(10)')).toEqual([[10n]]);
  });

  test.for([
    ['before its first answer', 0],
    ['between two answers', 400_000],
  ] as const)('a statement whose connection breaks %s is taken up, and answers each row once', async ([, bytes]) => {
    await using proxy = await openCutProxy(address.port);
    const through = connectionTo({ port: proxy.port });
    const path = join(directory.path, 'few.csv');
    await writeFile(path, 'id\n1\n');
    await using source = await connector.open(
      through,
      { payload: { path, format: 'csv' } },
      { signal, temporaryDirectory: directory.path },
    );
    if (source.data.kind !== 'spark') throw new Error('another kind');
    const rows = 200_000;
    proxy.cutAfter(bytes);
    const answer = await source.data.connect.query(`SELECT id FROM range(0, ${rows}, 1, 8)`);
    expect(proxy.cuts()).toBe(1);
    expect(answer.length).toBe(rows);
    expect(answer.findIndex(([id], index) => id !== BigInt(index))).toBe(-1);
  });

  test('the next attempt ends what an attempt left running, and the properties of the tenant are those of its session', async () => {
    const run = { id: randomUUID(), attempt: 1 };
    const path = join(directory.path, 'one.csv');
    await writeFile(path, 'id\n1\n');
    const options = { signal, temporaryDirectory: directory.path };
    const reported: SparkProgress[] = [];
    const onSparkProgress = (progress: SparkProgress) => void reported.push(progress);
    const first = await connector.open(connection, { payload: { path, format: 'csv' } }, { ...options, run, onSparkProgress });
    if (first.data.kind !== 'spark') throw new Error('another kind');
    const left = first.data.connect.query(ENDLESS).then(
      () => 'ended',
      (error: unknown) => String(error),
    );
    await expect.poll(() => reported.some(({ stages, tasks }) => stages > 0 && tasks > 0), { timeout: 60_000 }).toBe(true);
    const sparkProperties = { 'spark.sql.shuffle.partitions': '3', 'spark.driver.memory': '1g' };
    const next = { ...options, run: { ...run, attempt: 2 } };
    const set = { ...connection, spark: { tenant: 'default', config: { spark_properties: sparkProperties } } };
    await using second = await connector.open(set, { payload: { path, format: 'csv' } }, next);
    expect(await left).not.toBe('ended');
    if (second.data.kind !== 'spark') throw new Error('another kind');
    expect(await second.data.connect.query('SET spark.sql.shuffle.partitions')).toEqual([['spark.sql.shuffle.partitions', '3']]);
    await first[Symbol.asyncDispose]();
  });

  test('tables of the catalog are listed, read by name, and hide nothing of others', async () => {
    await using session = await openSparkForTests(systemClock);
    const name = `t_${randomUUID().slice(0, 8)}`;
    await session.query(`CREATE TABLE ${name} USING parquet AS SELECT id, CAST(id AS STRING) AS \`the.text\` FROM range(3)`);
    const listed = await connector.list(connection, { limit: 1000, signal });
    expect(listed).toContainEqual({ payload: { table: `default.${name}` }, name: `default.${name}`, bytes: null, modified_at: null });
    await using source = await open({ table: `default.${name}` });
    expect(source.description.columns.map((column) => column.name)).toEqual(['id', 'the.text']);
    await session.query(`DROP TABLE ${name}`);
    await writeFile(join(directory.path, 'secret.csv'), 'a\n1\n');
    await expect(open({ table: `csv.\`${join(directory.path, 'secret.csv')}\`` })).rejects.toThrow(/cannot be read/);
  });
});
