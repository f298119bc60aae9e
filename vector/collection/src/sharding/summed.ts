// SPDX-License-Identifier: Apache-2.0
/** What shards say of themselves, as what their collection says of itself. */
import type {
  CollectionInfo,
  CollectionStatus,
  InputNorms,
  OptimizationReport,
  OptimizationRun,
  VectorStatus,
} from '@sextant/contracts-vector';
import type { CollectionFigures } from '../model/requests.ts';

/** @param definition what the collection says of itself but for its points */
export function summedInfo(definition: CollectionInfo, shards: readonly CollectionInfo[]): CollectionInfo {
  const warnings = new Map(shards.flatMap((shard) => shard.warnings ?? []).map((warning) => [warning.message, warning]));
  const fields = Object.entries(definition.payload_schema ?? {});
  const { warnings: _, ...rest } = definition;
  return {
    ...rest,
    status: worst(shards),
    optimizer_status: shards.find(({ optimizer_status: state }) => state !== 'ok')?.optimizer_status ?? 'ok',
    indexed_vectors_count: sum(shards, (shard) => shard.indexed_vectors_count),
    points_count: sum(shards, (shard) => shard.points_count),
    segments_count: sum(shards, (shard) => shard.segments_count),
    payload_schema: Object.fromEntries(
      fields.map(([field, index]) => [field, { ...index, points: sum(shards, (shard) => shard.payload_schema?.[field]?.points) }]),
    ),
    update_queue: { length: sum(shards, (shard) => shard.update_queue?.length) },
    ...(warnings.size === 0 ? {} : { warnings: [...warnings.values()] }),
  };
}

export function summedFigures(shards: readonly CollectionFigures[]): CollectionFigures {
  return {
    points: sum(shards, ({ points }) => points),
    vectors: sum(shards, ({ vectors }) => vectors),
    vectorBytes: sum(shards, ({ vectorBytes }) => vectorBytes),
    payloadBytes: sum(shards, ({ payloadBytes }) => payloadBytes),
    rowsLinked: sum(shards, ({ rowsLinked }) => rowsLinked),
  };
}

export function summedStatus(shards: readonly CollectionStatus[]): CollectionStatus {
  const names = [...new Set(shards.flatMap(({ vectors }) => Object.keys(vectors)))];
  const rebuilding = shards.flatMap(({ operations: { rebuild_index: rebuild } }) => (rebuild === 'idle' ? [] : [rebuild]));
  return {
    status: worst(shards),
    optimizer_status: shards.find(({ optimizer_status: state }) => state !== 'ok')?.optimizer_status ?? 'ok',
    points_count: sum(shards, (shard) => shard.points_count),
    indexed_vectors_count: sum(shards, (shard) => shard.indexed_vectors_count),
    update_queue: { length: sum(shards, (shard) => shard.update_queue.length) },
    operation_id: Math.max(0, ...shards.map((shard) => shard.operation_id)),
    vectors: Object.fromEntries(names.map((name) => [name, summedVector(shards.flatMap(({ vectors }) => vectors[name] ?? []))])),
    memory_bytes: sum(shards, (shard) => shard.memory_bytes),
    storage_bytes: sum(shards, (shard) => shard.storage_bytes),
    operations: {
      optimize: shards.some(({ operations }) => operations.optimize === 'running') ? 'running' : 'idle',
      rebuild_index: rebuilding.length === 0 ? 'idle' : { rows_linked: sum(rebuilding, ({ rows_linked: rows }) => rows) },
    },
  };
}

export function summedReport(reports: readonly OptimizationReport[], completedLimit: number): OptimizationReport {
  const completed = reports.flatMap((report, shard) => (report.completed ?? []).map((run) => inShard(run, shard)));
  const idle = reports.flatMap((report, shard) =>
    (report.idle_segments ?? []).map((segment) => ({ ...segment, uuid: uuidIn(segment.uuid, shard) })),
  );
  const of = (member: keyof OptimizationReport) => reports.some((report) => report[member] !== undefined);
  return {
    summary: {
      queued_optimizations: sum(reports, ({ summary }) => summary.queued_optimizations),
      queued_segments: sum(reports, ({ summary }) => summary.queued_segments),
      queued_points: sum(reports, ({ summary }) => summary.queued_points),
      idle_segments: sum(reports, ({ summary }) => summary.idle_segments),
    },
    running: reports.flatMap((report, shard) => report.running.map((run) => inShard(run, shard))),
    ...(of('queued') ? { queued: reports.flatMap(({ queued }) => queued ?? []) } : {}),
    ...(of('completed') ? { completed: latest(completed).slice(0, completedLimit) } : {}),
    ...(of('idle_segments') ? { idle_segments: idle } : {}),
  };
}

export function summedNorms(shards: readonly InputNorms[]): InputNorms {
  const names = [...new Set(shards.flatMap(({ vectors }) => Object.keys(vectors)))];
  return {
    vectors: Object.fromEntries(
      names.map((name) => {
        const intervals = new Map<number, { from: number; to: number; written: number }>();
        for (const interval of shards.flatMap(({ vectors }) => vectors[name]?.intervals ?? [])) {
          const known = intervals.get(interval.from);
          intervals.set(interval.from, { ...interval, written: interval.written + (known?.written ?? 0) });
        }
        const all = [...intervals.values()].sort((one, other) => one.from - other.from);
        return [name, { written: sum(all, ({ written }) => written), intervals: all }];
      }),
    ),
  };
}

function summedVector(shards: readonly VectorStatus[]): VectorStatus {
  return {
    vectors: sum(shards, ({ vectors }) => vectors),
    indexed: sum(shards, ({ indexed }) => indexed),
    pending: sum(shards, ({ pending }) => pending),
    graph: shards.some(({ graph }) => graph),
    codes: shards.find(({ codes }) => codes === 'learning')?.codes ?? shards[0]?.codes ?? 'none',
    shards: sum(shards, (shard) => shard.shards),
    memory_bytes: sum(shards, ({ memory_bytes: bytes }) => bytes),
  };
}

function worst(shards: readonly Pick<CollectionInfo, 'status'>[]): CollectionInfo['status'] {
  return (['red', 'grey', 'yellow'] as const).find((status) => shards.some((shard) => shard.status === status)) ?? 'green';
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number | null | undefined): number {
  return items.reduce((total, item) => total + (of(item) ?? 0), 0);
}

function inShard<Run extends OptimizationReport['running'][number] | OptimizationRun>(run: Run, shard: number): Run {
  const segments = run.segments.map((segment) => ({ ...segment, uuid: uuidIn(segment.uuid, shard) }));
  return { ...run, uuid: uuidIn(run.uuid, shard), segments };
}

/** The first digits of these ids are free; see `optimizations`. */
function uuidIn(uuid: string, shard: number): string {
  return shard.toString(16).padStart(8, '0') + uuid.slice(8);
}

function latest(runs: readonly OptimizationRun[]): readonly OptimizationRun[] {
  return runs.toSorted((one, other) => ((one.progress.finished_at ?? '') < (other.progress.finished_at ?? '') ? 1 : -1));
}
