// SPDX-License-Identifier: Apache-2.0
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createOutboundGuard } from '@sextant/foundation-service';
import { type ChildServer, startServer, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenConnection } from '../connector.ts';
import { createVectorConnector } from './vector-connector.ts';

/** The service is not below this package: it is started as what it is for us, a process with an address. */
const ENTRY = fileURLToPath(new URL('../../../../vector/server/src/main.ts', import.meta.url));
const signal = new AbortController().signal;
const outbound = createOutboundGuard({ allowed: ['127.0.0.1'] });
const connector = createVectorConnector('VECTOR_COLLECTION', outbound);

describe('a collection of the real service', () => {
  let directory: TemporaryDirectory;
  let server: ChildServer;
  let connection: OpenConnection;

  beforeAll(async () => {
    directory = await temporaryDirectory();
    server = await startServer({
      entry: ENTRY,
      environment: {
        SERVICE_HOST: '127.0.0.1',
        SERVICE_REST_PORT: '0',
        SERVICE_GRPC_PORT: '0',
        SERVICE_DATA_DIR: directory.path,
        SERVICE_THREADS: '1',
        SERVICE_AUTH_ENABLED: 'false',
        SERVICE_LOG_LEVEL: 'info',
      },
    });
    connection = { id: 1, type: 'VECTOR_COLLECTION', payload: { url: `${server.address}/` }, credential: null };
    const put = async (path: string, body: unknown) => {
      const { status, body: reply } = await server.client.request('PUT', path, body);
      if (status !== 200) throw new Error(JSON.stringify(reply));
    };
    await put('/collections/songs', { vectors: { size: 3, distance: 'Cosine' } });
    await put('/collections/named', { vectors: { text: { size: 2, distance: 'Dot' }, image: { size: 4, distance: 'Euclid' } } });
    const several = { size: 2, distance: 'Dot', multivector_config: { comparator: 'max_sim' } };
    await put('/collections/mixed', { vectors: { '': { size: 1, distance: 'Dot' }, several }, sparse_vectors: { words: {} } });
    const mixed = {
      '': [5],
      several: [
        [1, 2],
        [3, 4],
      ],
      words: { indices: [7], values: [1] },
    };
    await put('/collections/mixed/points?wait=true', { points: [{ id: 1, vector: mixed }] });
    await put('/collections/several', { vectors: several });
    await put('/collections/several/points?wait=true', { points: [{ id: 1, vector: [[1, 2]] }] });
    const points = Array.from({ length: 2500 }, (_, id) => ({
      id,
      vector: [1, id, 0.5],
      payload: { title: `song ${id}`, year: 1900 + (id % 100) },
    }));
    const last = { id: 9007199254740993n, vector: [0, 0, 1], payload: { title: 'last', plays: 9007199254740995n } };
    await put('/collections/songs/points?wait=true', { points: [...points, last] });
    await put('/collections/named/points?wait=true', { points: [{ id: 1, vector: { text: [1, 2] } }] });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  async function open(collection: string) {
    const opened = await connector.open(connection, { payload: { collection } }, { signal, temporaryDirectory: '/nowhere' });
    if (opened.data.kind !== 'vectors') throw new Error('expected vectors');
    return { ...opened, collection: opened.data.collection };
  }

  test('tells how long vectors were before they were normalised, where they are', async () => {
    const { collection } = await open('songs');
    const norms = await collection.inputNorms?.({ signal });
    expect(Object.keys(norms ?? {})).toEqual(['']);
    const intervals = norms?.[''] ?? [];
    expect(intervals.reduce((sum, { written }) => sum + written, 0)).toBe(2501);
    expect(intervals[0]?.from).toBeLessThanOrEqual(1);
    expect(intervals.at(-1)?.from).toBeLessThanOrEqual(2500);
    expect(intervals.at(-1)?.to).toBeGreaterThan(2499);
    expect(await (await open('named')).collection.inputNorms?.({ signal })).toEqual({});
  });

  test('answers which points are nearest to one of its own, exactly and by its index, in the order of the searches', async () => {
    const { collection } = await open('songs');
    const search = { vector: '', limit: 2, isExact: true };
    const ids = async (searches: Parameters<NonNullable<typeof collection.nearest>>[0]) =>
      (await collection.nearest?.(searches, { signal }))?.map((found) => found.map(({ id }) => id).toSorted());
    expect(await ids([{ ...search, id: '3' }])).toEqual([['4', '5']]);
    const where = { member: 'year', value: 1907 };
    const filtered = await ids([
      { ...search, id: '3', isExact: false },
      { ...search, id: '7', where },
      { ...search, id: '9007199254740993' },
    ]);
    expect(filtered).toEqual([
      ['4', '5'],
      ['107', '207'],
      ['0', '1'],
    ]);
    const [scored = []] = (await collection.nearest?.([{ ...search, id: '3' }], { signal })) ?? [];
    expect(scored[0]?.score).toBeCloseTo(13.25 / Math.sqrt(10.25 * 17.25), 5);
    await expect(collection.nearest?.([{ ...search, id: '3', vector: 'gone' }], { signal })).rejects.toThrow('answers with status 400');
  });

  test('is listed, and described by the payloads of its points', async () => {
    await connector.test(connection, signal);
    const items = await connector.list(connection, { limit: 10, signal });
    expect(new Set(items.map(({ name }) => name))).toEqual(new Set(['mixed', 'named', 'several', 'songs']));
    expect(items[0]?.payload).toEqual({ collection: items[0]?.name });
    expect(await connector.list(connection, { limit: 1, signal })).toHaveLength(1);
    expect((await connector.describe(connection, { payload: { collection: 'songs' } }, signal)).columns).toMatchObject([
      { name: 'title', data_type: 'STRING' },
      { name: 'year', data_type: 'INTEGER' },
    ]);
  });

  test('is read page by page, whole and exact', async () => {
    await using opened = await open('songs');
    expect(await opened.collection.info()).toMatchObject({ points: 2501, dimensions: { '': 3 } });
    const pages = await collected(opened.collection.points({ signal }));
    expect(pages.length).toBeGreaterThan(2);
    const points = pages.flat();
    expect(points).toHaveLength(2501);
    expect(new Set(points.map(({ id }) => id)).size).toBe(2501);
    expect(points.at(-1)).toEqual({
      id: '9007199254740993',
      payload: { title: 'last', plays: 9007199254740995n },
      vectors: { '': [0, 0, 1] },
    });
  });

  test('has its named vectors by their names', async () => {
    await using opened = await open('named');
    expect((await opened.collection.info()).dimensions).toEqual({ text: 2, image: 4 });
    expect((await collected(opened.collection.points({}))).flat()).toEqual([{ id: '1', payload: {}, vectors: { text: [1, 2] } }]);
  });

  test('is read the same as a Qdrant server', async () => {
    const qdrant = createVectorConnector('QDRANT', outbound);
    const source = { ...connection, type: 'QDRANT' as const };
    expect((await qdrant.list(source, { limit: 10, signal })).map(({ name }) => name).toSorted()).toEqual([
      'mixed',
      'named',
      'several',
      'songs',
    ]);
    await using opened = await qdrant.open(source, { payload: { collection: 'mixed' } }, { signal, temporaryDirectory: '/nowhere' });
    if (opened.data.kind !== 'vectors') throw new Error('expected vectors');
    expect((await collected(opened.data.collection.points({}))).flat()).toEqual([{ id: '1', payload: {}, vectors: { '': [5] } }]);
  });

  test('is read without sparse vectors and those of which points have several', async () => {
    await using mixed = await open('mixed');
    expect((await mixed.collection.info()).dimensions).toEqual({ '': 1 });
    expect((await collected(mixed.collection.points({}))).flat()).toEqual([{ id: '1', payload: {}, vectors: { '': [5] } }]);
    await using several = await open('several');
    expect((await several.collection.info()).dimensions).toEqual({});
    expect((await collected(several.collection.points({}))).flat()).toEqual([{ id: '1', payload: {}, vectors: {} }]);
  });

  test('stops when the scan is cancelled', async () => {
    await using opened = await open('songs');
    const stop = new AbortController();
    const read = async () => {
      for await (const _page of opened.collection.points({ signal: stop.signal })) stop.abort(new Error('cancelled'));
    };
    await expect(read()).rejects.toThrow('cancelled');
  });

  test('that is missing is named', async () => {
    await expect(open('missing')).rejects.toMatchObject({ name: 'SourceError', member: 'payload.collection' });
    await expect(open('a/../songs')).rejects.toMatchObject({ name: 'SourceError' });
  });
});

async function collected<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('services that are none', () => {
  let rogue: Server;
  let url: string;
  let headers: IncomingHttpHeaders = {};
  let answer: { readonly status: number; readonly body: string };
  beforeAll(async () => {
    rogue = createServer((incoming, outgoing) => {
      headers = incoming.headers;
      outgoing.writeHead(answer.status, { location: 'http://127.0.0.2:9/' }).end(answer.body);
    });
    await new Promise<void>((resolve) => rogue.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an AddressInfo.
    url = `http://127.0.0.1:${(rogue.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    rogue.closeAllConnections();
    rogue.close();
  });

  test.each([
    ['credential', { status: 401, body: '{}' }],
    ['credential', { status: 403, body: '{}' }],
    ['payload.url', { status: 500, body: '{}' }],
    ['payload.url', { status: 307, body: '' }],
    ['payload.url', { status: 200, body: '<html>' }],
    ['payload.url', { status: 200, body: '{"result": []}' }],
    ['payload.url', { status: 200, body: '{"result": {"collections": [1]}}' }],
  ])('%s is at fault when the answer is %j', async (member, reply) => {
    answer = reply;
    const connection: OpenConnection = { id: 1, type: 'VECTOR_COLLECTION', payload: { url }, credential: null };
    await expect(connector.test(connection, signal)).rejects.toMatchObject({ name: 'SourceError', member });
  });

  test.each([
    ['QDRANT', { 'api-key': 'read-only' }],
    ['VECTOR_COLLECTION', { authorization: 'Bearer read-only' }],
  ] as const)('%s carries its token in %j', async (kind, expected) => {
    answer = { status: 200, body: '{"result": {"collections": []}}' };
    const credential = { type: 'TOKEN', payload: { token: 'read-only' } } as const;
    await createVectorConnector(kind, outbound).test({ id: 1, type: kind, payload: { url }, credential }, signal);
    expect(headers).toMatchObject(expected);
  });

  test('a collection of Qdrant may not know its counts, and have sparse vectors alone', async () => {
    answer = {
      status: 200,
      body: '{"result": {"points_count": null, "indexed_vectors_count": null, "config": {"params": {}}, "points": []}}',
    };
    const qdrant = createVectorConnector('QDRANT', outbound);
    const connection: OpenConnection = { id: 1, type: 'QDRANT', payload: { url }, credential: null };
    await using opened = await qdrant.open(connection, { payload: { collection: 'words' } }, { signal, temporaryDirectory: '/nowhere' });
    if (opened.data.kind !== 'vectors') throw new Error('expected vectors');
    expect(await opened.data.collection.info()).toEqual({ points: 0, indexed: 0, dimensions: {} });
  });

  test.each(['"0.5", 1', 'true, 1', '[1], 2', '{}, 1'])('a vector of [%s] is refused, and no number is made of it', async (components) => {
    const config = '{"params": {"vectors": {"size": 2, "distance": "Dot"}}}';
    const points = `[{"id": 7, "payload": {}, "vector": [${components}]}]`;
    answer = { status: 200, body: `{"result": {"points_count": 1, "indexed_vectors_count": 0, "config": ${config}, "points": ${points}}}` };
    const connection: OpenConnection = { id: 1, type: 'VECTOR_COLLECTION', payload: { url }, credential: null };
    const described = connector.describe(connection, { payload: { collection: 'songs' } }, signal);
    await expect(described).rejects.toThrow('the vector of point 7 is not a list of numbers');
  });

  test('an inner address is never connected to', async () => {
    const fenced = createVectorConnector('VECTOR_COLLECTION', createOutboundGuard());
    const connection: OpenConnection = { id: 1, type: 'VECTOR_COLLECTION', payload: { url }, credential: null };
    await expect(fenced.test(connection, signal)).rejects.toMatchObject({ name: 'SourceError', member: 'payload.url' });
  });
});

test.each([
  ['payload.url', {}, null],
  ['payload.url', { url: 'ftp://x' }, null],
  ['payload.url', { url: 'http://admin:x@vectors' }, null],
  ['credential.type', { url: 'http://vectors' }, { type: 'SIMPLE', payload: {} }],
  ['credential.payload.token', { url: 'http://vectors' }, { type: 'TOKEN', payload: {} }],
])('a connection is refused for its %s', (member, payload, credential) => {
  expect(() => connector.validateConnection(payload, credential)).toThrow(expect.objectContaining({ name: 'SourceError', member }));
});
