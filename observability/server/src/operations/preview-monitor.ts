// SPDX-License-Identifier: Apache-2.0
/** Checks a monitor that is not saved, and tries it on what the scans so far measured. */
import { ApiError, type BodyOf, type Monitor, type ResultOf, type SchemaChange } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { metricsBehind, type Replayed, replay } from '@sextant/observability-monitors';
import { comparesWithParents, loadParents, timeAttributes } from '../evaluation/evaluation-input.ts';
import { historyIn, readPast } from '../evaluation/past.ts';
import { requireMeasurable } from './monitor-check.ts';
import { completeDefinition, completeThreshold } from './monitor-input.ts';
import { operation } from './operation.ts';

const SCANS_MAX = 60;
const EVALUATED_MAX = 1000;
/** As many as teach a monitor at a scan, of a table of some dozen columns. */
const POINTS_MAX = 100_000;
/** Until it is known how many they are. */
const POINTS_PER_SCAN = 1000;
/** What stands for the monitor that is not there yet. */
const UNSAVED_ID = 'PREVIEW';

export const previewMonitor = operation('preview_monitor', async (context, { params, body, signal }) => {
  const { tenant } = context;
  const asset = await tenant.assets.get(params.asset_id);
  const { id: assetId } = asset;
  const definition = completeDefinition(body.type, body.monitor);
  await requireMeasurable(context, { asset, type: body.type, definition, signal });
  const monitor = { ...unsaved(assetId, body), id: await measuredAs(tenant, assetId, body), monitor: definition };
  return { history: await historyOf(tenant, monitor) };
});

type Body = BodyOf<'preview_monitor'>;
type Point = ResultOf<'preview_monitor'>['history'][number];

/** The id that the measured points of the monitor have. */
async function measuredAs(tenant: TenantMetadata, assetId: string, body: Body): Promise<string> {
  if (body.type === 'PREDEFINED_METRIC' || body.monitor_id === undefined) return UNSAVED_ID;
  const { id, type } = await tenant.monitors.get(assetId, body.monitor_id);
  if (type !== body.type) throw new ApiError('bad_request', { reason: `monitor_id: monitor ${id} is of type ${type}, not ${body.type}` });
  return id;
}

function unsaved(assetId: string, { type, threshold }: Body): Omit<Monitor, 'id' | 'monitor'> {
  return {
    asset_id: assetId,
    type,
    name: UNSAVED_ID,
    enabled: true,
    description: null,
    impact: null,
    tags: null,
    created_by: '',
    created_at: '',
    modified_by: '',
    modified_at: '',
    threshold: completeThreshold(type, threshold),
    notification: null,
    ticketing: null,
  };
}

async function historyOf(tenant: TenantMetadata, monitor: Monitor): Promise<readonly Point[]> {
  const { asset_id: assetId } = monitor;
  const past = await readPast(tenant, assetId, {
    pointsPerScan: POINTS_PER_SCAN,
    pointsMax: POINTS_MAX,
    metricNames: metricsBehind(monitor),
  });
  const pointsOf = historyIn(past);
  const parents = comparesWithParents(monitor) ? await loadParents(tenant, assetId) : [];
  const replayed = await replay({
    monitor,
    monitors: await tenant.monitors.list(assetId),
    timeAttributes: await timeAttributes(tenant, assetId),
    past: past.series.map((series) => ({ series, points: pointsOf(series) })),
    parents: parents.map(({ asset_id, name, past: theirs }) => ({ asset_id, name, historyOf: historyIn(theirs) })),
    schemaChanges: watchesSchema(monitor) ? await schemaChanges(tenant, assetId) : new Map(),
    scansMax: SCANS_MAX,
    evaluatedMax: EVALUATED_MAX,
  });
  return replayed.map(toPoint);
}

function watchesSchema({ monitor }: Monitor): boolean {
  return 'predefined_metric' in monitor && monitor.predefined_metric.startsWith('SCHEMA');
}

/** Of the newest scans, by the time of their measurements. */
async function schemaChanges(tenant: TenantMetadata, assetId: string): Promise<ReadonlyMap<number, readonly SchemaChange[]>> {
  const scans = await tenant.metricPoints.scans(assetId, new Date(0).toISOString());
  const changes = new Map<number, readonly SchemaChange[]>();
  for (const { job_id, metric_time } of scans.slice(-SCANS_MAX - 1)) {
    changes.set(Date.parse(metric_time), await tenant.jobFindings.schemaChanges(job_id));
  }
  return changes;
}

function toPoint({ series, timeMs, value, band, isViolation }: Replayed): Point {
  const { metric_name, metric_aggregation, attribute, segment, monitor_id } = series;
  return {
    metric_time: new Date(timeMs).toISOString(),
    metric_name,
    metric_aggregation,
    attribute,
    segment,
    monitor_id,
    value,
    lower_bound: band.lower,
    upper_bound: band.upper,
    is_violation: isViolation,
  };
}
