// SPDX-License-Identifier: Apache-2.0
/** A collection whose points keys divide, on three nodes, by way of any of them: over REST, over gRPC, and with the published clients as they are. */
import { QdrantClient as GrpcClient } from '@qdrant/js-client-grpc';
import { QdrantClient as RestClient } from '@qdrant/js-client-rest';
import { isLongRun, missingNats } from '@sextant/foundation-testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { dense, ids, nearest, num } from '../clients/qdrant-grpc.conformance.ts';
import { environmentOf, sextant } from '../clients/sextant.ts';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf } from '../vector-server.ts';
import { type ClusterNodes, inTurn } from './cluster-nodes.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();

const CUSTOM = { vectors: { size: 2, distance: 'Euclid' }, sharding_method: 'custom', shard_number: 2, replication_factor: 2 } as const;
const points = (city: string, y: number) =>
  [1, 2, 3, 4, 5].map((id) => ({ id, vector: [id * id, y], payload: { city, kind: id % 2 === 0 ? 'even' : 'odd' } }));
const keyword = (value: string) => ({ key: { case: 'keyword' as const, value } });

type Shard = { readonly shard_id: number; readonly shard_key?: string | number; readonly points_count?: number };
type Info = { readonly shard_count: number; readonly local_shards: readonly Shard[]; readonly remote_shards: readonly Shard[] };

