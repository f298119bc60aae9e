// SPDX-License-Identifier: Apache-2.0
/** What a node says of its cluster. Members that the published API lacks come beside its own: what a peer is called, and how far it is. */
import { maybe, notYet, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { shardKeySchema } from './shard-key-schemas.ts';

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const disabledSchema = Type.Object({ status: Type.Literal('disabled') }, { title: 'ClusterDisabled' });

const peerSchema = Type.Object(
  {
    uri: Type.String({ description: 'Where the node is reached.' }),
    name: Type.String(),
    applied: Type.Integer({ minimum: 0, description: 'The position of the log up to which the node has everything on disk.' }),
    has_room: Type.Boolean({
      description: 'Whether the disk of the node has free space; if not, writes to its shards are refused with 507.',
    }),
    silent_seconds: Type.Integer({
      minimum: 0,
      description: 'Time since the node last announced itself, which it does every two seconds.',
    }),
  },
  { title: 'ClusterPeer' },
);

/** Whether a node can follow the log of its cluster. */
export const logStatusSchema = Type.Union([
  Type.Object({ consensus_thread_status: Type.Literal('working'), last_update: Type.String() }, { title: 'ClusterLogConnected' }),
  Type.Object({ consensus_thread_status: Type.Literal('stopped_with_err'), err: Type.String() }, { title: 'ClusterLogUnreachable' }),
]);

const enabledSchema = Type.Object(
  {
    status: Type.Literal('enabled'),
    peer_id: count,
    peers: Type.Record(Type.String(), peerSchema),
    raft_info: Type.Object(
      {
        term: count,
        commit: Type.Integer({ minimum: 0, description: 'The newest position of the log that this node knows.' }),
        pending_operations: Type.Integer({ minimum: 0, description: 'Number of log entries that this node has not applied yet.' }),
        leader: Type.Null({ description: 'Always null: no node leads, because the log orders the writes of all nodes.' }),
        role: Type.Null(),
        is_voter: Type.Boolean(),
      },
      { title: 'ClusterLogInfo' },
    ),
    consensus_thread_status: logStatusSchema,
    message_send_failures: Type.Object({}, { additionalProperties: false }),
  },
  { title: 'ClusterEnabled' },
);

export const clusterStatusSchema = Type.Union([disabledSchema, enabledSchema], { title: 'ClusterStatus' });

const remoteShardSchema = Type.Object(
  { shard_id: count, shard_key: Type.Optional(shardKeySchema), peer_id: count, state: oneOf('Active', 'Dead', 'Partial', 'Recovery') },
  { title: 'RemoteShard' },
);

const shardTransferSchema = Type.Object(
  {
    shard_id: count,
    from: count,
    to: count,
    sync: Type.Boolean(),
    method: Type.Literal('snapshot'),
    comment: Type.String(),
  },
  { title: 'ShardTransfer' },
);

const reshardingSchema = Type.Object(
  {
    direction: Type.Literal('up'),
    shard_id: count,
    shard_key: Type.Optional(shardKeySchema),
    peer_id: count,
    comment: Type.String(),
  },
  { title: 'Resharding' },
);

/** Operations of the published API that this release does not carry out. */
const NOT_YET = [
  ['restart_transfer', 'to restart a transfer, which goes on by itself after every failure,'],
  ['finish_resharding', 'to finish a resharding, which ends by itself when all new shards are complete,'],
  ['replicate_points', 'copying some points of a shard'],
] as const;

export const collectionClusterInfoSchema = Type.Object(
  {
    peer_id: count,
    shard_count: count,
    local_shards: Type.Array(
      Type.Object(
        {
          shard_id: count,
          shard_key: Type.Optional(shardKeySchema),
          points_count: count,
          state: oneOf('Active', 'Partial', 'Recovery'),
        },
        { title: 'LocalShard' },
      ),
    ),
    remote_shards: Type.Array(remoteShardSchema),
    shard_transfers: Type.Array(shardTransferSchema),
    resharding_operations: Type.Array(reshardingSchema),
  },
  { title: 'CollectionClusterInfo' },
);

const shardId = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 });
const way = { shard_id: shardId, from_peer_id: count, to_peer_id: count } as const;
const method = Type.Optional(Type.Union([oneOf('stream_records', 'snapshot', 'wal_delta'), Type.Null()]));

const SHARDS_MAX = 1_000;
const REPLICAS_MAX = 1_000;

export const createShardKeySchema = strict(
  {
    shard_key: shardKeySchema,
    shards_number: maybe(Type.Integer({ minimum: 1, maximum: SHARDS_MAX })),
    replication_factor: maybe(Type.Integer({ minimum: 1, maximum: REPLICAS_MAX })),
    placement: maybe(Type.Array(count)),
    initial_state: maybe(Type.Union([oneOf('Active'), notYet('another state of new shards than Active')])),
  },
  { title: 'CreateShardingKey' },
);
export const dropShardKeySchema = strict({ shard_key: shardKeySchema }, { title: 'DropShardingKey' });

const startReshardingSchema = strict(
  {
    direction: Type.Union([oneOf('up'), notYet('reducing the number of shards of a collection', Type.Literal('down'))]),
    peer_id: maybe(count),
    shard_key: maybe(shardKeySchema),
  },
  { title: 'StartResharding' },
);

/** What is done with a transfer, a replica of a shard, a key or the number of shards: one thing at a time. */
export const updateCollectionClusterSchema = Type.Union(
  [
    strict({ move_shard: strict({ ...way, method }, { title: 'MoveShard' }) }, { title: 'MoveShardOperation' }),
    strict({ replicate_shard: strict({ ...way, method }, { title: 'ReplicateShard' }) }, { title: 'ReplicateShardOperation' }),
    strict({ abort_transfer: strict(way, { title: 'AbortShardTransfer' }) }, { title: 'AbortTransferOperation' }),
    strict({ drop_replica: strict({ shard_id: shardId, peer_id: count }, { title: 'DropReplica' }) }, { title: 'DropReplicaOperation' }),
    strict({ create_sharding_key: createShardKeySchema }, { title: 'CreateShardingKeyOperation' }),
    strict({ drop_sharding_key: dropShardKeySchema }, { title: 'DropShardingKeyOperation' }),
    strict({ start_resharding: startReshardingSchema }, { title: 'StartReshardingOperation' }),
    strict({ abort_resharding: strict({}, { title: 'AbortResharding' }) }, { title: 'AbortReshardingOperation' }),
    ...NOT_YET.map(([name, sentence]) => notYet(sentence, Type.Object({ [name]: Type.Unknown() }, { required: [name] }))),
  ],
  { title: 'UpdateCollectionCluster' },
);
export type UpdateCollectionCluster = Static<typeof updateCollectionClusterSchema>;
