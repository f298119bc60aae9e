import type { Schedule } from '@sextant/contracts-observability';
import type { PlatformScope } from '../database/scope.ts';
import { toTime } from '../database/values.ts';
import { toSchedule } from '../tenant/schedules.ts';
import { toDelivery, type WebhookDelivery } from '../tenant/webhook-deliveries.ts';

export type DueSchedule = {
  readonly tenant_id: string;
  readonly asset_id: string;
  readonly schedule: Schedule;
  readonly next_run_at: string;
};

/** What has come due in any tenant. */
export type DueWork = {
  /** Enabled schedules whose next run is not in the future, the most overdue first. */
  readonly schedules: (limit: number) => Promise<readonly DueSchedule[]>;
  /** Takes deliveries whose next attempt is due; nobody else gets them before the lease ends. */
  readonly claimDeliveries: (options: {
    readonly limit: number;
    readonly leaseMs: number;
  }) => Promise<readonly (WebhookDelivery & { readonly tenant_id: string })[]>;
};

export function dueWork({ database, db, clock }: PlatformScope): DueWork {
  return {
    schedules: async (limit) => {
      const rows = await db
        .selectFrom('schedules')
        .selectAll()
        .where('is_enabled', '=', 1)
        .where('next_run_ms', '<=', clock.nowMs())
        .orderBy('next_run_ms')
        .limit(limit)
        .execute();
      return rows.flatMap((row) => {
        const { tenant_id, asset_id, next_run_ms } = row;
        return next_run_ms === null ? [] : [{ tenant_id, asset_id, schedule: toSchedule(row), next_run_at: toTime(next_run_ms) }];
      });
    },
    claimDeliveries: ({ limit, leaseMs }) =>
      database.kysely.transaction().execute(async (transaction) => {
        await database.lock(transaction, 'webhook deliveries');
        const nowMs = clock.nowMs();
        const due = await transaction
          .selectFrom('webhook_deliveries')
          .selectAll()
          .where('next_attempt_ms', '<=', nowMs)
          .orderBy('next_attempt_ms')
          .limit(limit)
          .execute();
        const claimed = due.map((row) => ({ ...row, attempts: row.attempts + 1, next_attempt_ms: nowMs + leaseMs }));
        for (const { tenant_id, id, attempts, next_attempt_ms } of claimed) {
          await transaction
            .updateTable('webhook_deliveries')
            .set({ attempts, next_attempt_ms })
            .where('tenant_id', '=', tenant_id)
            .where('id', '=', id)
            .execute();
        }
        return claimed.map((row) => ({ ...toDelivery(row), tenant_id: row.tenant_id }));
      }),
  };
}
