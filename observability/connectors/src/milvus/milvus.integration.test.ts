// SPDX-License-Identifier: Apache-2.0
import { createOutboundGuard } from '@sextant/foundation-service';
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
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
const SIZE = 8;
/** Some without a condition, and some with each kind of one. */
const SEARCHES = roundsOf({ quick: 9, long: 30 });
const NEAR = [
  { name: 'near_euclid', index_type: 'IVF_FLAT', metric_type: 'L2', params: { nlist: 64 } },
  { name: 'near_cosine', index_type: 'HNSW', metric_type: 'COSINE', params: { M: 4, efConstruction: 8 } },
  { name: 'near_product', index_type: 'FLAT', metric_type: 'IP' },
];
const random = seededRandom(3);
const TRACKS = Array.from({ length: 600 }, (_, at) => ({
  id: String(at - 9),
  genre: `g${at % 3}`,
  'is it new': at % 2 === 0,
  near: Array.from({ length: SIZE }, () => Math.fround(random.next() - 0.5)),
}));

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
    const near = { name: 'near', data_type: 'FloatVector', dim: SIZE };
    const genre = { name: 'genre', data_type: 'VarChar', max_length: 10 };
    for (const { name } of NEAR) await collection(name, [{ name: 'id', data_type: 'Int64', is_primary_key: true }, genre, near], TRACKS);
    for (const { name, ...index } of NEAR) {
      await client.createIndex({ collection_name: name, field_name: 'near', ...index });
      await client.loadCollection({ collection_name: name });
    }
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
    };
  }

  test('are listed', async () => {
    await connector.test(connection, signal);
    expect((await connector.list(connection, { limit: 10, signal })).map(({ name }) => name)).toEqual(
      ['named', 'songs', ...NEAR.map(({ name }) => name)].toSorted(),
    );
  });

  test('have entities that are points, each once in the order of their keys, with exact integers', async () => {
    const { points, info, columns } = await read('songs');
    expect(info).toEqual({ points: ROWS, indexed: ROWS, dimensions: { vector: 3 } });
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

  test.each(NEAR)(
    'answer which points are nearest, exactly and by the index ($index_type, $metric_type)',
    async ({ name, metric_type }) => {
      await using opened = await connector.open(connection, { payload: { collection: name } }, { signal, temporaryDirectory: '/nowhere' });
      if (opened.data.kind !== 'vectors') throw new Error('expected vectors');
      const { nearest } = opened.data.collection;
      if (nearest === undefined) throw new Error('expected searches');
      const searches = TRACKS.slice(0, SEARCHES).map(({ id, genre, ...rest }, at) => {
        const wheres = [undefined, { member: 'genre', value: genre }, { member: 'is it new', value: rest['is it new'] }];
        const where = wheres[at % wheres.length];
        return { id, vector: 'near', limit: 5, isExact: true, ...(where !== undefined && { where }) };
      });
      const expected = searches.map(({ id, limit, where }) => {
        const own = TRACKS.find((each) => each.id === id);
        if (own === undefined) throw new Error('expected the track');
        const [sign, distance] = [metric_type === 'L2' ? 1 : -1, naive(metric_type)];
        return TRACKS.filter(
          (each) =>
            each.id !== id &&
            (where === undefined || Object.entries(each).some(([member, value]) => member === where.member && value === where.value)),
        )
          .map((each) => ({ id: each.id, score: distance(own.near, each.near) }))
          .toSorted((one, other) => sign * (one.score - other.score))
          .slice(0, limit);
      });
      const exact = await nearest(searches, { signal });
      expect(exact.map((found) => found.map(({ id }) => id))).toEqual(expected.map((found) => found.map(({ id }) => id)));
      expect(exact[0]?.[4]?.score).toBeCloseTo(expected[0]?.[4]?.score ?? 0, 6);
      const indexed = await nearest(
        searches.map((search) => ({ ...search, isExact: false })),
        { signal },
      );
      const known = new Map(TRACKS.map((each) => [each.id, each]));
      for (const [at, found] of indexed.entries()) {
        const { id, where } = searches[at] ?? {};
        expect(found).toHaveLength(5);
        for (const point of found) {
          expect(point.id).not.toBe(id);
          if (where !== undefined) expect(Object.entries(known.get(point.id) ?? {})).toContainEqual([where.member, where.value]);
          // The same score as in the exact answer, to the last bit.
          const same = exact[at]?.find((each) => each.id === point.id);
          if (same !== undefined) expect(point.score).toBe(same.score);
        }
      }
      if (metric_type === 'IP') expect(indexed).toEqual(exact);
      expect(await nearest([{ id: '123456', vector: 'near', limit: 5, isExact: false }], { signal })).toEqual([[]]);
      await expect(nearest([{ id: '1', vector: 'far', limit: 5, isExact: true }], { signal })).rejects.toThrow('field far has no index');
    },
  );

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

function naive(metric: string): (one: readonly number[], other: readonly number[]) => number {
  const product = (one: readonly number[], other: readonly number[]) => one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
  if (metric === 'IP') return product;
  if (metric === 'COSINE') return (one, other) => product(one, other) / Math.sqrt(product(one, one) * product(other, other));
  return (one, other) => one.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0);
}
