// SPDX-License-Identifier: Apache-2.0
/**
 * What an asset's earlier scans measured, as an evaluation reads them. It is read a piece at a time, up to a bound (the store gives others
 * their turn between its reads); and it is kept in columns, which take a fraction of the memory of objects and go to another thread without a copy.
 */
import type { MetricName, MetricSeries } from '@sextant/contracts-observability';
import type { SeriesHistory, TenantMetadata } from '@sextant/observability-metadata';
import type { SeriesKey, SeriesPoint } from '@sextant/observability-monitors';

export type PackedPast = {
  readonly series: readonly MetricSeries[];
  /** Where the points of each series end in the columns; they are oldest first. */
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly timesMs: Float64Array<ArrayBuffer>;
  /** NaN where the scan gave no value. */
  readonly values: Float64Array<ArrayBuffer>;
  readonly excluded: Uint8Array<ArrayBuffer>;
  /** Of which people said that such a value is to be expected. */
  readonly expected: Uint8Array<ArrayBuffer>;
};

export type PastRequest = {
  /** Only scans before this time. */
  readonly before?: string;
  /** Points of one scan, as far as is known. */
  readonly pointsPerScan: number;
  /** About as many points are read at most. */
  readonly pointsMax: number;
  readonly metricNames?: readonly MetricName[];
};

/** Nearly three years of daily scans, six weeks of hourly ones: enough for the seasons that bands know. */
const SCANS_MAX = 1000;
/** A drift needs two scans to compare with, however many points they have. */
const SCANS_MIN = 2;
/** Few, so that the bound is met closely whatever the size of earlier scans. */
const POINTS_PER_READ = 5000;

export async function readPast(tenant: TenantMetadata, assetId: string, request: PastRequest): Promise<PackedPast> {
  const { pointsMax, metricNames } = request;
  const pieces: (readonly SeriesHistory[])[] = [];
  let { before, pointsPerScan } = request;
  for (let scans = 0, points = 0; scans < SCANS_MAX && (points < pointsMax || scans < SCANS_MIN); ) {
    const room = Math.min(POINTS_PER_READ, Math.max(0, pointsMax - points));
    const wanted = Math.min(Math.max(1, Math.floor(room / Math.max(1, pointsPerScan))), SCANS_MAX - scans);
    const piece = await tenant.metricPoints.recent(assetId, {
      scans: wanted,
      ...(before === undefined ? {} : { before }),
      ...(metricNames === undefined ? {} : { metric_names: metricNames }),
    });
    const times = new Set(piece.flatMap((series) => series.points.map(({ timeMs }) => timeMs)));
    if (times.size === 0) break;
    const found = piece.reduce((sum, series) => sum + series.points.length, 0);
    pieces.push(piece);
    scans += wanted;
    points += found;
    pointsPerScan = found / times.size;
    before = new Date(Math.min(...times)).toISOString();
  }
  return pack(pieces.toReversed());
}

/** Pieces with the oldest first. */
export function pack(pieces: readonly (readonly SeriesHistory[])[]): PackedPast {
  const parts = new Map<string, SeriesHistory[]>();
  for (const series of pieces.flat()) {
    const key = seriesKey(series);
    const known = parts.get(key);
    if (known === undefined) parts.set(key, [series]);
    else known.push(series);
  }
  const count = pieces.flat().reduce((sum, { points }) => sum + points.length, 0);
  const columns = {
    timesMs: new Float64Array(count),
    values: new Float64Array(count),
    excluded: new Uint8Array(count),
    expected: new Uint8Array(count),
  };
  const ends = new Uint32Array(parts.size);
  let end = 0;
  for (const [index, ofSeries] of [...parts.values()].entries()) {
    for (const { timeMs, value, isExcluded, isExpected } of ofSeries.flatMap(({ points }) => points)) {
      columns.timesMs[end] = timeMs;
      columns.values[end] = value ?? Number.NaN;
      columns.excluded[end] = isExcluded ? 1 : 0;
      columns.expected[end] = isExpected ? 1 : 0;
      end += 1;
    }
    ends[index] = end;
  }
  return { series: [...parts.values()].flatMap(([first]) => (first === undefined ? [] : [seriesOf(first)])), ends, ...columns };
}

export function buffersOf({ ends, timesMs, values, excluded, expected }: PackedPast): readonly ArrayBuffer[] {
  return [ends, timesMs, values, excluded, expected].map(({ buffer }) => buffer);
}

/** Empty for a series that the past does not know. */
export function historyIn(past: PackedPast): (series: SeriesKey) => readonly SeriesPoint[] {
  const indexOf = new Map(past.series.map((series, index) => [seriesKey(series), index]));
  return (series) => {
    const index = indexOf.get(seriesKey(series));
    if (index === undefined) return [];
    const start = index === 0 ? 0 : past.ends[index - 1];
    return Array.from(past.timesMs.subarray(start, past.ends[index]), (timeMs, offset): SeriesPoint => {
      const place = (start ?? 0) + offset;
      const value = past.values[place] ?? Number.NaN;
      const [isExcluded, isExpected] = [past.excluded[place] === 1, past.expected[place] === 1];
      return { timeMs, value: Number.isNaN(value) ? null : value, isExcluded, isExpected };
    });
  };
}

/** The series of the newest scans, so many of them. */
export function newestSeries({ series, ends, timesMs }: PackedPast, scans: number): readonly MetricSeries[] {
  const newestOf = (index: number): Float64Array => timesMs.subarray(index === 0 ? 0 : ends[index - 1], ends[index]).slice(-scans);
  const times = new Set(series.flatMap((_, index) => [...newestOf(index)]));
  const oldest = [...times].sort((first, second) => second - first)[scans - 1] ?? Number.NEGATIVE_INFINITY;
  return series.filter((_, index) => (newestOf(index).at(-1) ?? Number.NEGATIVE_INFINITY) >= oldest);
}

export function seriesOf({ metric_name, metric_aggregation, attribute, segment, monitor_id }: MetricSeries): MetricSeries {
  return { metric_name, metric_aggregation, attribute, segment, monitor_id };
}

export function seriesKey({ metric_name, metric_aggregation, attribute, segment, monitor_id }: SeriesKey): string {
  return JSON.stringify([metric_name, metric_aggregation, attribute, segment, monitor_id]);
}
