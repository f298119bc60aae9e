// SPDX-License-Identifier: Apache-2.0
import { createServer } from 'node:net';
import { createOutboundGuard } from '@sextant/foundation-service';
import { missingPostgres, type SharedPostgres, sharedPostgres } from '@sextant/foundation-testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenConnection } from '../connector.ts';
import { createPostgresqlConnector } from './postgresql-connector.ts';

const signal = new AbortController().signal;
const outbound = createOutboundGuard({ allowed: ['127.0.0.1'] });
const connector = createPostgresqlConnector({ outbound, statementTimeoutMs: 2000 });
const missing = missingPostgres();
let server: SharedPostgres;
let owner: pg.Client;
let connection: OpenConnection;

beforeAll(async () => {
  if (missing !== undefined) return;
  server = await sharedPostgres();
  connection = {
    id: 1,
    type: 'POSTGRESQL',
    payload: { host: server.host, port: server.port, database: new URL(server.databaseUrl).pathname.slice(1), ssl: false },
    credential: { type: 'SIMPLE', payload: { username: server.user, password: server.password } },
  };
  owner = new pg.Client({ connectionString: server.databaseUrl });
  await owner.connect();
  await owner.query(`
    CREATE SCHEMA "Sales Data";
    CREATE TABLE "Sales Data"."or""ders" (
      id bigint, small smallint, price numeric(10, 2), weight double precision, paid boolean, day date, at timestamptz, name text, tags text[]
    );
    INSERT INTO "Sales Data"."or""ders" VALUES
      (9007199254740993, 1, 12.50, 0.1, true, '2026-01-02', '2026-01-02 03:04:05+02', 'a', '{x}'), (2, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL);
    CREATE TABLE plain (id integer);
    CREATE VIEW seen AS SELECT id FROM plain;`);
});
afterAll(async () => {
  if (missing === undefined) await owner.end();
});

async function open(payload: OpenConnection['payload'], options: { readonly signal?: AbortSignal } = {}) {
  const opened = await connector.open(connection, { payload }, { signal: options.signal ?? signal, temporaryDirectory: '/nowhere' });
  if (opened.data.kind !== 'postgresql') throw new Error('expected PostgreSQL');
  return { ...opened, query: opened.data.connect.query, relation: opened.data.relation };
}

describe.skipIf(missing !== undefined)('tables and queries', () => {
  test('a table is described with the types of the database', async () => {
    const { columns, bytes } = await connector.describe(connection, { payload: { schema: 'Sales Data', table: 'or"ders' } }, signal);
    expect(columns.map(({ name, source_type, data_type }) => [name, source_type, data_type])).toEqual([
      ['id', 'bigint', 'INTEGER'],
      ['small', 'smallint', 'INTEGER'],
      ['price', 'numeric(10,2)', 'DECIMAL'],
      ['weight', 'double precision', 'DECIMAL'],
      ['paid', 'boolean', 'BOOLEAN'],
      ['day', 'date', 'DATE'],
      ['at', 'timestamp with time zone', 'TIMESTAMP'],
      ['name', 'text', 'STRING'],
      ['tags', 'text[]', 'OTHER'],
    ]);
    expect(bytes).toBeGreaterThan(0);
  });

  test('of a view it says what it is made of, with every table under its schema', async () => {
    const { definition } = await connector.describe(connection, { payload: { table: 'seen' } }, signal);
    expect(definition?.replace(/\s+/g, ' ').trim()).toMatch(/^SELECT (plain\.)?id FROM public\.plain;$/);
    expect(await connector.describe(connection, { payload: { table: 'plain' } }, signal)).not.toHaveProperty('definition');
    await using opened = await open({ table: 'seen' });
    expect(await opened.query("SELECT current_setting('search_path')")).toEqual([['"$user", public']]);
  });

  test('values arrive exactly, times in UTC', async () => {
    await using opened = await open({ schema: 'Sales Data', table: 'or"ders' });
    expect(await opened.query('SELECT * FROM "Sales Data"."or""ders" ORDER BY paid DESC')).toEqual([
      [9007199254740993n, 1, '12.50', 0.1, true, '2026-01-02', '2026-01-02 01:04:05+00', 'a', '{x}'],
      [2n, null, null, null, false, null, null, null, null],
    ]);
  });

  test('a query is a relation of its own, with a comment or a semicolon at its end', async () => {
    const { columns } = await connector.describe(connection, { payload: { query: 'SELECT 1 AS one, now() AS at -- last;\n;' } }, signal);
    expect(columns.map(({ name, data_type }) => [name, data_type])).toEqual([
      ['one', 'INTEGER'],
      ['at', 'TIMESTAMP'],
    ]);
    await using opened = await open({ query: 'WITH x AS (SELECT 1 AS one) SELECT * FROM x;' });
    expect(opened.relation).toEqual({ kind: 'query', sql: 'WITH x AS (SELECT 1 AS one) SELECT * FROM x' });
  });

  test('what the user may read is listed, up to the limit', async () => {
    const items = await connector.list(connection, { limit: 10, signal });
    expect(items.map(({ name }) => name)).toEqual(['Sales Data.or"ders', 'public.plain', 'public.seen']);
    expect(await connector.list(connection, { limit: 1, signal })).toHaveLength(1);
  });

  test('all statements of a scan see the same rows', async () => {
    await using opened = await open({ table: 'plain' });
    await owner.query('INSERT INTO plain VALUES (1)');
    expect(await opened.query('SELECT count(*) FROM plain')).toEqual([[0n]]);
    await owner.query('DELETE FROM plain');
  });
});

