// SPDX-License-Identifier: Apache-2.0
/** The progress of the graphs in the words of segments and optimizers: a vector's shard is what the published service calls a segment. */
import type { OptimizationReport, OptimizationRun } from '@sextant/contracts-vector';
import { wantsGraph } from '../../graph/indexing-policy.ts';
import type { CollectionView } from './collection-view.ts';

/** What is asked for beside what runs. */
export type OptimizationDetails = {
  readonly queued?: boolean;
  readonly completed?: boolean;
  readonly idleSegments?: boolean;
  /** Of the completed ones, how many at most, the latest first. */
  readonly completedLimit?: number;
};

export const COMPLETED_LIMIT = 16;

export function optimizations(view: CollectionView, details: OptimizationDetails): OptimizationReport {
  const segments = segmentsOf(view);
  const busy = segments.filter(({ isWanted, pending }) => isWanted && pending > 0);
  const idle = segments.filter((segment) => !busy.includes(segment));
  const { queued, completed, idleSegments, completedLimit = COMPLETED_LIMIT } = details;
  return {
    summary: {
      queued_optimizations: 0,
      queued_segments: 0,
      queued_points: busy.reduce((sum, { pending }) => sum + pending, 0),
      idle_segments: idle.length,
    },
    running: busy.map((segment) => ({
      ...runOf(segment, 'optimizing'),
      progress: { ...progressOf(segment), ...(segment.runningSinceMs === undefined ? {} : { started_at: timeOf(segment.runningSinceMs) }) },
    })),
    // The threads that link go from graph to graph in turn, so no graph waits for another.
    ...(queued === true ? { queued: [] } : {}),
    ...(completed === true ? { completed: completedRuns(segments).slice(0, completedLimit) } : {}),
    ...(idleSegments === true ? { idle_segments: idle.map(({ uuid, points }) => ({ uuid, points_count: points })) } : {}),
  };
}

type Segment = ReturnType<typeof segmentsOf>[number];

function segmentsOf(view: CollectionView) {
  return view.spaces.flatMap(({ ordinal, name, params }) => {
    const reader = view.reader(ordinal);
    const isWanted = wantsGraph(view.config, params, reader);
    const linked = view.linkedRows(ordinal);
    return reader.shards.map((shard, index) => ({
      name,
      isWanted,
      uuid: uuidOf(ordinal, index),
      points: shard.liveCount,
      pending: shard.pendingCount,
      indexed: shard.indexedCount,
      runningSinceMs: linked?.runningSinceMs(index),
      lastRun: linked?.lastRun(index),
    }));
  });
}

/** Of each graph the last run, the latest first. */
function completedRuns(segments: readonly Segment[]): readonly OptimizationRun[] {
  const ended = segments.flatMap((segment) => (segment.lastRun === undefined ? [] : [{ segment, run: segment.lastRun }]));
  return ended
    .sort((one, other) => other.run.finishedMs - one.run.finishedMs)
    .map(({ segment, run: { startedMs, finishedMs, rowsLinked } }) => ({
      ...runOf(segment, 'done'),
      progress: {
        name: nameOf(segment),
        started_at: timeOf(startedMs),
        finished_at: timeOf(finishedMs),
        duration_sec: Math.max(0, finishedMs - startedMs) / 1000,
        done: rowsLinked,
        total: rowsLinked,
      },
    }));
}

function runOf<Status extends 'optimizing' | 'done'>({ uuid, points }: Segment, status: Status) {
  return { uuid, optimizer: 'indexing', status, segments: [{ uuid, points_count: points }] };
}

function progressOf(segment: Segment) {
  return { name: nameOf(segment), done: segment.indexed, total: segment.points };
}

function nameOf({ name }: Segment): string {
  return name === '' ? 'graph' : `graph of ${name}`;
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The same at every look: of the vector's number and the shard's. */
function uuidOf(ordinal: number, shard: number): string {
  return `00000000-0000-4000-8000-${ordinal.toString(16).padStart(6, '0')}${shard.toString(16).padStart(6, '0')}`;
}
