/** Our own SDK against both services as they run in life. */
import { type ChildServer, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
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
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ADMIN, startObservabilityServer } from '../observability/observability-server.ts';
import { startVectorServer } from '../vector-server.ts';

let directory: TemporaryDirectory;

beforeAll(async () => {
  directory = await temporaryDirectory();
});

afterAll(() => directory[Symbol.asyncDispose]());

describe('the vector service', () => {
  let server: ChildServer;
  let client: VectorClient;
  let cities: Collection<{ readonly city: string; readonly inhabitants?: number }>;

  beforeAll(async () => {
    server = await startVectorServer({ directory: `${directory.path}/vector`, environment: { SERVICE_CAPABILITIES: 'all' } });
    client = new VectorClient({ url: server.address });
  });

  afterAll(() => server.stop());

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

  test('upserts from a source of 20,000 points hold a few batches at a time', async () => {
    let taken = 0;
    const stored: UpsertProgress[] = [];
    let aheadMax = 0;
    async function* source() {
      for (; taken < 20_000; taken += 1) {
        aheadMax = Math.max(aheadMax, taken - (stored.at(-1)?.pointsStored ?? 0));
        yield { id: taken, vector: [taken % 7, taken % 11, 1, 1], payload: { city: `c${taken % 100}` } };
      }
    }
    const result = await cities.upsertAll(source(), { batchSize: 500, concurrency: 2, onProgress: (progress) => stored.push(progress) });
    expect(result).toEqual({ pointsStored: 20_000, batchesStored: 40 });
    expect(stored).toHaveLength(40);
    expect(aheadMax).toBeLessThanOrEqual(3 * 500);
    let seen = 0;
    for await (const { id } of cities.scroll({ limit: 1000, with_payload: false })) {
      expect(id).toBe(seen);
      seen += 1;
    }
    expect(seen).toBe(20_000);
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

  test('what operators switch on is there', async () => {
    await cities.upsert(POINTS);
    const groups = await cities.searchGroups({ vector: [1, 1, 1, 1], group_by: 'city', limit: 3, group_size: 1 });
    expect(groups.map(({ id }) => id)).toEqual(expect.arrayContaining(['Berlin', 'London', 'Moscow']));
    const [like] = await cities.recommend({ positive: [1], limit: 1 });
    expect(like?.id).not.toBe(1);
  });
});

describe('the observability service', () => {
  let server: ChildServer;
  let client: ObservabilityClient;

  beforeAll(async () => {
    server = await startObservabilityServer({ directory: `${directory.path}/observability` });
    client = new ObservabilityClient({ url: server.address });
    await client.signIn({ username: ADMIN.email, password: ADMIN.password });
  });

  afterAll(() => server.stop());

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

  test('an API key is a credential of its own, and a wrong one is refused without being told', async () => {
    const { key, id } = await client.createApiKey({ name: 'of a test' });
    const other = new ObservabilityClient({ url: server.address, apiKey: key });
    expect(await other.listProjects()).toHaveLength(1);
    await client.deleteApiKey({ key_id: id });
    const refusal = await other.listProjects().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AuthenticationError);
    expect(JSON.stringify([refusal, String(refusal), Object.entries(refusal as object)])).not.toContain(key);
  });
});
