// SPDX-License-Identifier: Apache-2.0
/** Telemetry in the shape that clients of this API family read; what is not known here is left out. */
import { count, oneOf, type Static } from '@sextant/foundation-contract';
import Type from 'typebox';
import { logStatusSchema } from './cluster-schemas.ts';
import { shardKeySchema } from './shard-key-schemas.ts';

const statisticSchema = Type.Object(
  {
    count,
    avg_duration_micros: Type.Number(),
    min_duration_micros: Type.Number(),
    max_duration_micros: Type.Number(),
    total_duration_micros: count,
    last_responded: Type.String({ format: 'date-time' }),
  },
  { title: 'RequestStatistic' },
);

/** By endpoint, then by status. */
const responsesSchema = Type.Object(
  { responses: Type.Record(Type.String(), Type.Record(Type.String(), statisticSchema)) },
  { title: 'RequestStatistics' },
);

const status = Type.Union([Type.Literal('ok'), Type.Object({ error: Type.String() })]);
const config = Type.Record(Type.String(), Type.Unknown());

const localSchema = Type.Object({
  variant_name: Type.Literal('local'),
  status: Type.Enum(['green', 'yellow', 'grey', 'red']),
  total_optimized_points: count,
  vectors_size_bytes: count,
  payloads_size_bytes: count,
  num_points: count,
  num_vectors: count,
});

const shardSchema = Type.Object(
  {
    id: count,
    key: Type.Union([shardKeySchema, Type.Null()]),
    local: Type.Union([localSchema, Type.Null()]),
    remote: Type.Array(Type.Object({ shard_id: count, peer_id: count })),
    replicate_states: Type.Record(Type.String(), oneOf('Active', 'Dead', 'Partial', 'Recovery')),
  },
  { title: 'ShardTelemetry' },
);

const transferSchema = Type.Object(
  {
    shard_id: count,
    from: count,
    to: count,
    sync: Type.Boolean(),
    method: Type.Literal('snapshot'),
    comment: Type.Optional(Type.String()),
  },
  { title: 'ShardTransferTelemetry' },
);

const reshardingSchema = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    stage: Type.Literal('migrating_points'),
    direction: Type.Literal('up'),
    shard_id: count,
    shard_key: Type.Optional(shardKeySchema),
    peer_id: count,
  },
  { title: 'ReshardingTelemetry' },
);

const collectionSchema = Type.Union(
  [
    Type.Object({ vectors: count, optimizers_status: status, params: config }),
    Type.Object({
      id: Type.String(),
      config,
      shards: Type.Optional(Type.Array(shardSchema)),
      transfers: Type.Optional(Type.Array(transferSchema)),
      resharding: Type.Optional(Type.Array(reshardingSchema)),
    }),
  ],
  { title: 'CollectionTelemetry' },
);

const clusterSchema = Type.Object(
  {
    enabled: Type.Boolean(),
    status: Type.Optional(
      Type.Object(
        {
          number_of_peers: count,
          term: count,
          commit: count,
          pending_operations: count,
          role: Type.Null(),
          is_voter: Type.Boolean(),
          peer_id: count,
          consensus_thread_status: logStatusSchema,
        },
        { title: 'ClusterTelemetryStatus' },
      ),
    ),
    peers: Type.Optional(Type.Record(Type.String(), Type.Object({ uri: Type.String() }, { title: 'PeerTelemetry' }))),
  },
  { title: 'ClusterTelemetry' },
);

export const telemetrySchema = Type.Object(
  {
    id: Type.String({ description: 'Id of this run of the service.' }),
    app: Type.Object({ name: Type.String(), version: Type.String(), startup: Type.Optional(Type.String({ format: 'date-time' })) }),
    collections: Type.Object({ number_of_collections: count, collections: Type.Optional(Type.Array(collectionSchema)) }),
    cluster: clusterSchema,
    requests: Type.Object({ rest: responsesSchema, grpc: responsesSchema }),
  },
  { title: 'Telemetry' },
);

export type Telemetry = Static<typeof telemetrySchema>;
export type CollectionTelemetry = Static<typeof collectionSchema>;
export type RequestTelemetry = Static<typeof responsesSchema>;
export type ClusterTelemetry = Static<typeof clusterSchema>;
export type ShardTelemetry = Static<typeof shardSchema>;
