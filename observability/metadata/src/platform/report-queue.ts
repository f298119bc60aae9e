import type { PlatformScope } from '../database/scope.ts';
import { type QueuedReport, toQueuedReport } from '../tenant/scan-reports.ts';

/** Reports of all tenants that are due. */
export type ReportQueue = {
  /** Takes reports whose next attempt is due; nobody else gets them before the lease ends. */
  readonly claimDue: (options: {
    readonly limit: number;
    readonly leaseMs: number;
  }) => Promise<readonly (QueuedReport & { readonly tenant_id: string })[]>;
};

export function reportQueue({ database, clock }: PlatformScope): ReportQueue {
  return {
    claimDue: ({ limit, leaseMs }) =>
      database.kysely.transaction().execute(async (transaction) => {
        await database.lock(transaction, 'scan reports');
        const nowMs = clock.nowMs();
        const due = await transaction
          .selectFrom('scan_reports')
          .selectAll()
          .where('next_attempt_ms', '<=', nowMs)
          .orderBy('next_attempt_ms')
          .limit(limit)
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
  };
}
