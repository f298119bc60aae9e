// SPDX-License-Identifier: Apache-2.0
/** Our own SDK against both services as they run in life. */
import type { ChildServer } from '@sextant/foundation-testing';
import {
  AuthenticationError,
  type Collection,
  ConflictError,
  filter,
  InvalidRequestError,
  type Job,
  NotFoundError,
  ObservabilityClient,
  type PointStruct,
  type UpsertProgress,
  VectorClient,
} from '@sextant/sdk';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sharedServiceUnderTest } from '../observability/contract/service-under-test.ts';
import { ADMIN } from '../observability/observability-server.ts';
import { sharedVectorServer } from '../shared-server.ts';
import { grpcAddressOf } from '../vector-server.ts';

describe.each([
  { transport: 'REST', connect: (server: ChildServer) => new VectorClient({ url: server.address }) },
  { transport: 'gRPC', connect: (server: ChildServer) => new VectorClient({ url: server.address, grpc: grpcAddressOf(server) }) },
])('the vector service over $transport', ({ connect }) => {
  let server: ChildServer;
  let client: VectorClient;
  let cities: Collection<{ readonly city: string; readonly inhabitants?: number }>;

  beforeAll(async () => {
    server = await sharedVectorServer();
    client = connect(server);
  });

  beforeEach(async () => {
    await client.deleteCollection('cities');
    await client.createCollection('cities', { vectors: { size: 4, distance: 'Dot' } });
    cities = client.collection('cities');
  });

  const LARGEST = 18_446_744_073_709_551_615n;
  const POINTS: readonly PointStruct[] = [
    { id: 1, vector: [0.05, 0.61, 0.76, 0.74], payload: { city: 'Berlin', inhabitants: 3_700_000 } },
    { id: LARGEST, vector: new Float32Array([0.19, 0.81, 0.75, 0.11]), payload: { city: 'London', inhabitants: 9_007_199_254_740_993n } },
    { id: '550e8400-e29b-41d4-a716-446655440000', vector: [0.36, 0.55, 0.47, 0.94], payload: { city: 'Moscow' } },
  ];

  test('ids and integers of 64 bits come back as they went', async () => {
    await cities.upsert(POINTS);
    expect(await cities.get(LARGEST)).toEqual({
      id: LARGEST,
      vector: [0.19, 0.81, 0.75, 0.11],
      payload: { city: 'London', inhabitants: 9_007_199_254_740_993n },
    });
    const [nearest] = await cities.search({ vector: [0.19, 0.81, 0.75, 0.11], limit: 1, filter: filter.all(filter.hasId(LARGEST)) });
    expect(nearest?.id).toBe(LARGEST);
    expect(await cities.deletePoints([LARGEST])).toEqual({ operation_id: expect.any(Number), status: 'Completed' });
    expect(await cities.count()).toBe(2);
  });

  test('components and scores beyond the safe integers are numbers', async () => {
    await cities.upsert([{ id: 1, vector: [1e17, 1, 0, 0] }]);
    const [hit] = await cities.search({ vector: [1, 0, 0, 0], limit: 1, with_vector: true });
    expect(hit).toMatchObject({ score: 1e17, vector: [1e17, 1, 0, 0] });
  });

  test('writes change what is read', async () => {
    await cities.upsert(POINTS);
    await cities.setPayload([1], { inhabitants: 4_000_000 });
    await cities.deletePayload(filter.all(filter.field('city').is('Moscow')), ['city']);
    expect(await cities.retrieve({ ids: [1], with_payload: ['inhabitants'] })).toEqual([{ id: 1, payload: { inhabitants: 4_000_000 } }]);
    expect(await cities.count({ filter: filter.all(filter.field('city').isEmpty()) })).toBe(1);
  });

  test('upserts from a source of 1,000 points hold a few batches at a time', async () => {
    let taken = 0;
    const stored: UpsertProgress[] = [];
    let aheadMax = 0;
    async function* source() {
      for (; taken < 1000; taken += 1) {
        aheadMax = Math.max(aheadMax, taken - (stored.at(-1)?.pointsStored ?? 0));
        yield { id: taken, vector: [taken % 7, taken % 11, 1, 1], payload: { city: `c${taken % 100}` } };
      }
    }
    const result = await cities.upsertAll(source(), { batchSize: 25, concurrency: 2, onProgress: (progress) => stored.push(progress) });
    expect(result).toEqual({ pointsStored: 1000, batchesStored: 40 });
    expect(stored).toHaveLength(40);
    expect(aheadMax).toBeLessThanOrEqual(3 * 25);
    let seen = 0;
    for await (const { id } of cities.scroll({ limit: 300, with_payload: false })) {
      expect(id).toBe(seen);
      seen += 1;
    }
    expect(seen).toBe(1000);
  });

  test('a cancelled upsert stops taking from its source, and ends with the reason', async () => {
    const controller = new AbortController();
    let taken = 0;
    let isClosed = false;
    function* endless() {
      try {
        for (;;) yield { id: taken++, vector: [1, 2, 3, 4] };
      } finally {
        isClosed = true;
      }
    }
    const reason = new Error('enough');
    const running = cities.upsertAll(endless(), { batchSize: 10, signal: controller.signal, onProgress: () => controller.abort(reason) });
    await expect(running).rejects.toBe(reason);
    expect(isClosed).toBe(true);
    expect(taken).toBeLessThanOrEqual(50);
  });

  test('refusals say what, where and which', async () => {
    await expect(client.createCollection('cities', { vectors: { size: 4, distance: 'Dot' } })).rejects.toThrow(ConflictError);
    await expect(client.getCollection('none')).rejects.toMatchObject({
      constructor: NotFoundError,
      code: 'collection_not_found',
      status: 404,
      message: 'Collection not found: none',
      operation: 'GET /collections/{collection_name}',
    });
    await expect(cities.upsert([{ id: 1, vector: [1, 2, 3] }])).rejects.toMatchObject({ code: 'dimension_mismatch', status: 400 });
    // @ts-expect-error so that the service is asked
    await expect(cities.search({ vector: [1, 2, 3, 4], limit: 'many' })).rejects.toMatchObject({
      constructor: InvalidRequestError,
      code: 'invalid_request',
      field: 'limit',
    });
  });

  test('snapshots are written, read as files and put back; aliases lead to collections', async () => {
    await cities.upsert(POINTS);
    const { name, size } = await cities.snapshots.create();
    expect((await cities.snapshots.list()).map((snapshot) => snapshot.name)).toContain(name);
    const file = await new Response(await cities.snapshots.download(name)).blob();
    expect(file.size).toBe(size);
    await cities.deletePoints(filter.not(filter.hasId(1)));
    expect(await cities.snapshots.upload(file)).toBe(true);
    expect(await cities.count()).toBe(POINTS.length);
    await cities.deletePoints([1]);
    expect(await cities.snapshots.restore(name)).toBe(true);
    expect(await cities.count()).toBe(POINTS.length);
    expect(await cities.snapshots.delete(name)).toBe(true);
    await expect(cities.snapshots.download(name)).rejects.toMatchObject({ code: 'snapshot_not_found' });

    expect(await client.changeAliases([{ create_alias: { alias_name: 'places', collection_name: 'cities' } }])).toBe(true);
    expect(await cities.aliases()).toEqual(['places']);
    expect(await client.collection('places').count()).toBe(POINTS.length);
    expect(await client.listAliases()).toEqual([{ alias_name: 'places', collection_name: 'cities' }]);
  });

  test('what operators switch on is there', async () => {
    await cities.upsert(POINTS);
    const groups = await cities.searchGroups({ vector: [1, 1, 1, 1], group_by: 'city', limit: 3, group_size: 1 });
    expect(groups.map(({ id }) => id)).toEqual(expect.arrayContaining(['Berlin', 'London', 'Moscow']));
    const [like] = await cities.recommend({ positive: [1], limit: 1 });
    expect(like?.id).not.toBe(1);
  });
});

