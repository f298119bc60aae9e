/** Shards and peers as a single node has them: one shard of each collection, and no peer. */
import { operation } from '../operation.ts';

export const cluster = operation('cluster', async () => ({ status: 'disabled' }));

export const collectionClusterInfo = operation('collection_cluster_info', async ({ engine }, { params }) => {
  const { points_count } = await engine.collectionInfo(params.collection_name);
  return {
    peer_id: 0,
    shard_count: 1,
    local_shards: [{ shard_id: 0, points_count, state: 'Active' }],
    remote_shards: [],
    shard_transfers: [],
  };
});

export const listShardKeys = operation('list_shard_keys', async ({ engine }, { params }) => {
  // A collection that there is not has no keys either, and the answer says which of the two it is.
  await engine.collectionInfo(params.collection_name);
  return { shard_keys: [] };
});
