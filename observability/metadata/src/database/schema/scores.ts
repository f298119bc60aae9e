// SPDX-License-Identifier: Apache-2.0
/** Scores and scan reports as queries see them: names and types follow the migrations; `_ms` is milliseconds since 1970. */

export type ScoresSchema = {
  dq_scores: {
    tenant_id: string;
    job_id: string;
    asset_id: string;
    metric_ms: number;
    score: number | null;
    parts: string;
  };
  scan_reports: {
    tenant_id: string;
    job_id: string;
    report: string;
    attempts: number;
    created_ms: number;
    next_attempt_ms: number;
    last_error: string | null;
  };
};