describe('a client that cannot use REST', () => {
  let server: ChildServer;
  let rest: VectorClient;
  let grpc: VectorClient;

  beforeAll(async () => {
    server = await sharedVectorServer();
    rest = new VectorClient({ url: server.address, grpc: false });
    grpc = new VectorClient({
      url: server.address,
      grpc: grpcAddressOf(server),
      fetch: () => Promise.reject(new TypeError('went over REST')),
      // A route that is not there is not waited for.
      retry: { retries: 0 },
    });
    await rest.createCollection('films', { vectors: { size: 3, distance: 'Cosine' } });
    const films = rest.collection('films');
    await films.createFieldIndex('year', 'integer');
    await films.createFieldIndex('shown', 'datetime');
    await grpc.collection('films').upsert(FILMS);
  });

  const FILMS: readonly PointStruct[] = Array.from({ length: 40 }, (_, index) => ({
    id: index === 0 ? 2n ** 63n : index,
    vector: [Math.sin(index), Math.cos(index), index / 40],
    payload: {
      title: `film ${index}`,
      year: 1950 + index,
      genres: index % 2 === 0 ? ['drama'] : ['comedy', 'crime'],
      shown: `19${50 + index}-05-01T00:00:00.000Z`,
      place: { lon: index, lat: index / 2 },
      votes: { count: 9_007_199_254_740_993n, mean: index / 7 },
    },
  }));
  const recent = filter.field('year').atLeast(1970);
  const drama = filter.all(filter.field('genres').is('drama'));

  type Ask = (films: Collection) => Promise<unknown>;
  const questions: readonly (readonly [name: string, ask: Ask])[] = [
    ['search', (films) => films.search({ vector: [1, 0.5, 0.25], limit: 5, with_payload: true, with_vector: true })],
    [
      'search with a filter',
      (films) => films.search({ vector: [1, 0, 0], limit: 5, filter: filter.all(recent, drama), params: { exact: true } }),
    ],
    [
      'searches',
      (films) =>
        films.searchBatch([
          { vector: [1, 0, 0], limit: 2 },
          { vector: [0, 1, 0], limit: 2, offset: 1, with_payload: ['title'] },
        ]),
    ],
    ['nearest to a point', (films) => films.query({ query: 7, limit: 4, with_payload: { exclude: ['votes'] } })],
    [
      'recommend',
      (films) => films.query({ query: { recommend: { positive: [3, [0.1, 0.2, 0.3]], negative: [9], strategy: 'best_score' } }, limit: 4 }),
    ],
    ['discover', (films) => films.query({ query: { discover: { target: 5, context: [{ positive: 1, negative: 2 }] } }, limit: 4 })],
    ['context', (films) => films.query({ query: { context: { positive: 1, negative: 2 } }, limit: 4 })],
    ['order', (films) => films.query({ query: { order_by: { key: 'year', direction: 'desc', start_from: 1980 } }, limit: 4 })],
    [
      'fusion',
      (films) =>
        films.query({
          prefetch: [
            { query: [1, 0, 0], limit: 10 },
            { query: 4, limit: 10, filter: drama },
          ],
          query: { fusion: 'rrf' },
          limit: 5,
        }),
    ],
    [
      'weighed fusion',
      (films) =>
        films.query({
          prefetch: [
            { query: [1, 0, 0], limit: 10 },
            { query: 4, limit: 10 },
          ],
          query: { rrf: { k: 3, weights: [2, 0.5] } },
          limit: 5,
        }),
    ],
    [
      'relevance and variety',
      (films) => films.query({ query: { nearest: [1, 0, 0], mmr: { diversity: 0.5, candidates_limit: 20 } }, limit: 5 }),
    ],
    [
      'formula',
      (films) =>
        films.query({
          prefetch: { query: [1, 0, 0], limit: 20 },
          query: { formula: { sum: ['$score', { mult: [0.5, recent] }, { abs: { neg: 'votes.mean' } }] }, defaults: { 'votes.mean': 0 } },
          limit: 5,
        }),
    ],
    [
      'queries',
      (films) =>
        films.queryBatch([
          { query: 1, limit: 2 },
          { query: [0, 1, 0], limit: 2, with_vector: true },
        ]),
    ],
    ['recommendations', (films) => films.recommend({ positive: [1, [1, 0, 0]], negative: [2], limit: 3 })],
    ['discoveries', (films) => films.discover({ target: [1, 0, 0], context: [{ positive: 4, negative: 6 }], limit: 3 })],
    ['groups', (films) => films.searchGroups({ vector: [1, 0, 0], group_by: 'genres', limit: 2, group_size: 2, with_payload: true })],
    ['groups of a query', (films) => films.queryGroups({ query: 3, group_by: 'year', limit: 3, group_size: 1 })],
    ['points by ids', (films) => films.retrieve({ ids: [2n ** 63n, 3, 999], with_payload: true, with_vector: true })],
    ['a page', (films) => films.scrollPage({ limit: 3, with_payload: false, filter: filter.not(drama) })],
    ['a page in order', (films) => films.scrollPage({ limit: 3, order_by: { key: 'shown', direction: 'desc' } })],
    ['a count', (films) => films.count({ filter: filter.any(recent, filter.hasId(1, 2), filter.field('title').isOneOf(['film 3'])) })],
    ['dates', (films) => films.count({ filter: filter.all(filter.field('shown').lessThan(new Date('1975-01-01'))) })],
    ['places', (films) => films.count({ filter: filter.all(filter.field('place').within(1_000_000, { lon: 10, lat: 5 })) })],
    ['at least two', (films) => films.count({ filter: filter.atLeast(2, recent, drama, filter.field('genres').count({ gt: 1 })) })],
    ['nothing there', (films) => films.count({ filter: filter.all(filter.field('sequel').isEmpty()) })],
    ['a matrix', async (films) => new Set((await films.searchMatrixPairs({ sample: 40, limit: 1 })).pairs)],
  ];

  test.each(questions)('is answered as over REST: %s', async (_name, ask) => {
    expect(await ask(grpc.collection('films'))).toEqual(await ask(rest.collection('films')));
  });

  test('keeps sparse vectors and named ones', async () => {
    await rest.createCollection('articles', { vectors: { meaning: { size: 2, distance: 'Dot' } }, sparse_vectors: { words: {} } });
    const [ofGrpc, ofRest] = [grpc.collection('articles'), rest.collection('articles')];
    await ofGrpc.upsert([
      { id: 1, vector: { meaning: [1, 0], words: { indices: [3, 70_000], values: [0.1, 2] } } },
      { id: 2, vector: { meaning: [0, 1], words: { indices: [3], values: [0.7] } } },
    ]);
    const asks: readonly Ask[] = [
      (articles) => articles.retrieve({ ids: [1, 2], with_vector: true }),
      (articles) =>
        articles.search({ vector: { name: 'words', vector: { indices: [3], values: [0.3] } }, limit: 2, with_vector: ['words'] }),
      (articles) => articles.query({ query: { indices: [70_000], values: [1] }, using: 'words', limit: 2 }),
      (articles) => articles.query({ query: [0, 1], using: 'meaning', limit: 2 }),
    ];
    for (const ask of asks) expect(await ask(ofGrpc)).toEqual(await ask(ofRest));
  });

  test('writes as over REST', async () => {
    const films = grpc.collection('films');
    await films.batch([
      { upsert: { points: [{ id: 100, vector: [1, 2, 3], payload: { a: 1, b: { c: [null, true] } } }] } },
      { set_payload: { points: [100], payload: { d: 4.5 } } },
      { set_payload: { points: [100], payload: { e: 5 }, key: 'b' } },
      { delete_payload: { points: [100], keys: ['a'] } },
    ]);
    await films.setPayload(filter.all(filter.hasId(100)), { f: 2n ** 60n });
    await films.updateVectors([{ id: 100, vector: new Float32Array([0, 3, 4]) }]);
    expect(await rest.collection('films').get(100)).toEqual({
      id: 100,
      payload: { b: { c: [null, true], e: 5 }, d: 4.5, f: 2n ** 60n },
      vector: [0, 0.6, 0.8],
    });
    await films.clearPayload([100]);
    await films.overwritePayload([100], { only: 1 });
    expect(await films.retrieve({ ids: [100] })).toEqual([{ id: 100, payload: { only: 1 } }]);
    await films.deletePoints([100]);
    expect(await films.count()).toBe(40);
  });

  test('goes over REST for what the protocol cannot say exactly', async () => {
    await expect(grpc.collection('films').search({ vector: [1, 0, 0], limit: 1, score_threshold: 0.3 })).rejects.toMatchObject({
      code: 'connection_failed',
    });
  });
});