describe.skipIf(missing !== undefined)(missing ?? 'keys at three nodes over NATS', () => {
  let cluster: ClusterNodes;

  beforeAll(async () => {
    ({ cluster } = await sharedCluster());
  });

  /** The next request goes by way of the next node. */
  const nextNode = inTurn(() => cluster);
  const call = (method: string, path: string, body?: object, status = 200) =>
    nextNode()
      .client.request(method, `/collections/${path}`, body)
      .then((reply) => {
        expect({ path, status: reply.status, body: reply.body }).toMatchObject({ path, status });
        return reply.body as { readonly result: unknown };
      });

  test('are made, written under, read and dropped over REST', async () => {
    await call('PUT', 'cities', CUSTOM);
    await call('PUT', 'cities/points', { points: points('Berlin', 0), shard_key: 'berlin' }, 404);
    for (const shard_key of ['berlin', 'rome', 7]) await call('PUT', 'cities/shards', { shard_key });
    await call('PUT', 'cities/points', { points: points('Berlin', 0), shard_key: 'berlin' });
    await call('PUT', 'cities/points', { points: points('Rome', 1), shard_key: ['rome'] });
    expect(await call('PUT', 'cities/points', { points: points('Rome', 1) }, 400)).toMatchObject({
      status: { error: expect.stringContaining('Shard key not specified') },
    });
    expect(await call('PUT', 'cities/points', { points: points('Oslo', 1), shard_key: 'oslo' }, 404)).toMatchObject({
      status: { error: expect.stringContaining('Shard key "oslo" not found in cities') },
    });

    const consistent = '?consistency=all';
    expect(await call('GET', `cities`)).toMatchObject({ result: { config: { params: { sharding_method: 'custom', shard_number: 2 } } } });
    expect(await call('POST', `cities/points/count${consistent}`, {})).toMatchObject({ result: { count: 10 } });
    const counted = async (shard_key: unknown) => call('POST', `cities/points/count${consistent}`, { shard_key });
    expect(await counted('rome')).toMatchObject({ result: { count: 5 } });
    expect(await counted({ target: 'oslo', fallback: 'rome' })).toMatchObject({ result: { count: 5 } });
    expect(await counted(7)).toMatchObject({ result: { count: 0 } });
    await call('POST', 'cities/points/count', { shard_key: '7' }, 404);
    await call('POST', 'cities/points/count', { shard_key: [] }, 400);

    expect(await call('POST', `cities/points/search${consistent}`, { vector: [4, 0.9], limit: 2, with_payload: ['city'] })).toMatchObject({
      result: [
        { id: 2, shard_key: 'rome', payload: { city: 'Rome' } },
        { id: 2, shard_key: 'berlin' },
      ],
    });
    const read = { shard_key: 'berlin', limit: 1 };
    for (const [path, body, result] of [
      ['points/search', { ...read, vector: [4, 0.9] }, [{ id: 2, shard_key: 'berlin' }]],
      ['points/search/batch', { searches: [{ ...read, vector: [4, 0.9] }] }, [[{ id: 2, shard_key: 'berlin' }]]],
      ['points/search/groups', { ...read, vector: [4, 0.9], group_by: 'city' }, { groups: [{ id: 'Berlin' }] }],
      ['points/query', { ...read, query: [4, 0.9] }, { points: [{ id: 2, shard_key: 'berlin' }] }],
      ['points/query/batch', { searches: [{ ...read, query: [4, 0.9] }] }, [{ points: [{ id: 2, shard_key: 'berlin' }] }]],
      ['points/query/groups', { ...read, query: [4, 0.9], group_by: 'city' }, { groups: [{ id: 'Berlin' }] }],
      ['points/recommend', { ...read, positive: [2] }, [{ id: 1, shard_key: 'berlin' }]],
      ['points/recommend/groups', { ...read, positive: [2], group_by: 'city' }, { groups: [{ id: 'Berlin' }] }],
      ['points/discover', { ...read, target: 2, context: [] }, [{ shard_key: 'berlin' }]],
      ['points/scroll', { ...read, offset: 3 }, { points: [{ id: 3, shard_key: 'berlin' }], next_page_offset: 4 }],
      ['points', { ids: [5], shard_key: 'rome' }, [{ id: 5, shard_key: 'rome', payload: { city: 'Rome' } }]],
      ['points/search/matrix/pairs', { shard_key: 'rome', sample: 5, limit: 1 }, { pairs: { length: 5 } }],
    ] as const) {
      expect({ path, ...(await call('POST', `cities/${path}${consistent}`, body)) }).toMatchObject({ path, result });
    }

    await call('PUT', 'cities/index', { field_name: 'kind', field_schema: 'keyword' });
    expect(await call('POST', `cities/facet${consistent}`, { key: 'kind', shard_key: ['rome', 7] })).toMatchObject({
      result: {
        hits: [
          { value: 'odd', count: 3 },
          { value: 'even', count: 2 },
        ],
      },
    });

    const seen = { must: [{ key: 'seen', match: { value: true } }] };
    const countSeen = async () =>
      ((await call('POST', `cities/points/count${consistent}`, { filter: seen })).result as { count: number }).count;
    await call('POST', 'cities/points/payload', { payload: { seen: true }, points: [1, 2], shard_key: 'rome' });
    expect(await countSeen()).toBe(2);
    await call('POST', 'cities/points/batch', {
      operations: [
        { set_payload: { payload: { seen: true }, points: [3], shard_key: ['berlin'] } },
        { clear_payload: { points: [1], shard_key: 'rome' } },
        { delete: { points: [2], shard_key: 'rome' } },
        { upsert: { points: [{ id: 9, vector: [9, 9], payload: { seen: true } }], shard_key: 7 } },
      ],
    });
    expect(await countSeen()).toBe(2);

    await call('POST', 'cities/shards/delete', { shard_key: 'rome' });
    await call('POST', 'cities/shards/delete', { shard_key: 'rome' }, 404);
    expect(await call('POST', `cities/points/count${consistent}`, {})).toMatchObject({ result: { count: 6 } });
    await call('PUT', 'cities/shards', { shard_key: 'berlin' }, 400);
  });

  test('are described with their shards, which can be placed and moved', async () => {
    await call('PUT', 'placed', { ...CUSTOM, shard_number: 1, replication_factor: 1 });
    const north = cluster.servers[0];
    if (north === undefined) throw new Error('every node was started');
    const api = vectorApi(north.client);
    const own = (await api.call<{ readonly peer_id: number }>('GET', '/cluster')).peer_id;
    const create_sharding_key = { shard_key: 'here', shards_number: 2, placement: [own] };
    await api.call('POST', '/collections/placed/cluster', { create_sharding_key });
    const infoOf = () => api.call<Info>('GET', '/collections/placed/cluster');
    const info = await infoOf();
    expect(info).toMatchObject({ shard_count: 2, remote_shards: [] });
    expect(info.local_shards.map(({ shard_id, shard_key }) => [shard_id, shard_key])).toEqual([
      [0, 'here'],
      [1, 'here'],
    ]);
    await api.call('PUT', '/collections/placed/points', { points: points('Here', 0), shard_key: 'here' });
    const others = Object.keys((await api.call<{ readonly peers: object }>('GET', '/cluster')).peers).map(Number);
    const to = others.find((peer) => peer !== own) ?? 0;
    await api.call('POST', '/collections/placed/cluster', { move_shard: { shard_id: 1, from_peer_id: own, to_peer_id: to } });
    await expect
      .poll(async () => (await infoOf()).remote_shards)
      .toEqual([{ shard_id: 1, shard_key: 'here', peer_id: to, state: 'Active' }]);
    expect(await api.call('POST', '/collections/placed/points/count', { shard_key: 'here' })).toMatchObject({ count: 5 });
    await api.call('POST', '/collections/placed/cluster', { drop_sharding_key: { shard_key: 'here' } });
    expect(await infoOf()).toMatchObject({ shard_count: 0, local_shards: [], remote_shards: [] });
    const unplaced = { create_sharding_key: { shard_key: 'x', placement: [5] } };
    await expect(api.call('POST', '/collections/placed/cluster', unplaced)).rejects.toMatchObject({ status: 404 });
    await api.collection('hashed').create({ vectors: { size: 1, distance: 'Dot' }, shard_number: 2 });
    await expect(api.call('PUT', '/collections/hashed/shards', { shard_key: 'x' })).rejects.toThrow(/divided by their ids/);
    await expect(api.call('PUT', '/collections/none/shards', { shard_key: 'x' })).rejects.toMatchObject({ status: 404 });
  });

  test('are made, listed and dropped by the command line', async () => {
    // One node, which shows what was written by way of it.
    const server = nextNode();
    const put = (path: string, body: object) => vectorApi(server.client).call('PUT', `/collections/days${path}`, body);
    await put('', { ...CUSTOM, shard_number: 1, replication_factor: 1 });
    const keys = (...args: string[]) => sextant(['cluster', 'keys', ...args], environmentOf('/', { SEXTANT_URL: server.address }));
    const made = await keys('create', 'days', '20261128', '--integer', '--shards', '2', '--on', 'east');
    expect(made).toMatchObject({ code: 0, stdout: 'Created the shard key 20261128 of days.\n' });
    await put('/shards', { shard_key: '20261128', replication_factor: 3 });
    await put('/points', { points: points('Berlin', 0), shard_key: 20261128 });
    expect(JSON.parse((await keys('list', 'days', '--json')).stdout)).toEqual([
      { key: 20261128, shards: [0, 1], nodes: ['east'] },
      { key: '20261128', shards: [2], nodes: ['east', 'north', 'south'] },
    ]);
    const unsure = { code: 2, stderr: expect.stringContaining('would drop the shard key 20261128 of days with its 5 points') };
    expect(await keys('drop', 'days', '20261128', '--integer')).toMatchObject(unsure);
    expect((await keys('drop', 'days', '20261128', '--integer', '--yes')).stdout).toContain('with its 5 points');
    expect((await keys('list', 'days')).stdout).toMatch(/^KEY +TYPE +SHARDS +NODES\n20261128 +text +2 +east, north, south\n$/);
    const refused = [await keys('create', 'days', 'x', '--integer'), await keys('create', 'days', 'x', '--on', 'west')];
    expect(refused.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual([
      expect.stringMatching(/^2 .*"x" is not an integer from 0/s),
      expect.stringMatching(/^5 .*no node "west"/s),
    ]);
  });

  // The test of faults kills nodes under keys that come and go, too.
  test.runIf(isLongRun())('outlive a node that is killed while they come and go', async () => {
    await call('PUT', 'lived', CUSTOM);
    await call('PUT', 'lived/shards', { shard_key: 'first' });
    await call('PUT', 'lived/points', { points: points('First', 0), shard_key: 'first' });
    await cluster.servers[1]?.kill();
    const north = vectorApi(cluster.servers[0]?.client ?? nextNode().client);
    await north.call('PUT', '/collections/lived/shards', { shard_key: 'second', replication_factor: 3 });
    await north.call('POST', '/collections/lived/shards/delete', { shard_key: 'first' });
    await north.call('PUT', '/collections/lived/points', { points: points('Second', 0), shard_key: 'second' });
    await cluster.start(1);
    const east = vectorApi(cluster.servers[1]?.client ?? nextNode().client);
    expect(await east.call('POST', '/collections/lived/points/count?consistency=all', {})).toMatchObject({ count: 5 });
    expect(await east.call('GET', '/collections/lived/shards')).toEqual({ shard_keys: [{ key: 'second' }] });
  });

  test('@qdrant/js-client-rest makes keys, writes and searches under them', async () => {
    const client = new RestClient({ url: nextNode().address, checkCompatibility: false });
    await client.createCollection('rest', CUSTOM);
    expect(await client.createShardKey('rest', { shard_key: 'berlin' })).toBe(true);
    await client.createShardKey('rest', { shard_key: 'rome', shards_number: 1, replication_factor: 3 });
    expect(await client.listShardKeys('rest')).toEqual({ shard_keys: [{ key: 'berlin' }, { key: 'rome' }] });
    await client.upsert('rest', { wait: true, points: points('Berlin', 0), shard_key: 'berlin' });
    await client.upsert('rest', { wait: true, points: points('Rome', 1), shard_key: ['rome'] });
    const found = await client.query('rest', { query: [4, 0], limit: 1, with_payload: true, shard_key: 'rome' });
    expect(found.points).toMatchObject([{ id: 2, shard_key: 'rome', payload: { city: 'Rome' } }]);
    expect((await client.query('rest', { query: [4, 0], limit: 2 })).points).toMatchObject([
      { shard_key: 'berlin' },
      { shard_key: 'rome' },
    ]);
    expect((await client.scroll('rest', { limit: 3, shard_key: 'berlin' })).points.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(await client.retrieve('rest', { ids: [1] })).toMatchObject([{ shard_key: 'berlin' }, { shard_key: 'rome' }]);
    await client.delete('rest', { wait: true, filter: { must: [{ key: 'kind', match: { value: 'even' } }] }, shard_key: 'rome' });
    expect(await client.count('rest', {})).toEqual({ count: 8 });
    expect(await client.deleteShardKey('rest', { shard_key: 'berlin' })).toBe(true);
    expect(await client.count('rest', {})).toEqual({ count: 3 });
  });

  test('@qdrant/js-client-grpc makes keys, writes and searches under them', async () => {
    const collectionName = 'grpc';
    const client = new GrpcClient({ url: grpcAddressOf(nextNode()), https: false });
    const [collections, written] = [client.api('collections'), client.api('points')];
    await collections.create({
      collectionName,
      vectorsConfig: { config: { case: 'params', value: { size: 2n, distance: 2 } } },
      shardingMethod: 1,
      shardNumber: 2,
    });
    const key = (name: string) => ({ shardKeys: [keyword(name)] });
    for (const name of ['berlin', 'rome']) {
      expect(await collections.createShardKey({ collectionName, request: { shardKey: keyword(name) } })).toMatchObject({ result: true });
      const given = [1, 2, 3].map((id) => ({ id: num(id), vectors: dense([id * id, name === 'rome' ? 1 : 0]) }));
      await written.upsert({ collectionName, wait: true, points: given, shardKeySelector: key(name) });
    }
    expect((await collections.listShardKeys({ collectionName })).shardKeys).toMatchObject([
      { key: keyword('berlin') },
      { key: keyword('rome') },
    ]);
    const described = await collections.collectionClusterInfo({ collectionName });
    expect([...described.localShards, ...described.remoteShards].every(({ shardKey }) => shardKey?.key.case === 'keyword')).toBe(true);
    const { result } = await written.query({ collectionName, query: nearest([4, 0]), limit: 2n, shardKeySelector: key('rome') });
    expect(ids(result)).toEqual([2, 1]);
    expect(result[0]?.shardKey).toMatchObject(keyword('rome'));
    const fallback = { shardKeys: [keyword('oslo')], fallback: keyword('berlin') };
    expect((await written.count({ collectionName, exact: true, shardKeySelector: fallback })).result?.count).toBe(3n);
    const gone = { pointsSelectorOneOf: { case: 'points' as const, value: { ids: [num(1)] } } };
    await written.delete({ collectionName, wait: true, points: gone, shardKeySelector: key('rome') });
    expect((await written.count({ collectionName, exact: true })).result?.count).toBe(5n);
    await expect(written.count({ collectionName, exact: true, shardKeySelector: key('paris') })).rejects.toThrow(
      /not_found.*Shard key "paris"/,
    );
    await expect(written.upsert({ collectionName, wait: true, points: [] })).rejects.toThrow(/invalid_argument.*Shard key not specified/);
    expect(await collections.deleteShardKey({ collectionName, request: { shardKey: keyword('rome') } })).toMatchObject({ result: true });
    expect((await written.count({ collectionName, exact: true })).result?.count).toBe(3n);
  });
});
