/** What a monitor would have said of the scans that there were: each is judged with what came before it, and nothing that came after. */
import { setImmediate as turn } from 'node:timers/promises';
import type { MetricPoint, Monitor, SchemaChange } from '@sextant/contracts-observability';
import type { SeriesPoint } from '../bands/band.ts';
import { createBandModel } from '../bands/band-model.ts';
import type { EvaluationRequest, SeriesKey } from './evaluation.ts';
import { findingOf, type Judgement } from './finding.ts';
import { ScanSeries, seriesId } from './scan-series.ts';

export type ReplayRequest = {
  readonly monitor: Monitor;
  /** All monitors of the asset, for those of its rules. */
  readonly monitors: readonly Monitor[];
  /** Series of the asset with their points, oldest first. */
  readonly past: readonly { readonly series: SeriesKey; readonly points: readonly SeriesPoint[] }[];
  /** By the time of the scan; scans without any may be left out. */
  readonly schemaChanges: ReadonlyMap<number, readonly SchemaChange[]>;
  readonly parents: EvaluationRequest['parents'];
  /** Of the newest scans so many are replayed at most, and of these no more than give so many judgements. */
  readonly scansMax: number;
  readonly judgementsMax: number;
};

export type Replayed = Judgement & { readonly timeMs: number };

/** Newest scan first. Others get a turn after each scan. */
export async function replay(request: ReplayRequest): Promise<readonly Replayed[]> {
  const { past, scansMax, judgementsMax } = request;
  const times = [...new Set(past.flatMap(({ points }) => points.map(({ timeMs }) => timeMs)))].sort((first, second) => second - first);
  const replayed: Replayed[] = [];
  for (const [index, timeMs] of times.slice(0, scansMax).entries()) {
    const scan = judgementsAt(request, timeMs, times[index + 1]);
    if (replayed.length + scan.length > judgementsMax && replayed.length > 0) break;
    replayed.push(...scan.map((judgement) => ({ ...judgement, timeMs })));
    await turn();
  }
  return replayed.slice(0, judgementsMax);
}

function judgementsAt(
  { monitor, monitors, past, parents, schemaChanges }: ReplayRequest,
  timeMs: number,
  previousMs: number | undefined,
): readonly Judgement[] {
  const histories = new Map(past.map(({ series, points }) => [seriesId(series), points]));
  const request: EvaluationRequest = {
    monitors,
    points: pointsAt(past, timeMs),
    metricTimeMs: timeMs,
    schemaChanges: schemaChanges.get(timeMs) ?? [],
    previousSchemaChanges: schemaChanges.get(previousMs ?? 0) ?? [],
    samples: [],
    historyOf: (series) => (histories.get(seriesId(series)) ?? []).filter((point) => point.timeMs < timeMs),
    previousSeries: previousMs === undefined ? [] : pointsAt(past, previousMs),
    parents,
  };
  const { judgements } = findingOf(monitor, { request, scan: new ScanSeries(request), createBandModel, violatedRules: new Set() });
  return judgements;
}

function pointsAt(past: ReplayRequest['past'], timeMs: number): readonly MetricPoint[] {
  return past.flatMap(({ series, points }) => {
    const point = points.find((candidate) => candidate.timeMs === timeMs);
    return point === undefined ? [] : [{ ...series, value: point.value }];
  });
}
