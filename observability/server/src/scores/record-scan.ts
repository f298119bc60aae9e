// SPDX-License-Identifier: Apache-2.0
/** What a finished scan leaves besides its alerts: the score of its asset, with the incidents as they then stand, and the report of its monitors. */
import type { Asset, Job } from '@sextant/contracts-observability';
import type { NewCheck, TenantMetadata } from '@sextant/observability-metadata';
import type { ScanOutcome } from '../jobs/scan-job.ts';
import { queueReport } from '../reports/queue-report.ts';
import { appendScore } from './append-score.ts';

export type RecordedScan = {
  readonly asset: Asset;
  readonly job: Job;
  readonly result: ScanOutcome;
  readonly checks: readonly NewCheck[];
};

/** Belongs into the transaction that finishes the job, behind the steps of its incidents. */
export async function recordScan(tenant: TenantMetadata, { asset, job, result, checks }: RecordedScan): Promise<void> {
  const { metric_time, metrics, options } = result;
  const [isDelta, isLight] = [options.delta_only === 'true', options.only_light_scan === 'true'];
  await appendScore(tenant, { asset_id: asset.id, job_id: job.id, metric_time, metrics, isDelta, isLight });
  await queueReport(tenant, { ...result, asset, job, checks });
}
