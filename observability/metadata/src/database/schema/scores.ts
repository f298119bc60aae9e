// SPDX-License-Identifier: Apache-2.0
/** The score of each scan, and the outbox of scan reports. */
import { OF_JOB, OF_TENANT, table } from './table.ts';

export const SCORES = {
  dq_scores: table(['primary key (tenant_id, job_id)', OF_JOB], {
    tenant_id: 'text',
    job_id: 'text',
    asset_id: 'text',
    metric_ms: 'bigint',
    score: 'double precision?',
    parts: 'text',
  }),
  // A report outlives its asset, as a record of what happened.
  scan_reports: table(['primary key (tenant_id, job_id)', OF_TENANT], {
    tenant_id: 'text',
    job_id: 'text',
    report: 'text',
    attempts: 'integer',
    created_ms: 'bigint',
    next_attempt_ms: 'bigint',
    last_error: 'text?',
  }),
};

export const SCORES_INDEXES = [
  'create index dq_scores_by_time on dq_scores (tenant_id, asset_id, metric_ms)',
  'create index scan_reports_by_attempt on scan_reports (next_attempt_ms)',
];
