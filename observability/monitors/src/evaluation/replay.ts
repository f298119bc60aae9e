// SPDX-License-Identifier: Apache-2.0
/** Evaluates a monitor on past scans, each with the data of earlier scans only. */
import { setImmediate as turn } from 'node:timers/promises';
import type { MetricPoint, Monitor, SchemaChange } from '@sextant/contracts-observability';
import type { SeriesPoint } from '../bands/band.ts';
import { createBandModel } from '../bands/band-model.ts';
import { REPORTED_SCANS } from './acceptance.ts';
import type { EvaluationRequest, SeriesKey } from './evaluation.ts';
import { type EvaluatedSeries, findingOf, isOfAnyRule, violatedRules } from './finding.ts';
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
  /** Of the newest scans so many are replayed at most, and of these no more than give so many evaluated values. */
  readonly scansMax: number;
  readonly evaluatedMax: number;
};

export type Replayed = EvaluatedSeries & { readonly timeMs: number };

/** Newest scan first. Others get a turn after each scan. */
export async function replay(request: ReplayRequest): Promise<readonly Replayed[]> {
  const { scansMax, evaluatedMax } = request;
  const scans = scansOf(request.past);
  const times = [...scans.keys()].sort((first, second) => second - first);
  const histories = new Map(request.past.map(({ series, points }) => [seriesId(series), points]));
  const replayed: Replayed[] = [];
  for (const [index, timeMs] of times.slice(0, scansMax).entries()) {
    const scan = evaluateAt(request, { timeMs, earlier: times.slice(index + 1), scans, histories });
    if (replayed.length + scan.length > evaluatedMax && replayed.length > 0) break;
    replayed.push(...scan.map((one) => ({ ...one, timeMs })));
    await turn();
  }
  return replayed.slice(0, evaluatedMax);
}

type Moment = {
  readonly timeMs: number;
  /** Of the scans before it, newest first. */
  readonly earlier: readonly number[];
  /** What each scan measured, by its time. */
  readonly scans: ReadonlyMap<number, readonly MetricPoint[]>;
  readonly histories: ReadonlyMap<string, readonly SeriesPoint[]>;
};

function evaluateAt(
  { monitor, monitors, timeAttributes, parents, schemaChanges }: ReplayRequest,
  { timeMs, earlier, scans, histories }: Moment,
): readonly EvaluatedSeries[] {
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
    recentSeries: earlier.slice(0, REPORTED_SCANS).flatMap(seriesAt),
    parents,
  };
  const context = { request, scan: new ScanSeries(request), createBandModel };
  const violated = isOfAnyRule(monitor) ? violatedRules(monitors, context) : new Set<string>();
  return findingOf(monitor, { ...context, reportedRules: violated }).evaluated;
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
