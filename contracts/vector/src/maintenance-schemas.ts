/** Schemas of maintenance and of the status of a collection. */
import { count, oneOf, schemaOf } from '@sextant/foundation-contract';
import Type from 'typebox';
import type { CollectionStatus, OptimizationReport, VectorStatus } from './collections.ts';

const vectorStatusSchema = schemaOf<VectorStatus>()(
  Type.Object(
    {
      vectors: count,
      indexed: count,
      pending: count,
      graph: Type.Boolean(),
      codes: Type.String(),
      shards: count,
      memory_bytes: count,
    },
    { title: 'VectorStatus' },
  ),
);

export const collectionStatusSchema = schemaOf<CollectionStatus>()(
  Type.Object(
    {
      status: oneOf('green', 'yellow', 'grey', 'red'),
      optimizer_status: Type.Union([Type.Literal('ok'), Type.Object({ error: Type.String() })]),
      points_count: count,
      indexed_vectors_count: count,
      update_queue: Type.Object({ length: count }),
      operation_id: count,
      vectors: Type.Record(Type.String(), vectorStatusSchema),
      memory_bytes: count,
      storage_bytes: count,
      operations: Type.Object({
        optimize: oneOf('idle', 'running'),
        rebuild_index: Type.Union([Type.Literal('idle'), Type.Object({ rows_linked: count })]),
      }),
      threads: Type.Optional(Type.Object({ serving: count, indexing: count })),
    },
    { title: 'CollectionStatus' },
  ),
);

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

export const optimizationReportSchema = schemaOf<OptimizationReport>()(
  Type.Object(
    {
      summary: Type.Object({ queued_optimizations: count, queued_segments: count, queued_points: count, idle_segments: count }),
      running: Type.Array(runSchema('optimizing', 'RunningOptimization')),
      queued: Type.Optional(Type.Array(Type.Object({ optimizer: Type.String(), segments: Type.Array(optimizedSegmentSchema) }))),
      completed: Type.Optional(Type.Array(runSchema('done', 'CompletedOptimization'))),
      idle_segments: Type.Optional(Type.Array(optimizedSegmentSchema)),
    },
    { title: 'OptimizationReport' },
  ),
);
