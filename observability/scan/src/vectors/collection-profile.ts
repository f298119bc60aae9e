// SPDX-License-Identifier: Apache-2.0
/**
 * The profile of a vector collection, read page by page over its public API. Memory is bounded by dimensions, payload names and segments, not by
 * points: what must remember every vector (exact duplicates) goes on in files.
 */
import type { AssetOptions, MetricPoint, RowSample } from '@sextant/contracts-observability';
import type { Column, VectorCollectionAccess, VectorPoint } from '@sextant/observability-connectors';
import type { InputNormMemory, RecentCentroids, ScanProgress, ScanResult, VectorReferences } from '../scan.ts';
import { type CentroidShift, centroidShift, rememberedCentroids, usualCentroid } from './centroid-shift.ts';
import { closerLook } from './closer-look.ts';
import { type DuplicateCounter, type Duplicates, duplicateCounter } from './duplicate-counter.ts';
import { compareInputNorms } from './input-norms.ts';
import { type PayloadStatistics, payloadStatistics } from './payload-statistics.ts';
import { type PointFaults, pointFaults } from './point-faults.ts';
import { pointSelection } from './point-selection.ts';
import { metricAt, percent, type VectorReading, type VectorStatistics, vectorStatistics } from './vector-statistics.ts';

/** The pre-built monitor of the recall; those that people made of the same metric fail with it. */
const RECALL_MONITOR = 'SEARCH_RECALL_DRIFTS';
/** Its monitors, and the pre-built one of vectors, hear of a text that cannot be read. */
const OF_TEXTS = 'VECTOR_TEXT_AGREEMENT';

export type CollectionProfileOptions = {
  readonly options: AssetOptions;
  /** Of the scans before; undefined on the first. */
  readonly recentCentroids: RecentCentroids | undefined;
  readonly vectorReferences?: VectorReferences | undefined;
  readonly inputNorms?: InputNormMemory | undefined;
  readonly temporaryDirectory: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
};

export type CollectionProfile = {
  readonly recordsScanned: number;
  /** Payload members; vectors are in the metrics by their name. */
  readonly columns: readonly Column[];
  readonly metrics: readonly MetricPoint[];
  /** Some of the points that are at fault for what was measured. */
  readonly samples: readonly RowSample[];
  /** Monitors of which something could not be measured, with the reason. */
  readonly failures: ScanResult['failures'];
  /** By vector, why nothing can be said of the payload member that was set as its text. */
  readonly textFaults: ReadonlyMap<string, string>;
  /** For the next scan. */
  readonly recentCentroids: RecentCentroids;
  readonly vectorReferences: VectorReferences;
  readonly inputNorms: InputNormMemory;
};

/** Rejects with the signal's reason when it aborts. */
export async function profileCollection(
  collection: VectorCollectionAccess,
  {
    options,
    recentCentroids = {},
    vectorReferences = {},
    inputNorms = {},
    temporaryDirectory,
    signal,
    onProgress,
  }: CollectionProfileOptions,
): Promise<CollectionProfile> {
  signal.throwIfAborted();
  const info = await collection.info();
  const selection = pointSelection(options);
  const names = Object.keys(info.dimensions);
  await using duplicates = duplicateCounters(names, temporaryDirectory);
  const whole = group(info.dimensions);
  const bySegment = new Map(selection.segments.map((segment) => [segment, group(info.dimensions)]));

  const usual = Object.fromEntries(names.map((name) => [name, usualCentroid(recentCentroids[name] ?? [])]));
  const closer = closerLook(info.dimensions, { recentCentroids, vectorReferences, textMembers: options.text_members ?? {}, signal });
  const faults: PointFaults = pointFaults({ dimensions: info.dimensions, usual });

  const add = async (point: VectorPoint) => {
    const vectors = whole.add(point);
    faults.add(point, vectors);
    closer.add(point, vectors);
    for (const [name, { components }] of vectors) await duplicates.counters.get(name)?.add(components, point.id);
    for (const segment of selection.segmentsOf(point)) bySegment.get(segment)?.add(point);
  };
  const read = await readPoints(collection, {
    signal,
    onProgress,
    total: info.points,
    limit: options.limit,
    select: selection.isSelected,
    add,
  });

  onProgress({ phase: 'measuring', rowsRead: read, fraction: 1 });
  const centroids = whole.centroids();
  const table = metricAt({ attribute: null, segment: null });
  const repeated = await duplicates.counts();
  const comparisons = await closer.compare();
  const recall = await closer.probe(collection, info.points);
  const norms = await comparedInputNorms(collection, inputNorms, signal);
  const shifts = new Map(names.map((name) => [name, centroidShift(usual[name], centroids[name])]));
  return {
    recordsScanned: whole.points(),
    columns: whole.payload.columns(),
    recentCentroids: Object.fromEntries(
      Object.entries(centroids).map(([name, centroid]) => [name, rememberedCentroids(recentCentroids[name] ?? [], centroid)]),
    ),
    metrics: [
      ...whole.metrics(null),
      ...(info.indexed === undefined ? [] : [table('INDEX_COVERAGE', 'ratio', percent(Math.min(info.indexed, info.points), info.points))]),
      ...[...repeated].map(([attribute, { count }]) => metricAt({ attribute, segment: null })('VECTOR_DUPLICATE_COUNT', 'count', count)),
      ...names.flatMap((name) => shiftMetrics(name, shifts.get(name))),
      ...comparisons.metrics,
      ...norms.metrics,
      ...recall.metrics,
      ...[...bySegment].flatMap(([segment, statistics]) => statistics.metrics(segment)),
    ],
    samples: faults.samples({
      fences: whole.normFences(),
      shifts,
      repeated,
      shares: whole.payload.shares(),
      suspects: comparisons.suspects,
    }),
    vectorReferences: comparisons.references,
    textFaults: comparisons.textFaults,
    failures: [
      ...recall.failures.map((reason) => ({ monitor_id: RECALL_MONITOR, reason })),
      ...[...comparisons.textFaults].map(([name, fault]) => ({ monitor_id: OF_TEXTS, reason: `options.text_members.${name}: ${fault}` })),
    ],
    inputNorms: norms.memory,
  };
}

