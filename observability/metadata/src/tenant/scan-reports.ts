// SPDX-License-Identifier: Apache-2.0
import type { CheckState } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import type { TenantScope } from '../database/scope.ts';
import { fromJson, toJson, toMs } from '../database/values.ts';

/** What one monitor has to say of the records of a scan. */
export type ScanReportRow = {
  readonly monitor_id: number;
  /** Null where the monitor watches the delivery as a whole and fails no single record. */
  readonly records_failed: number | null;
  readonly records_scanned: number;
  /** Ids of failed records. */
  readonly record_ids: readonly string[];
  /** What the monitor came to, and why it is neither ok nor violated; missing in reports that an earlier version queued. */
  readonly state?: CheckState | null;
  readonly reason?: string | null;
};

/** The report of a finished scan, as it will be written. */
export type ScanReport = {
  readonly project_id: number;
  readonly asset_id: string;
  readonly job_id: string;
  readonly finished_at: string;
  /** Name of the attribute that identifies records; null without one. */
  readonly record_id_attribute: string | null;
  readonly rows: readonly ScanReportRow[];
};

/** A report on its way to the store of the tenant. */
export type QueuedReport = ScanReport & {
  /** Attempts that were begun, this one included once it is claimed. */
  readonly attempts: number;
  readonly last_error: string | null;
};

/** The outbox. A report that is neither written nor given up comes due again when its claim ends. */
export type ScanReportStore = {
  readonly enqueue: (report: ScanReport) => Promise<void>;
  /** The oldest first, at most 1,000. */
  readonly list: () => Promise<readonly QueuedReport[]>;
  readonly retry: (jobId: string, attempt: { readonly next_attempt_at: string; readonly error: string }) => Promise<void>;
  /** It was written, or nobody wants it any more. */
  readonly remove: (jobId: string) => Promise<void>;
};

const LISTED_MAX = 1000;

export function scanReportStore({ tenantId, db, write, clock, own }: TenantScope): ScanReportStore {
  return {
    enqueue: (report) =>
      write(async (transaction) => {
        const nowMs = clock.nowMs();
        const row: Schema['scan_reports'] = {
          tenant_id: tenantId,
          job_id: report.job_id,
          report: toJson(report),
          attempts: 0,
          created_ms: nowMs,
          next_attempt_ms: nowMs,
          last_error: null,
        };
        await transaction.insertInto('scan_reports').values(row).execute();
      }),
    list: async () => {
      const query = own(db).selectFrom('scan_reports').selectAll().orderBy('created_ms').orderBy('job_id');
      return (await query.limit(LISTED_MAX).execute()).map(toQueuedReport);
    },
    retry: async (jobId, { next_attempt_at, error }) => {
      await own(db)
        .updateTable('scan_reports')
        .set({ next_attempt_ms: toMs(next_attempt_at), last_error: error })
        .where('job_id', '=', jobId)
        .execute();
    },
    remove: async (jobId) => {
      await own(db).deleteFrom('scan_reports').where('job_id', '=', jobId).execute();
    },
  };
}

export function toQueuedReport({ report, attempts, last_error }: Schema['scan_reports']): QueuedReport {
  return { ...fromJson<ScanReport>(report), attempts, last_error };
}