describe.skipIf(missing !== undefined)('what a text of a user cannot do', () => {
  test.each([
    'SELECT 1; DROP TABLE plain',
    'SELECT 1) AS a; COMMIT; DROP TABLE plain; --',
    'SELECT 1) AS a, (SELECT 2',
    'WITH gone AS (DELETE FROM plain RETURNING *) SELECT * FROM gone',
    'SELECT 1 /*',
  ])('%s is refused as a query', async (query) => {
    await expect(open({ query })).rejects.toMatchObject({ name: 'SourceError', member: 'payload.query' });
    expect((await owner.query('SELECT * FROM plain')).rowCount).toBe(0);
  });

  test.each(['DELETE FROM plain', 'DROP TABLE plain', "COPY plain TO '/tmp/x'", 'SET TRANSACTION READ WRITE'])(
    '%s is no query',
    (query) => {
      expect(() => connector.validateAsset({ query })).toThrow('must be one SELECT statement');
    },
  );

  test('statements cannot write, leave the transaction, or change it for the next one', async () => {
    await using opened = await open({ table: 'plain' });
    await expect(opened.query('INSERT INTO plain VALUES (1)')).rejects.toThrow('read-only');
    await expect(opened.query('COMMIT; INSERT INTO plain VALUES (1)')).rejects.toThrow('multiple commands');
    await expect(opened.query("SELECT set_config('transaction_read_only', 'off', false)")).rejects.toThrow('read-write');
    await opened.query("SELECT set_config('statement_timeout', '0', false), set_config('TimeZone', 'Asia/Tokyo', false)");
    expect(await opened.query("SELECT current_setting('statement_timeout'), current_setting('TimeZone')")).toEqual([['2s', 'UTC']]);
  });

  test('a statement that fails does not spoil the next', async () => {
    await using opened = await open({ table: 'plain' });
    await expect(opened.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
    expect(await opened.query('SELECT 1')).toEqual([[1]]);
  });

  test('a statement that takes too long is ended by the database', async () => {
    const quick = createPostgresqlConnector({ outbound, statementTimeoutMs: 100 });
    await using opened = await quick.open(connection, { payload: { table: 'plain' } }, { signal, temporaryDirectory: '/nowhere' });
    if (opened.data.kind !== 'postgresql') throw new Error('expected PostgreSQL');
    await expect(opened.data.connect.query('SELECT pg_sleep(20)')).rejects.toThrow('took longer than 100 ms');
  });

  test('one statement may have a shorter limit than the others', async () => {
    await using opened = await open({ table: 'plain' });
    await expect(opened.query('SELECT pg_sleep(20)', { timeoutMs: 100 })).rejects.toThrow('took longer than 100 ms');
    expect(await opened.query("SELECT current_setting('statement_timeout')")).toEqual([['2s']]);
  });

  test('an answer of too many rows is refused, not kept', async () => {
    const small = createPostgresqlConnector({ outbound, statementTimeoutMs: 20_000, rowsMax: 10 });
    await using opened = await small.open(connection, { payload: { table: 'plain' } }, { signal, temporaryDirectory: '/nowhere' });
    if (opened.data.kind !== 'postgresql') throw new Error('expected PostgreSQL');
    const { query } = opened.data.connect;
    await expect(query('SELECT generate_series(1, 100000)')).rejects.toThrow('more than 10 rows');
    expect(await query('SELECT generate_series(1, 10)')).toHaveLength(10);
  });

  test('a scan that is cancelled ends its statement in the database', async () => {
    const patient = createPostgresqlConnector({ outbound, statementTimeoutMs: 60_000 });
    await using opened = await patient.open(connection, { payload: { table: 'plain' } }, { signal, temporaryDirectory: '/nowhere' });
    if (opened.data.kind !== 'postgresql') throw new Error('expected PostgreSQL');
    const stop = new AbortController();
    const answer = opened.data.connect.query('SELECT pg_sleep(50) AS "cancelled soon"', { signal: stop.signal });
    while ((await running()) === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('cancelled'));
    await expect(answer).rejects.toThrow('cancelled');
    expect(await running()).toBe(0);
  });

  async function running(): Promise<number | null> {
    return (
      await owner.query(
        `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%cancelled soon%' AND pid <> pg_backend_pid()`,
      )
    ).rowCount;
  }
});

describe.skipIf(missing !== undefined)('connections that do not work say why', () => {
  test.each([
    ['credential', { credential: { type: 'SIMPLE', payload: { username: 'sextant', password: 'wrong' } } }, 'refuses user sextant'],
    ['payload.database', { payload: { database: 'missing' } }, 'has no database missing'],
    ['payload.ssl', { payload: { ssl: true } }, 'does not encrypt connections'],
    ['payload.host', { payload: { host: '127.0.0.2' } }, 'not allowed'],
    ['payload.host', { payload: { port: 1 } }, 'cannot be reached'],
  ])('%s: %j', async (member, { credential, payload }: Partial<Pick<OpenConnection, 'credential' | 'payload'>>, message) => {
    const broken = { ...connection, payload: { ...connection.payload, ...payload }, credential: credential ?? connection.credential };
    await expect(connector.test(broken, signal)).rejects.toMatchObject({
      name: 'SourceError',
      member,
      message: expect.stringContaining(message),
    });
  });

  test('a missing table is distinguished from a table that may not be read', async () => {
    await expect(open({ table: 'missing' })).rejects.toMatchObject({ member: 'payload.table' });
    await owner.query("CREATE ROLE guest LOGIN PASSWORD 'secret'");
    const guest = { ...connection, credential: { type: 'SIMPLE', payload: { username: 'guest', password: 'secret' } } };
    await expect(connector.describe(guest, { payload: { table: 'plain' } }, signal)).rejects.toMatchObject({ member: 'credential' });
    expect(await connector.list(guest, { limit: 10, signal })).toEqual([]);
    await owner.query('DROP ROLE guest');
  });

  test('a server that never speaks is left when the caller gives up', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const stop = new AbortController();
    const attempt = connector.test({ ...connection, payload: { ...connection.payload, port } }, stop.signal);
    silent.once('connection', () => stop.abort(new Error('gave up')));
    await expect(attempt).rejects.toThrow('gave up');
    silent.close();
  });

  test('a table that is locked is not waited for', async () => {
    const other = new pg.Client({ connectionString: server.databaseUrl });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE plain IN ACCESS EXCLUSIVE MODE');
    const impatient = createPostgresqlConnector({ outbound, statementTimeoutMs: 30_000, lockTimeoutMs: 100 });
    await expect(impatient.describe(connection, { payload: { table: 'plain' } }, signal)).rejects.toThrow('locked for longer than 100 ms');
    await other.end();
  });
});

test.each([
  [{ host: 'db' }, 'payload.database'],
  [{ database: 'x' }, 'payload.host'],
  [{ host: 'db/x', database: 'x' }, 'payload.host'],
  [{ host: 'db', database: 'x', port: 0 }, 'payload.port'],
  [{ host: 'db', database: 'x', ssl: 'maybe' }, 'payload.ssl'],
])('the connection %j is refused for its %s', (payload, member) => {
  const credential = { type: 'SIMPLE', payload: { username: 'x', password: 'x' } };
  expect(() => connector.validateConnection(payload, credential)).toThrow(member);
});

test.each([
  [null, 'credential is missing'],
  [{ type: 'TOKEN', payload: { token: 'x' } }, 'needs SIMPLE'],
  [{ type: 'SIMPLE', payload: { username: 'x' } }, 'credential.payload.password'],
])('the credential %j is refused', (credential, message) => {
  expect(() => connector.validateConnection({ host: 'db', database: 'x' }, credential)).toThrow(message);
});
