// SPDX-License-Identifier: Apache-2.0
/** The usual flows of the published gRPC client beside REST on the same data, wherever the service runs. */
import { ConnectErrorCode, type QdrantClient } from '@qdrant/js-client-grpc';
import { beforeEach, expect, test } from 'vitest';
import type { CollectionApi, VectorApi } from '../vector-api.ts';
import type { Held } from './qdrant-rest.conformance.ts';

const COLLECTION = 'films';

export const num = (value: number) => ({ pointIdOptions: { case: 'num' as const, value: BigInt(value) } });
export const dense = (data: number[]) => ({
  vectorsOptions: { case: 'vector' as const, value: { vector: { case: 'dense' as const, value: { data } } } },
});
const text = (value: string) => ({ kind: { case: 'stringValue' as const, value } });
export const integer = (value: number) => ({ kind: { case: 'integerValue' as const, value: BigInt(value) } });
const everything = { selectorOptions: { case: 'enable' as const, value: true } };
export const nearest = (data: number[]) => ({
  variant: { case: 'nearest' as const, value: { variant: { case: 'dense' as const, value: { data } } } },
});
export const ids = (points: readonly { id?: { pointIdOptions: { value?: bigint | string | undefined } } | undefined }[]) =>
  points.map(({ id }) => Number(id?.pointIdOptions.value));

export const FILMS = [
  { id: 1, vector: [0.9, 0.1, 0.2], title: 'Alien', year: 1979 },
  { id: 2, vector: [0.8, 0.3, 0.1], title: 'Aliens', year: 1986 },
  { id: 3, vector: [0.1, 0.9, 0.4], title: 'Casablanca', year: 1942 },
  { id: 4, vector: [0.2, 0.2, 0.9], title: 'Metropolis', year: 1927 },
];

/** @param connect is asked before each test, for both ways to one service */
export function grpcClientFlows(connect: () => { readonly grpc: QdrantClient; readonly rest: VectorApi }, held: Held = {}): void {
  let client: QdrantClient;
  let rest: CollectionApi;

  beforeEach(async () => {
    const service = connect();
    client = service.grpc;
    rest = service.rest.collection(COLLECTION);
    const collections = client.api('collections');
    await collections.delete({ collectionName: COLLECTION });
    await collections.create({
      collectionName: COLLECTION,
      ...inMessage(held),
      vectorsConfig: { config: { case: 'params', value: { size: 3n, distance: 1 } } },
    });
    const points = FILMS.map(({ id, vector, title, year }) => ({
      id: num(id),
      vectors: dense(vector),
      payload: { title: text(title), year: integer(year) },
    }));
    const { result } = await client.api('points').upsert({ collectionName: COLLECTION, wait: true, points });
    expect(result?.status).toBe(2);
  });

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
    expect(collections.map(({ name }) => name)).toContain(COLLECTION);
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
  ])('hears why: %s', async (_name, call, code, rawMessage) => {
    await expect(call()).rejects.toMatchObject({ code, rawMessage });
  });

  test('a batch of vectors goes in whole, compressed as the client sends it', async () => {
    const points = Array.from({ length: 500 }, (_, index) => ({ id: num(100 + index), vectors: dense([index, 1, 2]) }));
    await client.api('points').upsert({ collectionName: COLLECTION, points });
    const { result } = await client.api('points').count({ collectionName: COLLECTION });
    expect(result?.count).toBe(504n);
  });
}

function inMessage({ shard_number: shards, replication_factor: replicas }: Held) {
  return {
    ...(shards === undefined ? {} : { shardNumber: shards }),
    ...(replicas === undefined ? {} : { replicationFactor: replicas }),
  };
}
