// SPDX-License-Identifier: Apache-2.0
/** Scans: starting them, following them, and what they found. */
import { ApiError, type Job, parsePeriod } from '@sextant/contracts-observability';
import { tracePlace } from '@sextant/foundation-std';
import type { ScanRequestOptions } from '../jobs/scan-options.ts';
import { operation } from './operation.ts';
import { isTrue, optionalNumber, pageOf } from './parameters.ts';

/** Scans of one asset that may wait; more of them would only measure the same again. */
const WAITING_MAX = 20;
const RETRY_AFTER_SECONDS = 30;
const METRICS_DEFAULT = 10_000;
const METRICS_MAX = 100_000;
const SAMPLES_MAX = 10_000;

export const startScan = operation('start_scan', async ({ tenant, sources, onEnqueued }, { params }) => {
  const asset = await tenant.assets.get(params.asset_id);
  if (!sources.isServed(asset.type)) throw new ApiError('not_supported_yet', { feature: `Scanning sources of type ${asset.type}` });
  const recent = await tenant.jobs.listOfAsset(asset.id, { limit: WAITING_MAX });
  if (recent.length === WAITING_MAX && recent.every(isWaiting)) throw new ApiError('overloaded', { seconds: RETRY_AFTER_SECONDS });
  const trace = tracePlace();
  const request: ScanRequestOptions = { trigger: 'api', ...(trace && { trace }) };
  const job = await tenant.jobs.enqueue({ asset_id: asset.id, request, whenBusy: 'wait' });
  onEnqueued();
  return { message: `The scan was started; follow it with its job_id ${job.id}.`, job_id: job.id };
});

export const getJob = operation('get_job', ({ tenant }, { params }) => tenant.jobs.get(params.job_id));

export const listJobs = operation('list_jobs', async ({ tenant, clock }, { params, query }) => {
  const filter = { most_recent: isTrue(query.most_recent), limit: optionalNumber(query.limit) };
  const jobs = await tenant.jobs.listOfAsset(params.asset_id, filter);
  return jobs.map((job) => ({ ...job, run_time: runTime(job, clock.nowMs()) }));
});

export const listTenantJobs = operation('list_tenant_jobs', async ({ tenant, clock }, { query }) => {
  const jobs = await tenant.jobs.list({ most_recent: isTrue(query.most_recent), limit: optionalNumber(query.limit) });
  return jobs.map((job) => ({ ...job, run_time: runTime(job, clock.nowMs()) }));
});

export const cancelJob = operation('cancel_job', ({ tenant, member }, { params }) => tenant.jobs.requestCancel(params.job_id, member.name));

export const listSamples = operation('list_samples', async ({ tenant }, { params, query }) => {
  const { id } = await tenant.jobs.get(params.job_id);
  const { monitor_id } = query;
  const samples = await tenant.jobFindings.rowSamples(id, monitor_id === undefined ? {} : { monitor_id });
  return samples.slice(0, Math.min(SAMPLES_MAX, optionalNumber(query.limit) ?? SAMPLES_MAX));
});

export const listSchemaChanges = operation('list_schema_changes', async ({ tenant }, { params }) => {
  const { id } = await tenant.jobs.get(params.job_id);
  return tenant.jobFindings.schemaChanges(id);
});

export const listJobChecks = operation('list_job_checks', async ({ tenant }, { params }) => {
  const { id } = await tenant.jobs.get(params.job_id);
  return tenant.checks.ofJob(id);
});

export const listChecks = operation('list_checks', async ({ tenant }, { query }) => {
  const { asset_id, state } = query;
  if (asset_id !== undefined) await tenant.assets.get(asset_id);
  return tenant.checks.latest({ asset_id, state }, pageOf(query));
});

/** The newest points that fit `limit`, after `offset` newer ones; oldest first. */
export const listMetrics = operation('list_metrics', async ({ tenant }, { query }) => {
  const { asset_id, metric_name, metric_aggregation, job_id } = query;
  const series = { asset_id, ...given({ metric_name, metric_aggregation }), ...placeOf(query) };
  await tenant.assets.get(query.asset_id);
  const limit = Math.min(METRICS_MAX, optionalNumber(query.limit) ?? METRICS_DEFAULT);
  const offset = Math.min(METRICS_MAX, optionalNumber(query.offset) ?? 0);
  // The points of a job are found among those of its time.
  const period = job_id === undefined ? parsePeriod(query) : await periodOfJob(tenant, job_id);
  const points = await tenant.metricPoints.history({ ...series, ...period, limit: job_id === undefined ? limit + offset : METRICS_MAX });
  const wanted = job_id === undefined ? points : points.filter((point) => point.job_id === job_id);
  return wanted.slice(Math.max(0, wanted.length - offset - limit), wanted.length - offset);
});

type MetricQuery = { readonly [Name in 'attribute' | 'segment' | 'monitor_id']?: string };

/** An empty text asks for points that are of no attribute, segment or monitor. */
function placeOf({ attribute, segment, monitor_id }: MetricQuery) {
  return Object.fromEntries(
    Object.entries(given({ attribute, segment, monitor_id })).map(([name, text]) => [name, text === '' ? null : text]),
  );
}

function given(texts: { readonly [name: string]: string | undefined }): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

function isWaiting({ status }: Job): boolean {
  return status === 'PREPARING' || status === 'BATCH_WAIT';
}

type Jobs = { readonly jobs: { readonly get: (id: string) => Promise<Job> } };

async function periodOfJob({ jobs }: Jobs, jobId: string): Promise<{ from_time?: string; to_time?: string }> {
  const { created_at, end_time } = await jobs.get(jobId);
  return { from_time: created_at, ...(end_time === null ? {} : { to_time: end_time }) };
}

/** A duration as the published API writes it; null for a job that has not started. */
function runTime({ start_time, end_time }: Job, nowMs: number) {
  if (start_time === null) return null;
  const ms = Math.max(0, (end_time === null ? nowMs : Date.parse(end_time)) - Date.parse(start_time));
  return { seconds: Math.floor(ms / 1000), nano: (ms % 1000) * 1_000_000, zero: ms === 0, negative: false };
}
