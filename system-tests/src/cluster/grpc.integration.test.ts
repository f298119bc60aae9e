// SPDX-License-Identifier: Apache-2.0
/** What is asked of a cluster, and done to its shards, by the published client over gRPC: the same as over REST. */
import { QdrantClient } from '@qdrant/js-client-grpc';
import { type ChildServer, missingNats, temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { type VectorApi, vectorApi } from '../vector-api.ts';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();
const LINE = { vectors: { size: 1, distance: 'Dot' } } as const;

type Info = {
  readonly peer_id: number;
  readonly shard_count: number;
  readonly local_shards: readonly { readonly shard_id: number; readonly points_count: number; readonly state: string }[];
  readonly remote_shards: readonly { readonly shard_id: number; readonly peer_id: number; readonly state: string }[];
};

const collectionsOf = (server: ChildServer) => new QdrantClient({ url: grpcAddressOf(server), https: false }).api('collections');

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over NATS', () => {
  test('describe their shards and copy one over gRPC', async () => {
    const { cluster } = await sharedCluster();
    const [north] = cluster.servers;
    if (north === undefined) throw new Error('every node was started');
    const grpc = collectionsOf(north);
    const api = vectorApi(north.client);
    const films = api.collection('films');
    await films.create({ ...LINE, shard_number: 2 });
    await api.collection('whole').create(LINE);
    await films.upsert([1, 2, 3, 4, 5].map((id) => ({ id, vector: [id], payload: {} })));

    const info = await infoOf(api);
    expect(await grpc.collectionClusterInfo({ collectionName: 'films' })).toMatchObject({
      peerId: BigInt(info.peer_id),
      shardCount: 2n,
      localShards: info.local_shards.map((shard) => ({ shardId: shard.shard_id, pointsCount: BigInt(shard.points_count), state: ACTIVE })),
      remoteShards: info.remote_shards.map((shard) => ({ shardId: shard.shard_id, peerId: BigInt(shard.peer_id), state: ACTIVE })),
      shardTransfers: [],
    });

    // To whichever node has no copy of it yet.
    const [remote] = info.remote_shards;
    if (remote === undefined) throw new Error('a node has one of two shards at most');
    const way = { shardId: remote.shard_id, fromPeerId: BigInt(remote.peer_id), toPeerId: BigInt(info.peer_id) };
    const operation = { case: 'replicateShard' as const, value: way };
    expect(await grpc.updateCollectionClusterSetup({ collectionName: 'films', operation })).toMatchObject({ result: true });
    await expect
      .poll(async () => (await infoOf(api)).local_shards)
      .toContainEqual(expect.objectContaining({ shard_id: remote.shard_id, state: 'Active' }));

    const refused = (collectionName: string, given: Parameters<typeof grpc.updateCollectionClusterSetup>[0]['operation']) =>
      grpc.updateCollectionClusterSetup({ collectionName, ...(given === undefined ? {} : { operation: given }) });
    await expect(refused('films', operation)).rejects.toThrow(/invalid_argument.*already holds shard \d/);
    await expect(refused('whole', operation)).rejects.toThrow(/invalid_argument.*the collection is not sharded/);
    await expect(refused('none', operation)).rejects.toThrow(/not_found.*Collection not found: none/);
    await expect(refused('films', { case: 'dropReplica', value: { shardId: 0, peerId: 5n } })).rejects.toThrow(/not_found.*has no peer 5/);
    await expect(refused('films', undefined)).rejects.toThrow(/invalid_argument/);
    const key = { shardKey: { key: { case: 'keyword' as const, value: 'a' } } };
    await expect(refused('films', { case: 'createShardKey', value: key })).rejects.toThrow(/invalid_argument.*divided by their ids/);
    expect(await grpc.listShardKeys({ collectionName: 'films' })).toMatchObject({ shardKeys: [] });
  });
});

test('a single node describes its one shard over gRPC, and has nothing to move', async () => {
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({ directory: directory.path });
  const films = vectorApi(server.client).collection('films');
  await films.create(LINE);
  await films.upsert([{ id: 1, vector: [1], payload: {} }]);
  const grpc = collectionsOf(server);
  expect(await grpc.collectionClusterInfo({ collectionName: 'films' })).toMatchObject({
    peerId: 0n,
    shardCount: 1n,
    localShards: [{ shardId: 0, pointsCount: 1n, state: ACTIVE }],
    remoteShards: [],
  });
  expect(await grpc.listShardKeys({ collectionName: 'films' })).toMatchObject({ shardKeys: [] });
  await expect(grpc.listShardKeys({ collectionName: 'none' })).rejects.toThrow(/not_found/);
  const operation = { case: 'dropReplica' as const, value: { shardId: 0, peerId: 0n } };
  await expect(grpc.updateCollectionClusterSetup({ collectionName: 'films', operation })).rejects.toThrow(/a collection has one shard/);
});

/** `ReplicaState.Active`. */
const ACTIVE = 0;

function infoOf(api: VectorApi): Promise<Info> {
  return api.call('GET', '/collections/films/cluster');
}
