/** What a monitor would have said of the scans that there were: each is judged with what came before it, and nothing that came after. */
import { setImmediate as turn } from 'node:timers/promises';
import type { MetricPoint, Monitor, SchemaChange } from '@sextant/contracts-observability';
import type { SeriesPoint } from '../bands/band.ts';
import { createBandModel } from '../bands/band-model.ts';
import { TOLD_SCANS } from './acceptance.ts';
import type { EvaluationRequest, SeriesKey } from './evaluation.ts';
import { findingOf, isOfAnyRule, type Judgement, violatedRules } from './finding.ts';
import { ScanSeries, seriesId } from './scan-series.ts';
import { SCHEMA_SCANS } from './schema-drifts.ts';

export type ReplayRequest = {
  readonly monitor: Monitor;
  /** All monitors of the asset, for those of its rules. */
  readonly monitors: readonly Monitor[];
  /** Series of the asset with their points, oldest first. */
  readonly past: readonly { readonly series: SeriesKey; readonly points: readonly SeriesPoint[] }[];
  /** As of the request of an evaluation. */
  readonly timeAttributes?: readonly string[];
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
  const { scansMax, judgementsMax } = request;
  const scans = scansOf(request.past);
  const times = [...scans.keys()].sort((first, second) => second - first);
  const histories = new Map(request.past.map(({ series, points }) => [seriesId(series), points]));
  const replayed: Replayed[] = [];
  for (const [index, timeMs] of times.slice(0, scansMax).entries()) {
    const scan = judgementsAt(request, { timeMs, earlier: times.slice(index + 1), scans, histories });
    if (replayed.length + scan.length > judgementsMax && replayed.length > 0) break;
    replayed.push(...scan.map((judgement) => ({ ...judgement, timeMs })));
    await turn();
  }
  return replayed.slice(0, judgementsMax);
}

type Moment = {
  readonly timeMs: number;
  /** Of the scans before it, newest first. */
  readonly earlier: readonly number[];
  /** What each scan measured, by its time. */
  readonly scans: ReadonlyMap<number, readonly MetricPoint[]>;
  readonly histories: ReadonlyMap<string, readonly SeriesPoint[]>;
};

function judgementsAt(
  { monitor, monitors, timeAttributes, parents, schemaChanges }: ReplayRequest,
  { timeMs, earlier, scans, histories }: Moment,
): readonly Judgement[] {
  const seriesAt = (scanMs: number): readonly SeriesKey[] => scans.get(scanMs) ?? [];
  const request: EvaluationRequest = {
    monitors,
    points: scans.get(timeMs) ?? [],
    metricTimeMs: timeMs,
    schemaChanges: schemaChanges.get(timeMs) ?? [],
    recentSchemaChanges: earlier.slice(0, SCHEMA_SCANS).map((scanMs) => schemaChanges.get(scanMs) ?? []),
    ...(timeAttributes === undefined ? {} : { timeAttributes }),
    samples: [],
    historyOf: (series) => (histories.get(seriesId(series)) ?? []).filter((point) => point.timeMs < timeMs),
    previousSeries: earlier.slice(0, 1).flatMap(seriesAt),
    recentSeries: earlier.slice(0, TOLD_SCANS).flatMap(seriesAt),
    parents,
  };
  const context = { request, scan: new ScanSeries(request), createBandModel };
  const told = isOfAnyRule(monitor) ? violatedRules(monitors, context) : new Set<string>();
  return findingOf(monitor, { ...context, violatedRules: told }).judgements;
}

function scansOf(past: ReplayRequest['past']): ReadonlyMap<number, readonly MetricPoint[]> {
  const scans = new Map<number, MetricPoint[]>();
  for (const { series, points } of past) {
    for (const { timeMs, value } of points) {
      const scan = scans.get(timeMs) ?? [];
      scan.push({ ...series, value });
      scans.set(timeMs, scan);
    }
  }
  return scans;
}