describe('the observability service', () => {
  let place: { readonly url: string; readonly tenant: string };
  let client: ObservabilityClient;

  beforeAll(async () => {
    const { server, api } = await sharedServiceUnderTest();
    place = { url: server.address, tenant: api.tenant };
    client = new ObservabilityClient(place);
    await client.signIn({ username: ADMIN.email, password: ADMIN.password });
  });

  test('a file is uploaded, scanned and measured', async () => {
    const sent: number[] = [];
    const bytes = new TextEncoder().encode('id,amount\n1,10\n2,\n3,30\n');
    const { payload } = await client.upload('orders.csv', bytes, { onProgress: ({ bytesSent }) => sent.push(bytesSent) });
    expect(sent.at(-1)).toBe(bytes.byteLength);
    const asset = await client.createAsset({ project_id: 0, name: 'orders', type: 'UPLOAD', payload });
    await client.putAttributes({ asset_id: asset.id, all: true });
    const seen: Job['status'][] = [];
    const job = await client.scan(asset.id, { pollMs: 20, onProgress: ({ status }) => seen.push(status) });
    expect(job.status).toBe('FINISHED');
    expect(seen.at(-1)).toBe('FINISHED');
    const [nulls] = await client.listMetrics({ asset_id: asset.id, metric_name: 'COMPLETENESS', attribute: 'amount', limit: 1 });
    expect(nulls?.job_id).toBe(job.id);
    expect(await client.listJobs({ asset_id: asset.id, most_recent: true })).toHaveLength(1);
  });

  test('an API key is a credential of its own, and a wrong one is refused without being repeated', async () => {
    const { key, id } = await client.createApiKey({ name: 'of a test' });
    const other = new ObservabilityClient({ ...place, apiKey: key });
    expect(await other.listProjects()).toHaveLength(1);
    await client.deleteApiKey({ key_id: id });
    const refusal = await other.listProjects().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AuthenticationError);
    expect(JSON.stringify([refusal, String(refusal), Object.entries(refusal as object)])).not.toContain(key);
  });
});
