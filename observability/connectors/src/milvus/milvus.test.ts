// SPDX-License-Identifier: Apache-2.0
import { createOutboundGuard } from '@sextant/foundation-service';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenConnection, VectorPoint } from '../connector.ts';
import {
  hasMilvus,
  MILVUS_START_TIMEOUT_MS,
  type MilvusForTests,
  milvusClient,
  startMilvus,
  VECTOR_CLIENTS,
} from '../testing/vector-stores-for-tests.ts';
import { createMilvusConnector } from './milvus-connector.ts';

const signal = new AbortController().signal;
const connector = createMilvusConnector(createOutboundGuard({ allowed: ['127.0.0.1'] }));
const ROWS = 2500;

test('a client that is not installed is asked for, and what cannot be right is refused before anything is loaded', async () => {
  const connection = { id: 1, type: 'MILVUS', payload: { host: '127.0.0.1', ssl: false }, credential: null } as const;
  await expect(connector.test(connection, signal)).rejects.toThrow('its operator can run `npm install @zilliz/milvus2-sdk-node` beside it');
  expect(() => connector.validateConnection({}, null)).toThrow('payload.host is missing');
  expect(() => connector.validateConnection({ host: 'db/x' }, null)).toThrow('payload.host is not the name of a server');
  expect(() => connector.validateAsset({})).toThrow('payload.collection is missing');
});

describe.skipIf(!hasMilvus)('collections of milvus-lite (.ci/run installs it and the client)', () => {
  let directory: TemporaryDirectory;
  let server: MilvusForTests | undefined;
  let connection: OpenConnection;
  const before = process.env.NODE_PATH;

  beforeAll(async () => {
    process.env.NODE_PATH = VECTOR_CLIENTS;
    directory = await temporaryDirectory();
    server = await startMilvus(directory.path);
    connection = { id: 1, type: 'MILVUS', payload: { host: '127.0.0.1', port: server.port, ssl: false }, credential: null };
    const client = milvusClient(server.port);
    const collection = async (name: string, fields: readonly object[], data: readonly object[]) => {
      await client.createCollection({ collection_name: name, fields, enable_dynamic_field: true });
      const { status } = await client.insert({ collection_name: name, data });
      if (status.error_code !== 'Success') throw new Error(JSON.stringify(status));
    };
    const vector = { name: 'vector', data_type: 'FloatVector', dim: 3 };
    const songs = Array.from({ length: ROWS }, (_, at) => ({
      // Keys come in no order, one is negative and one is beyond 2^53.
      id: String(at === 5 ? 9007199254740993n : BigInt(((at * 7919) % ROWS) - 1)),
      title: `song ${at}`,
      plays: '9007199254740995',
      vector: [at, 1, 0.1],
      more: { at },
    }));
    const title = { name: 'title', data_type: 'VarChar', max_length: 100 };
    await collection(
      'songs',
      [{ name: 'id', data_type: 'Int64', is_primary_key: true }, title, { name: 'plays', data_type: 'Int64' }, vector],
      songs,
    );
    const named = ["it's", 'a "quoted" one', 'back\\slash', 'zebra', 'äh'].map((sku, at) => ({ sku, vector: [at, 0, 0] }));
    await collection('named', [{ name: 'sku', data_type: 'VarChar', max_length: 50, is_primary_key: true }, vector], named);
    for (const name of ['songs', 'named']) {
      await client.createIndex({ collection_name: name, field_name: 'vector', index_type: 'FLAT', metric_type: 'L2' });
      await client.loadCollection({ collection_name: name });
    }
    await client.closeConnection();
  }, MILVUS_START_TIMEOUT_MS);
  afterAll(async () => {
    if (before === undefined) delete process.env.NODE_PATH;
    else process.env.NODE_PATH = before;
    await server?.[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  async function read(collection: string) {
    await using opened = await connector.open(connection, { payload: { collection } }, { signal, temporaryDirectory: '/nowhere' });
    if (opened.data.kind !== 'vectors') throw new Error('expected vectors');
    const points: VectorPoint[] = [];
    for await (const page of opened.data.collection.points({ signal })) points.push(...page);
    return {
      points,
      info: await opened.data.collection.info(),
      columns: opened.description.columns,
      nearest: opened.data.collection.nearest,
    };
  }

  test('are listed', async () => {
    await connector.test(connection, signal);
    expect((await connector.list(connection, { limit: 10, signal })).map(({ payload }) => payload)).toEqual([
      { collection: 'named' },
      { collection: 'songs' },
    ]);
  });

  test('have entities that are points, each once in the order of their keys, with exact integers', async () => {
    const { points, info, columns, nearest } = await read('songs');
    expect(info).toEqual({ points: ROWS, indexed: ROWS, dimensions: { vector: 3 } });
    expect(nearest).toBeUndefined();
    const keys = points.map(({ id }) => BigInt(id));
    expect(keys).toHaveLength(ROWS);
    expect(keys).toEqual([...new Set(keys)].toSorted((one, other) => (one < other ? -1 : 1)));
    expect(points.at(-1)).toEqual({
      id: '9007199254740993',
      payload: { id: 9007199254740993n, title: 'song 5', plays: 9007199254740995n, more: { at: 5 } },
      vectors: { vector: [5, 1, Math.fround(0.1)] },
    });
    expect(new Map(columns.map(({ name, data_type: type }) => [name, type]))).toEqual(
      new Map([
        ['id', 'INTEGER'],
        ['more', 'OTHER'],
        ['plays', 'INTEGER'],
        ['title', 'STRING'],
      ]),
    );
  });

  test('may have texts as keys', async () => {
    const { points } = await read('named');
    expect(points.map(({ id }) => id)).toEqual(['a "quoted" one', 'back\\slash', "it's", 'zebra', 'äh']);
  });

  test('what is not there, and a server that is not, are said with the member at fault', async () => {
    await expect(read('missing')).rejects.toMatchObject({ name: 'SourceError', member: 'payload.collection' });
    const elsewhere = { ...connection, payload: { host: '127.0.0.1', port: 1, ssl: false } };
    await expect(connector.test(elsewhere, signal)).rejects.toMatchObject({ name: 'SourceError', member: 'payload.host' });
    const fenced = createMilvusConnector(createOutboundGuard());
    await expect(fenced.test(connection, signal)).rejects.toMatchObject({ name: 'SourceError', member: 'payload.host' });
  });
});
