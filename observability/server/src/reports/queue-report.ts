// SPDX-License-Identifier: Apache-2.0
/** Puts the report of a scan into the outbox, in the transaction that finishes the scan. */
import type { Asset, Job } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { reportRows, type ScanFindings } from './report-rows.ts';

export type FinishedScan = ScanFindings & {
  readonly asset: Asset;
  /** As it ended. */
  readonly job: Pick<Job, 'id' | 'end_time'>;
};

/** Does nothing unless the tenant has reporting enabled, and a monitor that could report. */
export async function queueReport(tenant: TenantMetadata, { asset, job, ...findings }: FinishedScan): Promise<void> {
  const config = await tenant.dqReportingConfig.find();
  if (config?.enabled !== true || job.end_time === null) return;
  const rows = reportRows(await tenant.monitors.list(asset.id), findings);
  if (rows.length === 0) return;
  await tenant.scanReports.enqueue({
    project_id: asset.project_id,
    asset_id: asset.id,
    job_id: job.id,
    finished_at: job.end_time,
    record_id_attribute: asset.options.id_attributes?.join(', ') ?? null,
    rows,
  });
}
