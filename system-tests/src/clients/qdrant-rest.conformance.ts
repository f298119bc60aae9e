// SPDX-License-Identifier: Apache-2.0
/** The usual flows of the published REST client, wherever the service runs. */
import type { QdrantClient } from '@qdrant/js-client-rest';
import { beforeEach, expect, test } from 'vitest';

/** What both versions of the client have. */
export type RestClient = Omit<QdrantClient, 'api' | 'getQuotas' | 'updateQuotas'>;

export const CITIES = [
  { id: 1, vector: [0.05, 0.61, 0.76, 0.74], payload: { city: 'Berlin', inhabitants: 3_700_000, visited: true } },
  { id: 2, vector: [0.19, 0.81, 0.75, 0.11], payload: { city: 'London', inhabitants: 8_900_000, visited: false } },
  { id: 3, vector: [0.36, 0.55, 0.47, 0.94], payload: { city: ['Berlin', 'Moscow'], inhabitants: 13_000_000, visited: true } },
  { id: 4, vector: [0.18, 0.01, 0.85, 0.8], payload: { city: ['London', 'Moscow'], tags: [] } },
  { id: 5, vector: [0.24, 0.18, 0.22, 0.44], payload: { count: [0] } },
];

function statusOf(status: number, text: string) {
  return expect.objectContaining({ status, data: { time: expect.any(Number), status: { error: text } } });
}

/** How collections are held by several nodes. */
export type Held = { readonly shard_number?: number; readonly replication_factor?: number };

