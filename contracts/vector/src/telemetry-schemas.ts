// SPDX-License-Identifier: Apache-2.0
/** Telemetry in the shape that clients of this API family read; what is not known here is left out. */
import { count, type Static } from '@sextant/foundation-contract';
import Type from 'typebox';

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

const shardSchema = Type.Object(
  {
    id: count,
    key: Type.Null(),
    local: Type.Object({
      variant_name: Type.Literal('local'),
      status: Type.Enum(['green', 'yellow', 'grey', 'red']),
      total_optimized_points: count,
      vectors_size_bytes: count,
      payloads_size_bytes: count,
      num_points: count,
      num_vectors: count,
    }),
    remote: Type.Array(Type.Unknown(), { maxItems: 0 }),
    replicate_states: Type.Record(Type.String(), Type.Literal('Active')),
  },
  { title: 'ShardTelemetry' },
);

const collectionSchema = Type.Union(
  [
    Type.Object({ vectors: count, optimizers_status: status, params: config }),
    Type.Object({
      id: Type.String(),
      config,
      shards: Type.Optional(Type.Array(shardSchema)),
      transfers: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 0 })),
      resharding: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 0 })),
    }),
  ],
  { title: 'CollectionTelemetry' },
);

export const telemetrySchema = Type.Object(
  {
    id: Type.String({ description: 'Names this run of the service.' }),
    app: Type.Object({ name: Type.String(), version: Type.String(), startup: Type.Optional(Type.String({ format: 'date-time' })) }),
    collections: Type.Object({ number_of_collections: count, collections: Type.Optional(Type.Array(collectionSchema)) }),
    cluster: Type.Object({ enabled: Type.Literal(false) }),
    requests: Type.Object({ rest: responsesSchema, grpc: responsesSchema }),
  },
  { title: 'Telemetry' },
);

export type Telemetry = Static<typeof telemetrySchema>;
export type CollectionTelemetry = Static<typeof collectionSchema>;
export type RequestTelemetry = Static<typeof responsesSchema>;
