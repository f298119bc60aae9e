// SPDX-License-Identifier: Apache-2.0
/** The published gRPC client, unchanged, beside REST on the same data; health, reflection, credentials and refusals in the words of gRPC. */
import { once } from 'node:events';
import { Client, credentials } from '@grpc/grpc-js';
import { ConnectErrorCode, QdrantClient } from '@qdrant/js-client-grpc';
import { type ChildServer, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CollectionApi, vectorApi } from '../vector-api.ts';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';

const COLLECTION = 'films';
const PASSWORD = 'Correct-Horse-42';

let directory: TemporaryDirectory;
let server: ChildServer;
let client: QdrantClient;
let rest: CollectionApi;

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startVectorServer({ directory: directory.path });
  client = clientOf(server);
  rest = vectorApi(server.client).collection(COLLECTION);
});

afterAll(async () => {
  await server.stop();
  await directory[Symbol.asyncDispose]();
});

function clientOf(running: ChildServer, apiKey?: string): QdrantClient {
  return new QdrantClient({ url: grpcAddressOf(running), https: false, ...(apiKey === undefined ? {} : { apiKey }) });
}

const num = (value: number) => ({ pointIdOptions: { case: 'num' as const, value: BigInt(value) } });
const dense = (data: number[]) => ({
  vectorsOptions: { case: 'vector' as const, value: { vector: { case: 'dense' as const, value: { data } } } },
});
const text = (value: string) => ({ kind: { case: 'stringValue' as const, value } });
const integer = (value: number) => ({ kind: { case: 'integerValue' as const, value: BigInt(value) } });
const everything = { selectorOptions: { case: 'enable' as const, value: true } };
const nearest = (data: number[]) => ({
  variant: { case: 'nearest' as const, value: { variant: { case: 'dense' as const, value: { data } } } },
});
const ids = (points: readonly { id?: { pointIdOptions: { value?: bigint | string | undefined } } | undefined }[]) =>
  points.map(({ id }) => Number(id?.pointIdOptions.value));

const FILMS = [
  { id: 1, vector: [0.9, 0.1, 0.2], title: 'Alien', year: 1979 },
  { id: 2, vector: [0.8, 0.3, 0.1], title: 'Aliens', year: 1986 },
  { id: 3, vector: [0.1, 0.9, 0.4], title: 'Casablanca', year: 1942 },
  { id: 4, vector: [0.2, 0.2, 0.9], title: 'Metropolis', year: 1927 },
];

beforeEach(async () => {
  const collections = client.api('collections');
  await collections.delete({ collectionName: COLLECTION });
  await collections.create({ collectionName: COLLECTION, vectorsConfig: { config: { case: 'params', value: { size: 3n, distance: 1 } } } });
  const points = FILMS.map(({ id, vector, title, year }) => ({
    id: num(id),
    vectors: dense(vector),
    payload: { title: text(title), year: integer(year) },
  }));
  const { result } = await client.api('points').upsert({ collectionName: COLLECTION, wait: true, points });
  expect(result?.status).toBe(2);
});

