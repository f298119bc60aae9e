// SPDX-License-Identifier: Apache-2.0
/** Schemas of maintenance and of the status of a collection. */
import { count, oneOf, type Static } from '@sextant/foundation-contract';
import Type from 'typebox';

const vectorStatusSchema = Type.Object(
  {
    vectors: count,
    /** Of those, how many are in the graph, and how many are searched one by one until they are. */
    indexed: count,
    pending: count,
    /** Whether it has or gets a graph. */
    graph: Type.Boolean(),
    /** What is known of its codes. */
    codes: Type.String(),
    shards: count,
    memory_bytes: count,
  },
  { title: 'VectorStatus' },
);
/** How far the graph of one vector is, and what it takes. */
export type VectorStatus = Static<typeof vectorStatusSchema>;

export const collectionStatusSchema = Type.Object(
  {
    /** Whether it is open; of one that is not, the figures are those of when it was closed. */
    state: Type.Optional(oneOf('open', 'released', 'not_opened')),
    status: oneOf('green', 'yellow', 'grey', 'red'),
    optimizer_status: Type.Union([Type.Literal('ok'), Type.Object({ error: Type.String() })]),
    points_count: count,
    indexed_vectors_count: count,
    update_queue: Type.Object({ length: count }),
    /** Of the last write. */
    operation_id: count,
    /** By name, the unnamed one under the empty string. */
    vectors: Type.Record(Type.String(), vectorStatusSchema),
    /** Of vectors, codes and graphs. */
    memory_bytes: count,
    /** On disk, without saved graphs. */
    storage_bytes: count,
    operations: Type.Object({
      optimize: oneOf('idle', 'running'),
      rebuild_index: Type.Union([Type.Literal('idle'), Type.Object({ rows_linked: count })]),
    }),
    /** Of the service: how many answer requests, and how many build graphs. */
    threads: Type.Optional(Type.Object({ serving: count, indexing: count })),
  },
  { title: 'CollectionStatus' },
);
export type CollectionStatus = Static<typeof collectionStatusSchema>;

const optimizedSegmentSchema = Type.Object({ uuid: Type.String({ format: 'uuid' }), points_count: count }, { title: 'OptimizedSegment' });

function runSchema<Status extends 'optimizing' | 'done'>(status: Status, title: string) {
  const time = Type.Optional(Type.String({ format: 'date-time' }));
  return Type.Object(
    {
      uuid: Type.String({ format: 'uuid' }),
      optimizer: Type.String(),
      status: Type.Literal(status),
      segments: Type.Array(optimizedSegmentSchema),
      progress: Type.Object({
        name: Type.String(),
        started_at: time,
        finished_at: time,
        duration_sec: Type.Optional(Type.Number()),
        done: count,
        total: count,
      }),
    },
    { title },
  );
}

export const optimizationReportSchema = Type.Object(
  {
    summary: Type.Object({ queued_optimizations: count, queued_segments: count, queued_points: count, idle_segments: count }),
    running: Type.Array(runSchema('optimizing', 'RunningOptimization')),
    queued: Type.Optional(Type.Array(Type.Object({ optimizer: Type.String(), segments: Type.Array(optimizedSegmentSchema) }))),
    completed: Type.Optional(Type.Array(runSchema('done', 'CompletedOptimization'))),
    idle_segments: Type.Optional(Type.Array(optimizedSegmentSchema)),
  },
  { title: 'OptimizationReport' },
);
/** Progress as clients of this API family read it. The last three are there on request. */
export type OptimizationReport = Static<typeof optimizationReportSchema>;
/** Work on one graph. A run that is done says when it began and ended. */
export type OptimizationRun<Status extends 'optimizing' | 'done' = 'done'> = Static<ReturnType<typeof runSchema<Status>>>;
