// SPDX-License-Identifier: Apache-2.0
import { createOutboundGuard } from '@sextant/foundation-service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenConnection, VectorPoint } from '../connector.ts';
import { startVectorDatabase, type VectorDatabaseForTests } from '../testing/vector-stores-for-tests.ts';
import { createPgvectorConnector } from './pgvector-connector.ts';

const signal = new AbortController().signal;
const connector = createPgvectorConnector({ outbound: createOutboundGuard({ allowed: ['127.0.0.1'] }), statementTimeoutMs: 5000 });
let database: VectorDatabaseForTests;
let connection: OpenConnection;

beforeAll(async () => {
  database = await startVectorDatabase();
  await database.run(`
    CREATE SCHEMA "Art's";
    CREATE TABLE "Art's"."pic""tures" (id bigint PRIMARY KEY, "ti'tle" text, plays bigint, embedding vector(3), small halfvec(2));
    INSERT INTO "Art's"."pic""tures" SELECT g, 'picture ' || g, g, ARRAY[g, 1, 0.5]::vector, ARRAY[g, 1]::halfvec FROM generate_series(1, 1200) g;
    INSERT INTO "Art's"."pic""tures" VALUES (9007199254740993, E'it\\'s \\\\ last', 9007199254740995, NULL, '[0,0.5]');
    CREATE INDEX ON "Art's"."pic""tures" USING hnsw (embedding vector_l2_ops);
    CREATE INDEX ON "Art's"."pic""tures" USING hnsw (small halfvec_cosine_ops);
    CREATE TABLE arrays (name text PRIMARY KEY, place real[], note text);
    INSERT INTO arrays VALUES ('a\\b''c', '{1,2}', 'x'), ('b', '{NaN,Infinity}', NULL), ('c', NULL, 'y');
    CREATE TABLE keyless (embedding vector(3));
    CREATE TABLE pairs (a int, b int, embedding vector(2), PRIMARY KEY (a, b));
    CREATE TABLE plain (id int PRIMARY KEY);
    CREATE TABLE large (id int PRIMARY KEY, text text, embedding vector(2));
    INSERT INTO large VALUES (1, repeat('x', 2000000), '[1,2]');`);
  connection = {
    id: 1,
    type: 'PGVECTOR',
    payload: { host: '127.0.0.1', port: database.port, database: 'postgres', ssl: false },
    credential: { type: 'SIMPLE', payload: { username: 'postgres', password: 'unasked' } },
  };
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

const PICTURES = { schema: "Art's", table: 'pic"tures' };

async function open(payload: OpenConnection['payload']) {
  const opened = await connector.open(connection, { payload }, { signal, temporaryDirectory: '/nowhere' });
  if (opened.data.kind !== 'vectors') throw new Error('expected vectors');
  return { ...opened, collection: opened.data.collection };
}

async function pointsOf(payload: OpenConnection['payload']): Promise<readonly VectorPoint[]> {
  await using opened = await open(payload);
  const points: VectorPoint[] = [];
  for await (const page of opened.collection.points({ signal })) points.push(...page);
  return points;
}

test('lists the tables that have vectors', async () => {
  const items = await connector.list(connection, { limit: 100, signal });
  expect(items.map(({ name }) => name)).toEqual([`Art's.pic"tures`, 'public.arrays', 'public.keyless', 'public.large', 'public.pairs']);
  expect(items[0]?.payload).toEqual(PICTURES);
});

test('rows are points, each once, with exact integers and what is missing', async () => {
  const points = await pointsOf(PICTURES);
  expect(points).toHaveLength(1201);
  expect(new Set(points.map(({ id }) => id)).size).toBe(1201);
  expect(points[6]).toEqual({
    id: '7',
    payload: { id: 7, "ti'tle": 'picture 7', plays: 7 },
    vectors: { embedding: [7, 1, 0.5], small: [7, 1] },
  });
  expect(points.at(-1)).toEqual({
    id: '9007199254740993',
    payload: { id: 9007199254740993n, "ti'tle": "it's \\ last", plays: 9007199254740995n },
    vectors: { small: [0, 0.5] },
  });
});

test('tells its points, dimensions and columns', async () => {
  await using opened = await open(PICTURES);
  expect(await opened.collection.info()).toEqual({ points: 1201, indexed: 1201, dimensions: { embedding: 3, small: 2 } });
  expect(opened.description.columns.map(({ name, data_type: type }) => [name, type])).toEqual([
    ['id', 'INTEGER'],
    ["ti'tle", 'STRING'],
    ['plays', 'INTEGER'],
  ]);
});

test('the index is asked for neighbours, and every row where they are to be exact', async () => {
  await using opened = await open(PICTURES);
  const search = { id: '100', vector: 'embedding', limit: 2 };
  const answers = await opened.collection.nearest?.(
    [
      { ...search, isExact: false },
      { ...search, isExact: true },
      { ...search, isExact: true, where: { member: "ti'tle", value: 'picture 7' } },
      { ...search, isExact: true, where: { member: 'plays', value: 9 } },
      { ...search, vector: 'small', isExact: true },
    ],
    { signal },
  );
  const ids = answers?.map((points) => points.map(({ id }) => id).toSorted());
  expect(ids?.slice(0, 4)).toEqual([['101', '99'], ['101', '99'], ['7'], ['9']]);
  expect(answers?.[1]?.[0]?.score).toBe(1);
  expect(ids?.[4]).toHaveLength(2);
});

test('arrays of numbers are vectors where pgvector is not used, without an index to ask', async () => {
  expect(await pointsOf({ table: 'arrays' })).toEqual([
    { id: "a\\b'c", payload: { name: "a\\b'c", note: 'x' }, vectors: { place: [1, 2] } },
    { id: 'b', payload: { name: 'b', note: null }, vectors: { place: [null, null] } },
    { id: 'c', payload: { name: 'c', note: 'y' }, vectors: {} },
  ]);
  await using opened = await open({ table: 'arrays' });
  expect(await opened.collection.info()).toEqual({ points: 3, indexed: undefined, dimensions: { place: 2 } });
  expect(opened.collection.nearest).toBeUndefined();
});

test.each([
  [{ table: 'missing' }, 'payload.table', 'there is no such table'],
  [{ table: 'plain' }, 'payload.table', 'has no column of type vector or halfvec'],
  [{ table: 'keyless' }, 'payload.table', 'no primary key of one column'],
  [{ table: 'pairs' }, 'payload.table', 'no primary key of one column'],
  [{ table: 'pairs', id: 'a' }, 'payload.id', 'no unique index of its own'],
  [{ table: 'arrays', id: 'note' }, 'payload.id', 'expected name'],
  [{ table: 'large' }, 'payload.table', 'row 1 has more than 1048576 bytes in addition to its vectors'],
])('%j is refused with the member at fault', async (payload, member, message) => {
  await expect(pointsOf(payload)).rejects.toMatchObject({ name: 'SourceError', member, message: expect.stringContaining(message) });
});

test('what cannot be right is refused before anything is connected to', () => {
  expect(() => connector.validateAsset({})).toThrow('payload.table is missing');
  expect(() => connector.validateConnection({ host: 'db' }, connection.credential)).toThrow('payload.database is missing');
  expect(() => connector.validateConnection({ host: 'db', database: 'x' }, null)).toThrow('credential is missing');
});

test('an inner address is never connected to', async () => {
  const fenced = createPgvectorConnector({ outbound: createOutboundGuard(), statementTimeoutMs: 5000 });
  await expect(fenced.test(connection, signal)).rejects.toMatchObject({ name: 'SourceError', member: 'payload.host' });
});
