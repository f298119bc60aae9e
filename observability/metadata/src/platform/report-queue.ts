// SPDX-License-Identifier: Apache-2.0
import type { PlatformScope } from '../database/scope.ts';
import { type QueuedReport, toQueuedReport } from '../tenant/scan-reports.ts';

/** Reports of all tenants that are due. */
export type ReportQueue = {
  /** Takes reports whose next attempt is due; nobody else gets them before the lease ends. */
  readonly claimDue: (options: {
    readonly limit: number;
    readonly leaseMs: number;
  }) => Promise<readonly (QueuedReport & { readonly tenant_id: string })[]>;
  /** Makes all reports due: those of claimers who are dead, and also those that wait for another attempt. */
  readonly releaseAll: () => Promise<void>;
};

export function reportQueue({ database, db, clock }: PlatformScope): ReportQueue {
  return {
    claimDue: ({ limit, leaseMs }) =>
      database.kysely.transaction().execute(async (transaction) => {
        const nowMs = clock.nowMs();
        const due = await database
          .taking(
            transaction
              .selectFrom('scan_reports')
              .selectAll()
              .where('next_attempt_ms', '<=', nowMs)
              .orderBy('next_attempt_ms')
              .limit(limit),
          )
          .execute();
        const claimed = due.map((row) => ({ ...row, attempts: row.attempts + 1 }));
        for (const { tenant_id, job_id, attempts } of claimed) {
          await transaction
            .updateTable('scan_reports')
            .set({ attempts, next_attempt_ms: nowMs + leaseMs })
            .where('tenant_id', '=', tenant_id)
            .where('job_id', '=', job_id)
            .execute();
        }
        return claimed.map((row) => ({ ...toQueuedReport(row), tenant_id: row.tenant_id }));
      }),
    releaseAll: async () => {
      const nowMs = clock.nowMs();
      await db.updateTable('scan_reports').set({ next_attempt_ms: nowMs }).where('next_attempt_ms', '>', nowMs).execute();
    },
  };
}
