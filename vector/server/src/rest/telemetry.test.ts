// SPDX-License-Identifier: Apache-2.0
import { clusterEndpoints } from '@sextant/contracts-vector';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PRODUCT } from '../product.ts';
import { type TestServer, testServer } from '../testing/test-server.ts';

const error = (text: unknown) => ({ time: expect.any(Number), status: { error: text } });

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterEach(() => server.reset());
afterAll(() => server[Symbol.asyncDispose]());

describe('telemetry', () => {
  const telemetryOf = async (query: string) => {
    const { body } = await server.call('GET', `/telemetry${query}`);
    return (body as { result: { collections: { collections?: readonly object[] } } }).result;
  };
  const fill = async () => {
    await server.call('PUT', '/collections/things', { vectors: { size: 2, distance: 'Dot' } });
    await server.call('PUT', '/collections/things/points', { points: [{ id: 1, vector: [1, 2], payload: { a: 1 } }] });
  };

  test.each(['', '?details_level=0'])('that without details names no collection: %j', async (query) => {
    await fill();
    expect(await telemetryOf(query)).toEqual({
      id: expect.stringMatching(/./),
      app: { name: PRODUCT.name, version: PRODUCT.version, startup: expect.stringMatching(/Z$/) },
      collections: { number_of_collections: 1 },
      cluster: { enabled: false },
      requests: { rest: { responses: expect.anything() }, grpc: { responses: {} } },
    });
  });

  test.each([
    ['1', { vectors: 1, optimizers_status: 'ok', params: expect.objectContaining({ vectors: { size: 2, distance: 'Dot' } }) }],
    ['2', { id: 'things', config: expect.objectContaining({ hnsw_config: expect.anything() }) }],
  ])('of collections by level %s', async (level, expected) => {
    await fill();
    expect((await telemetryOf(`?details_level=${level}`)).collections.collections).toEqual([expected]);
  });

  test.each(['3', '10'])('of their only shard by level %s', async (level) => {
    await fill();
    expect((await telemetryOf(`?details_level=${level}`)).collections.collections).toEqual([
      {
        id: 'things',
        config: expect.anything(),
        shards: [
          {
            id: 0,
            key: null,
            local: {
              variant_name: 'local',
              status: 'green',
              total_optimized_points: 0,
              vectors_size_bytes: 8,
              payloads_size_bytes: expect.any(Number),
              num_points: 1,
              num_vectors: 1,
            },
            remote: [],
            replicate_states: { '0': 'Active' },
          },
        ],
        transfers: [],
        resharding: [],
      },
    ]);
  });

  test('that names no collection when it is anonymous', async () => {
    await fill();
    const text = JSON.stringify((await telemetryOf('?details_level=3&anonymize=true')).collections);
    expect(text).not.toContain('things');
    expect(text).toMatch(/"id":"[\da-f]{16}"/);
  });

  test('of requests by endpoint and status', async () => {
    await using counted = await testServer();
    for (const path of ['/collections/a', '/collections/b', '/collections/a/exists']) await counted.call('GET', path);
    const { body } = await counted.call('GET', '/telemetry');
    const figures = (count: number) => ({
      count,
      avg_duration_micros: expect.any(Number),
      min_duration_micros: expect.any(Number),
      max_duration_micros: expect.any(Number),
      total_duration_micros: expect.any(Number),
      last_responded: expect.stringMatching(/Z$/),
    });
    expect((body as { result: { requests: { rest: object } } }).result.requests.rest).toEqual({
      responses: { 'GET /collections/{name}': { '404': figures(2) }, 'GET /collections/{name}/exists': { '200': figures(1) } },
    });
  });
});

describe('a single node', () => {
  test('is no part of a cluster', async () => {
    expect((await server.call('GET', '/cluster')).body).toMatchObject({ status: 'ok', result: { status: 'disabled' } });
  });

  test('describes the one shard of a collection', async () => {
    await server.call('PUT', '/collections/things', { vectors: { size: 2, distance: 'Dot' } });
    await server.call('PUT', '/collections/things/points', { points: [{ id: 1, vector: [1, 2] }] });
    expect((await server.call('GET', '/collections/things/cluster')).body).toMatchObject({
      result: {
        peer_id: 0,
        shard_count: 1,
        local_shards: [{ shard_id: 0, points_count: 1, state: 'Active' }],
        remote_shards: [],
        shard_transfers: [],
        resharding_operations: [],
      },
    });
    expect((await server.call('GET', '/collections/things/shards')).body).toMatchObject({ result: { shard_keys: [] } });
    for (const path of ['cluster', 'shards']) {
      expect(await server.call('GET', `/collections/none/${path}`)).toMatchObject({
        status: 404,
        body: error('Collection not found: none'),
      });
    }
  });

  test('has no other node that a shard could go to', async () => {
    const reply = await server.call('POST', '/collections/things/cluster', { drop_replica: { shard_id: 0, peer_id: 0 } });
    expect(reply.status).toBe(405);
    expect(reply.body).toEqual(
      error(
        'POST /collections/{collection_name}/cluster needs a cluster, and this service is a single node (standalone mode); ' +
          'a collection has one shard; /collections/{collection_name}/cluster describes it',
      ),
    );
  });

  test('has no shard keys: it makes none, and a key that a request names has no effect', async () => {
    await server.call('PUT', '/collections/things', { vectors: { size: 2, distance: 'Dot' } });
    const body = { vectors: { size: 1, distance: 'Dot' }, sharding_method: 'custom' };
    const refused = await server.call('PUT', '/collections/keyed', body);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      status: { error: expect.stringMatching(/^sharding_method: dividing a collection by keys .* not supported/) },
    });
    for (const [method, path] of [
      ['PUT', '/collections/things/shards'],
      ['POST', '/collections/things/shards/delete'],
    ] as const) {
      expect(await server.call(method, path, { shard_key: 'a' })).toMatchObject({
        status: 405,
        body: { status: { error: expect.stringContaining('this service is a single node (standalone mode); a collection has one shard') } },
      });
    }
    const update = { create_sharding_key: { shard_key: 'a' } };
    expect((await server.call('POST', '/collections/things/cluster', update)).status).toBe(405);
    const written = await server.call('PUT', '/collections/things/points', { points: [{ id: 2, vector: [2, 1] }], shard_key: 'a' });
    expect(written.status).toBe(200);
    expect((await server.call('POST', '/collections/things/points/count', { shard_key: ['a', 1] })).body).toMatchObject({
      result: { count: 1 },
    });
    expect((await server.call('POST', '/collections/things/points/count', { shard_key: -1 })).status).toBe(400);
  });

  test.each(clusterEndpoints)(
    'refuses $method $path, which needs a cluster, and says what to do in its place',
    async ({ method, path, instead }) => {
      const asked = path.replaceAll(/\{\w+\}/g, 'x');
      const reply = await server.call(method, asked, method === 'GET' || method === 'DELETE' ? undefined : {});
      expect(reply.status).toBe(405);
      const sentence = `${method} ${path} needs a cluster, and this service is a single node (standalone mode); ${instead}`;
      expect(reply.body).toEqual(error(sentence));
      expect(reply.headers.get('allow')).toBe(/\/(?:cluster|shards)$/.test(path) ? 'GET' : '');
    },
  );
});
