/** What a finished scan leaves besides its alerts: the score of its asset, with the incidents as they then stand, and the report of its monitors. */
import type { Asset, Job } from '@sextant/contracts-observability';
import type { JobRequest, NewCheck, TenantMetadata } from '@sextant/observability-metadata';
import type { ScanOutcome } from '../jobs/scan-job.ts';
import { queueReport } from '../reports/queue-report.ts';
import { appendScore } from './append-score.ts';

export type RecordedScan = {
  readonly asset: Asset;
  readonly job: Job;
  readonly request: JobRequest;
  readonly result: ScanOutcome;
  readonly checks: readonly NewCheck[];
};

/** Belongs into the transaction that finishes the job, behind the steps of its incidents. */
export async function recordScan(tenant: TenantMetadata, { asset, job, request, result, checks }: RecordedScan): Promise<void> {
  const isDelta = { ...asset.options, ...request }.delta_only === 'true';
  await appendScore(tenant, { asset_id: asset.id, job_id: job.id, metric_time: result.metric_time, metrics: result.metrics, isDelta });
  await queueReport(tenant, { ...result, asset, job, checks });
}