describe('the published client', () => {
  test('finds the service compatible', async () => {
    const { title, version } = await client.api('service').healthCheck({});
    expect({ title, version }).toEqual({ title: 'sextant - vector search engine', version: '1.19.0' });
  });

  test('gets the hits that REST gives, with scores, payloads and vectors', async () => {
    const vector = [0.85, 0.2, 0.15];
    const filter = { must: [{ conditionOneOf: { case: 'field' as const, value: { key: 'year', range: { gte: 1940 } } } }] };
    const { result } = await client.api('points').search({
      collectionName: COLLECTION,
      vector,
      filter,
      limit: 3n,
      withPayload: everything,
      withVectors: everything,
    });
    const hits = await rest.search({
      vector,
      filter: { must: [{ key: 'year', range: { gte: 1940 } }] },
      limit: 3,
      with_payload: true,
      with_vector: true,
    });
    const seen = result.map(({ id, score, version, payload, vectors }) => ({
      id: Number(id?.pointIdOptions.value),
      score,
      version: Number(version),
      payload: { title: payload.title?.kind.value, year: Number(payload.year?.kind.value) },
      vector: vectors?.vectorsOptions.case === 'vector' ? vectors.vectorsOptions.value.vector.value : undefined,
    }));
    // The shortest digits of a float32 in JSON are a float32 on the wire.
    const expected = hits.map((hit) => ({
      ...hit,
      score: Math.fround(hit.score),
      vector: expect.objectContaining({ data: Array.from(hit.vector as readonly number[], Math.fround) }),
    }));
    expect(seen).toEqual(expected);
    expect(hits).toHaveLength(3);
  });

  test('searches and queries in batches, in the order that was asked', async () => {
    const points = client.api('points');
    const searches = FILMS.map(({ vector }) => ({ collectionName: COLLECTION, vector, limit: 1n }));
    const { result: found } = await points.searchBatch({ collectionName: COLLECTION, searchPoints: searches });
    expect(found.map((batch) => ids(batch.result))).toEqual([[1], [2], [3], [4]]);
    const queries = FILMS.map(({ vector }) => ({ collectionName: COLLECTION, query: nearest(vector), limit: 1n }));
    const { result: queried } = await points.queryBatch({ collectionName: COLLECTION, queryPoints: queries });
    expect(queried.map((batch) => ids(batch.result))).toEqual([[1], [2], [3], [4]]);
  });

  test('reads by id, by scrolling and in an order, counts and facets', async () => {
    const points = client.api('points');
    const { result: got } = await points.get({ collectionName: COLLECTION, ids: [num(3), num(9)], withPayload: everything });
    expect(got.map(({ payload }) => payload.title?.kind.value)).toEqual(['Casablanca']);
    const { result: page, nextPageOffset } = await points.scroll({ collectionName: COLLECTION, limit: 3 });
    expect([ids(page), nextPageOffset?.pointIdOptions.value]).toEqual([[1, 2, 3], 4n]);
    await points.createFieldIndex({ collectionName: COLLECTION, fieldName: 'year', fieldType: 1 });
    await points.createFieldIndex({ collectionName: COLLECTION, fieldName: 'title', fieldType: 0 });
    const { result: ordered } = await points.scroll({ collectionName: COLLECTION, limit: 2, orderBy: { key: 'year' } });
    expect(ordered.map(({ orderValue }) => orderValue?.variant)).toEqual([
      { case: 'int', value: 1927n },
      { case: 'int', value: 1942n },
    ]);
    const { hits } = await points.facet({ collectionName: COLLECTION, key: 'title', limit: 2n });
    expect(hits.map(({ value, count }) => [value?.variant.value, count])).toEqual([
      ['Alien', 1n],
      ['Aliens', 1n],
    ]);
    const { result: count } = await points.count({ collectionName: COLLECTION });
    expect(count?.count).toBe(4n);
  });

  test('is bound by a strict mode as REST is, and shares its rates', async () => {
    await client.api('collections').update({
      collectionName: COLLECTION,
      strictModeConfig: {
        enabled: true,
        maxQueryLimit: 3,
        maxTimeout: 5,
        unindexedFilteringRetrieve: false,
        upsertMaxBatchsize: 1n,
        readRateLimit: 40,
      },
    });
    const { result } = await client.api('collections').get({ collectionName: COLLECTION });
    expect(result?.config?.strictModeConfig).toMatchObject({ enabled: true, maxQueryLimit: 3, readRateLimit: 40 });
    const points = client.api('points');
    const search = { collectionName: COLLECTION, vector: [1, 0, 0], limit: 3n };
    const filter = { must: [{ conditionOneOf: { case: 'field' as const, value: { key: 'year', range: { gte: 1940 } } } }] };
    const written = FILMS.slice(0, 2).map(({ id, vector }) => ({ id: num(id), vectors: dense(vector) }));
    const refusals = [
      [() => points.search({ ...search, limit: 4n }), 'Limit exceeded 4 > 3 for "limit"'],
      [() => points.search({ ...search, timeout: 6n }), 'Limit exceeded 6 > 5 for "timeout"'],
      [
        () => points.search({ ...search, filter }),
        'Index required but not found for "year" of one of the following types: [float, integer]',
      ],
      [() => points.upsert({ collectionName: COLLECTION, points: written }), 'Limit exceeded 2 > 1 for "upsert limit"'],
    ] as const;
    for (const [refused, words] of refusals) {
      await expect(refused()).rejects.toMatchObject({ code: ConnectErrorCode.InvalidArgument, rawMessage: expect.stringContaining(words) });
    }

    const asked = Array.from({ length: 30 }, () => [points.search(search), rest.search({ vector: [1, 0, 0], limit: 3 })]).flat();
    const outcomes = await Promise.allSettled<unknown>(asked);
    const answered = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(answered).toBeGreaterThanOrEqual(40);
    expect(answered).toBeLessThan(asked.length);
    // A token comes back every one and a half seconds.
    let late: unknown;
    while (late === undefined) {
      late = await points.search(search).then(
        () => undefined,
        (error: unknown) => error,
      );
    }
    // The client has an error of its own for this, which its transport wraps.
    expect(late).toMatchObject({ cause: { code: ConnectErrorCode.ResourceExhausted, retry_after: expect.any(Number) } });
  });

  test('gets the distances within a sample', async () => {
    const points = client.api('points');
    const request = { collectionName: COLLECTION, sample: 9n, limit: 1n };
    const { result: paired } = await points.searchMatrixPairs(request);
    const nearestOf = new Map(paired?.pairs.map(({ a, b }) => [Number(a?.pointIdOptions.value), Number(b?.pointIdOptions.value)]));
    expect(nearestOf).toEqual(
      new Map([
        [1, 2],
        [2, 1],
        [3, 4],
        [4, 3],
      ]),
    );
    const { result: offset } = await points.searchMatrixOffsets(request);
    const sample = ids((offset?.ids ?? []).map((id) => ({ id })));
    const column = offset?.offsetsCol.map((position) => sample[Number(position)]);
    expect(column).toEqual(sample.map((id) => nearestOf.get(id)));
    expect(offset?.scores.every((score) => score > 0)).toBe(true);
  });

  test('writes what REST then reads', async () => {
    const points = client.api('points');
    const selector = { pointsSelectorOneOf: { case: 'points' as const, value: { ids: [num(1)] } } };
    await points.setPayload({
      collectionName: COLLECTION,
      payload: { seen: { kind: { case: 'boolValue', value: true } } },
      pointsSelector: selector,
    });
    await points.updateVectors({ collectionName: COLLECTION, points: [{ id: num(2), vectors: dense([0, 0, 1]) }] });
    await points.updateBatch({
      collectionName: COLLECTION,
      operations: [
        { operation: { case: 'deletePoints', value: { points: { pointsSelectorOneOf: { case: 'points', value: { ids: [num(4)] } } } } } },
        { operation: { case: 'deletePayload', value: { keys: ['year'], pointsSelector: selector } } },
      ],
    });
    const { points: left } = await rest.scroll({ limit: 10, with_payload: true, with_vector: true });
    expect(left.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(left[0]?.payload).toEqual({ title: 'Alien', seen: true });
    expect(left[1]?.vector).toEqual([0, 0, 1]);
  });

  test('describes a collection as REST does', async () => {
    await client.api('points').createFieldIndex({ collectionName: COLLECTION, fieldName: 'year', fieldType: 1 });
    const { result } = await client.api('collections').get({ collectionName: COLLECTION });
    const info = await rest.info();
    expect(result?.status).toBe(1);
    expect(result?.pointsCount).toBe(BigInt(info.points_count));
    expect(result?.config?.params?.vectorsConfig?.config.value).toMatchObject({ size: 3n, distance: 1 });
    expect(result?.config?.hnswConfig).toMatchObject({ m: 16n, efConstruct: 100n });
    expect(result?.payloadSchema.year).toMatchObject({ dataType: 2, points: 4n });
    const { collections } = await client.api('collections').list({});
    expect(collections.map(({ name }) => name)).toEqual([COLLECTION]);
    const { result: exists } = await client.api('collections').collectionExists({ collectionName: 'other' });
    expect(exists?.exists).toBe(false);
  });

  test.each<[string, () => Promise<unknown>, ConnectErrorCode, string]>([
    [
      'a collection that is not there',
      () => client.api('points').count({ collectionName: 'other' }),
      ConnectErrorCode.NotFound,
      'Collection not found: other',
    ],
    [
      'a collection that is there already',
      () =>
        client
          .api('collections')
          .create({ collectionName: COLLECTION, vectorsConfig: { config: { case: 'params', value: { size: 3n, distance: 1 } } } }),
      ConnectErrorCode.AlreadyExists,
      `Collection already exists: ${COLLECTION}`,
    ],
    [
      'a vector of another dimension',
      () => client.api('points').search({ collectionName: COLLECTION, vector: [1], limit: 1n }),
      ConnectErrorCode.InvalidArgument,
      'Dimension mismatch for vector: expected 3, got 1',
    ],
    [
      'a limit of nothing',
      () => client.api('points').search({ collectionName: COLLECTION, vector: [1, 2, 3], limit: 0n }),
      ConnectErrorCode.InvalidArgument,
      'limit: expected an integer from 1 to 1000000, got 0',
    ],
    [
      'a group of calls that is off',
      () => client.api('points').recommend({ collectionName: COLLECTION, limit: 1n }),
      ConnectErrorCode.Unimplemented,
      'Not implemented: qdrant.Points/Recommend',
    ],
  ])('hears why: %s', async (_name, call, code, rawMessage) => {
    await expect(call()).rejects.toMatchObject({ code, rawMessage });
  });
});

test('a batch of vectors goes in whole, compressed as the client sends it', async () => {
  const points = Array.from({ length: 500 }, (_, index) => ({ id: num(100 + index), vectors: dense([index, 1, 2]) }));
  await client.api('points').upsert({ collectionName: COLLECTION, points });
  const { result } = await client.api('points').count({ collectionName: COLLECTION });
  expect(result?.count).toBe(504n);
});

describe('the standard services', () => {
  /** Asks with bytes and is answered with bytes. */
  function open(): Client {
    return new Client(grpcAddressOf(server).replace('http://', ''), credentials.createInsecure());
  }
  const asIs = (bytes: Buffer) => bytes;

  test('health says whether a service serves', async () => {
    using grpc = closing(open());
    // A string in field 1: the name of the service. The answer's field 1 is the status, 1 for "serving".
    const check = (name: string) =>
      new Promise<Buffer | undefined>((resolve, reject) => {
        const request = Buffer.concat([Buffer.of(0x0a, name.length), Buffer.from(name)]);
        grpc.client.makeUnaryRequest('/grpc.health.v1.Health/Check', asIs, asIs, request, (error, answer) =>
          error === null ? resolve(answer) : reject(error),
        );
      });
    for (const name of ['qdrant.Points', 'actian_vectorai.Points']) expect(await check(name)).toEqual(Buffer.of(0x08, 1));
    await expect(check('no.such.Service')).rejects.toMatchObject({ code: 5 });
  });

  test('reflection lists the services', async () => {
    using grpc = closing(open());
    const stream = grpc.client.makeBidiStreamRequest('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', asIs, asIs);
    // An empty string in field 7: list the services.
    stream.write(Buffer.of(0x3a, 0));
    const [answer]: Buffer[] = await once(stream, 'data');
    stream.end();
    const own = ['qdrant.Collections', 'qdrant.Points', 'qdrant.Qdrant'];
    const others = ['actian_vectorai.Collections', 'actian_vectorai.Points', 'actian_vectorai.ActianVectorAI'];
    for (const name of [...own, ...others]) expect(answer?.toString('latin1')).toContain(name);
  });

  function closing(client: Client) {
    return { client, [Symbol.dispose]: () => client.close() };
  }
});

test('groups of calls that are switched on are answered', async () => {
  await using data = await temporaryDirectory();
  await using all = await startVectorServer({ directory: data.path, environment: { SERVICE_CAPABILITIES: 'all' } });
  const [collections, points] = [clientOf(all).api('collections'), clientOf(all).api('points')];
  await collections.create({ collectionName: 'f', vectorsConfig: { config: { case: 'params', value: { size: 3n, distance: 1 } } } });
  await points.upsert({
    collectionName: 'f',
    points: FILMS.map(({ id, vector, year }) => ({
      id: num(id),
      vectors: dense(vector),
      payload: { decade: integer(year - (year % 10)) },
    })),
  });
  const { result: liked } = await points.recommend({ collectionName: 'f', positive: [num(1)], limit: 1n });
  expect(ids(liked)).toEqual([2]);
  const { result: found } = await points.discoverBatch({
    collectionName: 'f',
    discoverPoints: [
      {
        collectionName: 'f',
        target: { target: { case: 'single', value: { example: { case: 'id', value: num(1) } } } },
        context: [{ positive: { example: { case: 'id', value: num(3) } }, negative: { example: { case: 'id', value: num(4) } } }],
        limit: 1n,
      },
    ],
  });
  expect(found.map((batch) => ids(batch.result))).toEqual([[2]]);
  const { result: grouped } = await points.searchGroups({
    collectionName: 'f',
    vector: [1, 0, 0],
    groupBy: 'decade',
    groupSize: 1,
    limit: 2,
  });
  expect(grouped?.groups.map(({ id, hits }) => [id?.kind.value, ids(hits)])).toEqual([
    [1970n, [1]],
    [1980n, [2]],
  ]);
  const { result: queried } = await points.queryGroups({ collectionName: 'f', query: nearest([0, 1, 0]), groupBy: 'decade', limit: 1n });
  expect(queried?.groups.map(({ id, hits }) => [id?.kind.value, ids(hits)])).toEqual([[1940n, [3]]]);
  await all.stop();
});

test('with enforcement on, a token of the right permission opens what it should, by either name', async () => {
  await using data = await temporaryDirectory();
  await using guarded = await startVectorServer({ directory: data.path, environment: { SERVICE_AUTH_ENABLED: 'true' } });
  await guarded.client.request('POST', '/auth/admin', { password: PASSWORD });
  const login = await guarded.client.request('POST', '/auth/admin/login', { password: PASSWORD });
  const { token } = login.body as { readonly token: string };
  const made = await guarded.client.request(
    'POST',
    '/auth/api_key',
    { name: 'reader', permission: 'read' },
    { headers: { authorization: `Bearer ${token}` } },
  );
  const { api_key: key } = made.body as { readonly api_key: string };

  await expect(clientOf(guarded).api('collections').list({})).rejects.toMatchObject({ code: ConnectErrorCode.Unauthenticated });
  await expect(clientOf(guarded, 'wrong').api('collections').list({})).rejects.toMatchObject({ code: ConnectErrorCode.Unauthenticated });
  const reader = clientOf(guarded, key);
  expect((await reader.api('collections').list({})).collections).toEqual([]);
  await expect(
    reader
      .api('collections')
      .create({ collectionName: 'x', vectorsConfig: { config: { case: 'params', value: { size: 3n, distance: 1 } } } }),
  ).rejects.toMatchObject({ code: ConnectErrorCode.PermissionDenied });
  const bearer = new QdrantClient({ url: grpcAddressOf(guarded), headers: { authorization: `Bearer ${key}` } });
  expect((await bearer.api('collections').list({})).collections).toEqual([]);
  await guarded.stop();
});