/** Where nobody counts them, nothing is measured of them. */
async function comparedInputNorms(collection: VectorCollectionAccess, before: InputNormMemory, signal: AbortSignal) {
  const now = (await collection.inputNorms?.({ signal })) ?? {};
  const compared = Object.entries(now).map(([name, intervals]) => [name, compareInputNorms(name, intervals, before[name])] as const);
  return {
    metrics: compared.flatMap(([, { metrics }]) => metrics),
    memory: Object.fromEntries(compared.map(([name, { stored }]) => [name, stored])),
  };
}

type Reading = {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
  readonly total: number;
  readonly limit: number | undefined;
  readonly select: (point: VectorPoint) => boolean;
  readonly add: (point: VectorPoint) => Promise<void>;
};

/** Returns how many points were looked at, selected or not. */
async function readPoints(collection: VectorCollectionAccess, { signal, onProgress, total, limit, select, add }: Reading): Promise<number> {
  let read = 0;
  let selected = 0;
  for await (const page of collection.points({ signal })) {
    for (const point of page) {
      if (limit !== undefined && selected >= limit) return read;
      read += 1;
      if (!select(point)) continue;
      selected += 1;
      await add(point);
    }
    signal.throwIfAborted();
    onProgress({ phase: 'reading', rowsRead: read, fraction: total === 0 ? null : Math.min(1, read / total) });
  }
  return read;
}

/** Points that are measured together: all of them, or a segment. */
function group(dimensions: { readonly [vector: string]: number }) {
  const vectors = new Map<string, VectorStatistics>(
    Object.entries(dimensions).map(([name, dimension]) => [name, vectorStatistics(dimension)]),
  );
  const payload: PayloadStatistics = payloadStatistics();
  let points = 0;
  return {
    payload,
    points: () => points,
    /** The point's vectors, by name. */
    add: (point: VectorPoint): readonly (readonly [name: string, reading: VectorReading])[] => {
      points += 1;
      payload.add(point.payload);
      return [...vectors].flatMap(([name, statistics]) => {
        const reading = statistics.add(point.vectors[name]);
        return reading === undefined ? [] : [[name, reading] as const];
      });
    },
    normFences: () => new Map([...vectors].map(([name, statistics]) => [name, statistics.normFence()])),
    centroids: (): { readonly [vector: string]: readonly number[] } =>
      Object.fromEntries(
        [...vectors].flatMap(([name, statistics]) => {
          const centroid = statistics.centroid();
          return centroid === undefined ? [] : [[name, centroid] as const];
        }),
      ),
    metrics: (segment: string | null): readonly MetricPoint[] => [
      metricAt({ attribute: null, segment })('RECORD_COUNT', 'count', points),
      ...payload.metrics(segment),
      ...[...vectors].flatMap(([attribute, statistics]) => statistics.metrics({ attribute, segment })),
    ],
  };
}

function duplicateCounters(names: readonly string[], temporaryDirectory: string) {
  const counters = new Map<string, DuplicateCounter>(names.map((name) => [name, duplicateCounter(temporaryDirectory)]));
  return {
    counters,
    counts: async (): Promise<ReadonlyMap<string, Duplicates>> => {
      const counts = new Map<string, Duplicates>();
      for (const [name, counter] of counters) counts.set(name, await counter.count());
      return counts;
    },
    [Symbol.asyncDispose]: async () => {
      for (const counter of counters.values()) await counter[Symbol.asyncDispose]();
    },
  };
}

/** Nothing on the first scan, nor after the dimension changed. */
function shiftMetrics(attribute: string, shift: CentroidShift | undefined): readonly MetricPoint[] {
  if (shift === undefined) return [];
  const point = metricAt({ attribute, segment: null });
  return [point('CENTROID_SHIFT', 'cosine', shift.cosine), point('CENTROID_SHIFT', 'euclid', shift.euclid)];
}