/** @param connect is asked before each test; its collections have the version in their names */
export function restClientFlows(version: string, connect: () => RestClient, held: Held = {}): void {
  let client: RestClient;
  const name = `cities ${version}`;

  beforeEach(async () => {
    client = connect();
    await client.deleteCollection(name);
    await client.createCollection(name, { ...held, vectors: { size: 4, distance: 'Dot' } });
    await client.upsert(name, { wait: true, points: CITIES });
  });

  test('finds a server whose version it accepts', async () => {
    const seen = await client.versionInfo();
    expect(seen.version).toMatch(/^1\.1[89]\./);
  });

  test('creates, lists, describes, updates and deletes a collection', async () => {
    const other = `other ${version}`;
    expect(await client.collectionExists(other)).toEqual({ exists: false });
    expect(await client.createCollection(other, { vectors: { size: 3, distance: 'Cosine' }, hnsw_config: { m: 8 } })).toBe(true);
    expect(await client.collectionExists(other)).toEqual({ exists: true });
    expect((await client.getCollections()).collections).toEqual(expect.arrayContaining([{ name }, { name: other }]));
    const info = await client.getCollection(other);
    expect(info).toMatchObject({ status: 'green', optimizer_status: 'ok', points_count: 0, payload_schema: {} });
    expect(info.config.params.vectors).toMatchObject({ size: 3, distance: 'Cosine' });
    expect(info.config.hnsw_config.m).toBe(8);
    expect(await client.updateCollection(other, { optimizers_config: { indexing_threshold: 5000 } })).toBe(true);
    expect((await client.getCollection(other)).config.optimizer_config.indexing_threshold).toBe(5000);
    expect(await client.deleteCollection(other)).toBe(true);
    expect(await client.deleteCollection(other)).toBe(false);
    expect(await client.collectionExists(other)).toEqual({ exists: false });
  });

  test('upserts points and batches, and retrieves what it wrote', async () => {
    const written = await client.upsert(name, {
      wait: true,
      batch: {
        ids: [6, 7],
        vectors: [
          [0.35, 0.08, 0.11, 0.44],
          [0.1, 0.2, 0.3, 0.4],
        ],
        payloads: [{ city: 'Oslo' }, { city: 'Bergen' }],
      },
    });
    expect(written).toEqual({ operation_id: expect.any(Number), status: 'Completed' });
    const points = await client.retrieve(name, { ids: [7, 6, 99, 1], with_payload: true, with_vector: true });
    expect(new Set(points.map(({ id }) => id))).toEqual(new Set([1, 6, 7]));
    expect(points.find(({ id }) => id === 7)).toMatchObject({ payload: { city: 'Bergen' } });
    expect(points.find(({ id }) => id === 1)?.payload).toEqual(CITIES[0]?.payload);
    expect(points.find(({ id }) => id === 6)?.vector).toEqual([0.35, 0.08, 0.11, 0.44].map((value) => expect.closeTo(value, 6)));
    expect((await client.getCollection(name)).points_count).toBe(7);
  });

  test('queries by vector, by id, with filter, offset, threshold and selected payload', async () => {
    const query = [0.2, 0.1, 0.9, 0.7];
    const { points } = await client.query(name, { query, limit: 3, with_payload: true, with_vector: true });
    expect(points.map(({ id }) => id)).toEqual([4, 1, 3]);
    expect(points[0]).toMatchObject({ score: expect.closeTo(1.362, 5), version: expect.any(Number), payload: CITIES[3]?.payload });
    expect((await client.query(name, { query, limit: 2, offset: 1 })).points.map(({ id }) => id)).toEqual([1, 3]);
    expect((await client.query(name, { query, score_threshold: 1.25 })).points.map(({ id }) => id)).toEqual([4, 1]);
    const filter = { must: [{ key: 'city', match: { value: 'Berlin' } }] };
    expect((await client.query(name, { query, filter })).points.map(({ id }) => id)).toEqual([1, 3]);
    expect((await client.query(name, { query: 4, limit: 2 })).points.map(({ id }) => id)).not.toContain(4);
    const [selected] = (await client.query(name, { query, limit: 1, with_payload: ['tags'] })).points;
    expect(selected?.payload).toEqual({ tags: [] });
    expect((await client.query(name, { limit: 2, filter })).points.map(({ id }) => id)).toEqual([1, 3]);
    const batch = await client.queryBatch(name, {
      searches: [
        { query, limit: 1 },
        { query, filter, limit: 1 },
      ],
    });
    expect(batch.map((answer) => answer.points.map(({ id }) => id))).toEqual([[4], [1]]);
  });

  test('scrolls page by page, and by the order of a field', async () => {
    const first = await client.scroll(name, { limit: 3 });
    expect(first.points.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(first.next_page_offset).toBe(4);
    const second = await client.scroll(name, { limit: 3, offset: 4, with_payload: false, with_vector: true });
    expect(second.points.map(({ id }) => id)).toEqual([4, 5]);
    expect(second.next_page_offset ?? null).toBe(null);
    await client.createPayloadIndex(name, { field_name: 'inhabitants', field_schema: 'integer', wait: true });
    const ordered = await client.scroll(name, { order_by: { key: 'inhabitants', direction: 'desc' } });
    expect(ordered.points.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  test('counts with and without a filter', async () => {
    expect(await client.count(name)).toEqual({ count: 5 });
    const filter = { must: [{ key: 'inhabitants', range: { gt: 5_000_000 } }], must_not: [{ key: 'visited', match: { value: false } }] };
    expect(await client.count(name, { filter, exact: true })).toEqual({ count: 1 });
    expect(await client.count(name, { filter: { should: [{ is_empty: { key: 'tags' } }, { has_id: [4] }] } })).toEqual({ count: 5 });
  });

  test('sets, overwrites, deletes and clears payload', async () => {
    const payloads = async () => (await client.retrieve(name, { ids: [1, 2], with_payload: true })).map(({ payload }) => payload ?? {});
    await client.setPayload(name, { payload: { river: 'Spree' }, points: [1], wait: true });
    expect(await payloads()).toEqual([{ ...CITIES[0]?.payload, river: 'Spree' }, CITIES[1]?.payload]);
    await client.overwritePayload(name, { payload: { river: 'Thames' }, points: [2], wait: true });
    expect((await payloads())[1]).toEqual({ river: 'Thames' });
    await client.deletePayload(name, { keys: ['river', 'visited'], points: [1], wait: true });
    expect((await payloads())[0]).toEqual({ city: 'Berlin', inhabitants: 3_700_000 });
    await client.clearPayload(name, { points: [1, 2], wait: true });
    expect(await payloads()).toEqual([{}, {}]);
    await client.setPayload(name, { payload: { seen: 1 }, filter: { must: [{ key: 'city', match: { any: ['Moscow'] } }] }, wait: true });
    expect(await client.count(name, { filter: { must: [{ key: 'seen', match: { value: 1 } }] } })).toEqual({ count: 2 });
  });

  test('replaces and removes vectors', async () => {
    await client.updateVectors(name, { points: [{ id: 2, vector: [9, 9, 9, 9] }], wait: true });
    const [nearest] = (await client.query(name, { query: [1, 1, 1, 1], limit: 1, with_payload: true })).points;
    expect(nearest).toMatchObject({ id: 2, score: expect.closeTo(36, 4), payload: CITIES[1]?.payload });
  });

  test('keeps named vectors apart', async () => {
    const named = `named ${version}`;
    await client.deleteCollection(named);
    await client.createCollection(named, {
      ...held,
      vectors: { image: { size: 2, distance: 'Euclid' }, text: { size: 3, distance: 'Cosine' } },
    });
    await client.upsert(named, {
      wait: true,
      points: [
        { id: 1, vector: { image: [0, 0], text: [1, 0, 0] } },
        { id: 2, vector: { image: [3, 4], text: [0, 2, 0] } },
        { id: 3, vector: { text: [0, 0, 5] } },
      ],
    });
    const { points } = await client.query(named, { query: [0, 0], using: 'image', with_vector: ['image'] });
    expect(points).toMatchObject([
      { id: 1, score: 0, vector: { image: [0, 0] } },
      { id: 2, score: 5, vector: { image: [3, 4] } },
    ]);
    await client.deleteVectors(named, { points: [2], vector: ['image'], wait: true });
    expect(await client.count(named, { filter: { must: [{ has_vector: 'image' }] } })).toEqual({ count: 1 });
    const [unit] = await client.retrieve(named, { ids: [2], with_vector: true });
    expect(unit?.vector).toEqual({ text: [0, expect.closeTo(1, 6), 0] });
  });

  test('rescores by several vectors for each point what one vector found', async () => {
    const multivector_config = { comparator: 'max_sim' } as const;
    await client.createVectorName(name, 'tokens', { dense: { size: 16, distance: 'Dot', multivector_config } });
    const token = (at: number) => Array.from({ length: 16 }, (_, index) => (index === at ? 1.25 : 0));
    const tokens = [[token(1)], [token(1), token(2)], [token(3)], [token(2), token(3), token(4)]];
    await client.updateVectors(name, { points: tokens.map((list, index) => ({ id: index + 1, vector: { tokens: list } })) });
    const { points } = await client.query(name, {
      prefetch: { query: [0.2, 0.1, 0.9, 0.7], limit: 4 },
      query: [token(2), token(3)],
      using: 'tokens',
      limit: 2,
      with_vector: ['tokens'],
    });
    expect(points).toMatchObject([
      { id: 4, score: 3.125, vector: { tokens: tokens[3] } },
      { id: expect.any(Number), score: 1.5625 },
    ]);
    expect((await client.getCollection(name)).config.params.vectors).toMatchObject({ tokens: { multivector_config } });
  });

  test('adds a vector, fills it, searches by it, and deletes it', async () => {
    await client.createVectorName(name, 'area', { dense: { size: 1, distance: 'Euclid' } });
    await client.updateVectors(name, { points: [{ id: 3, vector: { area: [2561] } }] });
    const { points } = await client.query(name, { query: [2500], using: 'area' });
    expect(points).toMatchObject([{ id: 3, score: 61 }]);
    await client.deleteVectorName(name, 'area');
    await expect(client.query(name, { query: [2500], using: 'area' })).rejects.toEqual(
      statusOf(400, 'Not existing vector name error: area'),
    );
    expect((await client.getCollection(name)).config.params.vectors).toMatchObject({ size: 4, distance: 'Dot' });
  });

  test('creates a field index, facets over it, and deletes it', async () => {
    await client.createPayloadIndex(name, { field_name: 'city', field_schema: 'keyword', wait: true });
    expect((await client.getCollection(name)).payload_schema).toMatchObject({ city: { data_type: 'keyword', points: 4 } });
    const { hits } = await client.facet(name, { key: 'city', limit: 2, exact: true });
    expect(hits).toEqual([
      { value: 'Berlin', count: 2 },
      { value: 'London', count: 2 },
    ]);
    await client.deletePayloadIndex(name, 'city', { wait: true });
    expect((await client.getCollection(name)).payload_schema).toEqual({});
  });

  test('deletes by ids and by filter', async () => {
    await client.delete(name, { wait: true, points: [1, 99] });
    expect(await client.count(name)).toEqual({ count: 4 });
    await client.delete(name, { wait: true, filter: { must: [{ key: 'city', match: { value: 'London' } }] } });
    expect((await client.scroll(name)).points.map(({ id }) => id)).toEqual([3, 5]);
  });

  test('runs a batch of operations in order', async () => {
    const results = await client.batchUpdate(name, {
      wait: true,
      operations: [
        { upsert: { points: [{ id: 8, vector: [1, 0, 0, 0], payload: { a: 1 } }] } },
        { set_payload: { payload: { b: 2 }, points: [8] } },
        { delete_payload: { keys: ['a'], points: [8] } },
        { update_vectors: { points: [{ id: 8, vector: [0, 0, 0, 1] }] } },
        { delete: { points: [1, 2] } },
      ],
    });
    expect(results).toHaveLength(5);
    const [point] = await client.retrieve(name, { ids: [8], with_vector: true, with_payload: true });
    expect(point).toMatchObject({ payload: { b: 2 }, vector: [0, 0, 0, 1] });
    expect((await client.scroll(name)).points.map(({ id }) => id)).toEqual([3, 4, 5, 8]);
  });

  test('keeps ids beyond 2^53 and UUIDs exact', async () => {
    // The client's types know ids as numbers; at run time it sends and revives bigints.
    const large = [9007199254740993n, 18446744073709551615n] as unknown as number[];
    const uuid = '550e8400-e29b-41d4-a716-446655440000';
    const ids = [...large, uuid];
    await client.upsert(name, { wait: true, points: ids.map((id, index) => ({ id, vector: [index, 0, 0, 100], payload: { index } })) });
    const points = await client.retrieve(name, { ids, with_payload: true });
    expect(new Map(points.map(({ id, payload }) => [String(id), payload?.index]))).toEqual(
      new Map(ids.map((id, index) => [String(id), index])),
    );
    const { points: scrolled } = await client.scroll(name, { offset: large[0] ?? 0 });
    expect(scrolled.map(({ id }) => String(id))).toEqual([...large.map(String), uuid]);
    const found = await client.query(name, { query: [0, 0, 0, 1], limit: 3, filter: { must: [{ has_id: ids }] } });
    expect(found.points.map(({ id }) => String(id)).toSorted()).toEqual(ids.map(String).toSorted());
    await client.delete(name, { wait: true, points: [large[1] ?? 0, uuid] });
    expect(await client.count(name)).toEqual({ count: 6 });
  });

  test('gets an answer that says what is wrong', async () => {
    await expect(client.createCollection(name, { vectors: { size: 4, distance: 'Dot' } })).rejects.toEqual(
      statusOf(409, `Collection already exists: ${name}`),
    );
    await expect(client.getCollection('none')).rejects.toEqual(statusOf(404, 'Collection not found: none'));
    await expect(client.query('none', { query: [1] })).rejects.toEqual(statusOf(404, 'Collection not found: none'));
    await expect(client.upsert(name, { points: [{ id: 1, vector: [1, 2] }] })).rejects.toEqual(
      statusOf(400, 'Dimension mismatch for vector: expected 4, got 2'),
    );
    await expect(client.query(name, { query: [1, 2] })).rejects.toMatchObject({ status: 400 });
    await expect(client.setPayload(name, { payload: { a: 1 }, points: [99], wait: true })).rejects.toMatchObject({ status: 404 });
    expect(await client.count(name)).toEqual({ count: 5 });
  });
}
