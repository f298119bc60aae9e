// SPDX-License-Identifier: Apache-2.0
/** What a node says of its cluster. Members that the published API lacks come beside its own: what a peer is called, and how far it is. */
import Type from 'typebox';

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const disabledSchema = Type.Object({ status: Type.Literal('disabled') }, { title: 'ClusterDisabled' });

const peerSchema = Type.Object(
  {
    uri: Type.String({ description: 'Where the node is reached.' }),
    name: Type.String(),
    applied: Type.Integer({ minimum: 0, description: 'The position of the log up to which the node has everything on disk.' }),
    silent_seconds: Type.Integer({ minimum: 0, description: 'Since the node announced itself; it does so every two seconds.' }),
  },
  { title: 'ClusterPeer' },
);

const enabledSchema = Type.Object(
  {
    status: Type.Literal('enabled'),
    peer_id: count,
    peers: Type.Record(Type.String(), peerSchema),
    raft_info: Type.Object(
      {
        term: count,
        commit: Type.Integer({ minimum: 0, description: 'The newest position of the log that this node knows.' }),
        pending_operations: Type.Integer({ minimum: 0, description: 'Positions of the log that are not applied here yet.' }),
        leader: Type.Null({ description: 'Nobody leads: the log orders the writes of all nodes.' }),
        role: Type.Null(),
        is_voter: Type.Boolean(),
      },
      { title: 'ClusterLogInfo' },
    ),
    consensus_thread_status: Type.Union([
      Type.Object({ consensus_thread_status: Type.Literal('working'), last_update: Type.String() }, { title: 'ClusterLogConnected' }),
      Type.Object({ consensus_thread_status: Type.Literal('stopped_with_err'), err: Type.String() }, { title: 'ClusterLogUnreachable' }),
    ]),
    message_send_failures: Type.Object({}, { additionalProperties: false }),
  },
  { title: 'ClusterEnabled' },
);

export const clusterStatusSchema = Type.Union([disabledSchema, enabledSchema], { title: 'ClusterStatus' });

const remoteShardSchema = Type.Object(
  { shard_id: count, peer_id: count, state: Type.Union([Type.Literal('Active'), Type.Literal('Dead')]) },
  { title: 'RemoteShard' },
);

export const collectionClusterInfoSchema = Type.Object(
  {
    peer_id: count,
    shard_count: count,
    local_shards: Type.Array(Type.Object({ shard_id: count, points_count: count, state: Type.Literal('Active') }, { title: 'LocalShard' })),
    remote_shards: Type.Array(remoteShardSchema),
    shard_transfers: Type.Array(Type.Unknown(), { maxItems: 0 }),
  },
  { title: 'CollectionClusterInfo' },
);
