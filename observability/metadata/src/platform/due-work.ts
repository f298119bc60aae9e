// SPDX-License-Identifier: Apache-2.0
import type { Schedule, Ticket } from '@sextant/contracts-observability';
import type { PlatformScope } from '../database/scope.ts';
import { toTime } from '../database/values.ts';
import { toSchedule } from '../tenant/schedules.ts';
import { toTicket } from '../tenant/tickets.ts';
import { CLOCK_STEP_MS } from './clock-step.ts';

export type DueSchedule = {
  readonly tenant_id: string;
  readonly asset_id: string;
  readonly schedule: Schedule;
  readonly next_run_at: string;
};

/** A ticket whose status is to be read again. */
export type DueTicket = { readonly tenant_id: string; readonly ticket: Ticket };

/** What has come due in any tenant. */
export type DueWork = {
  /** Enabled schedules whose next run is not in the future, the most overdue first. */
  readonly schedules: (limit: number) => Promise<readonly DueSchedule[]>;
  /** Tickets of open incidents whose status was last read an interval of their tenant's connection ago, the oldest first. */
  readonly tickets: (limit: number, options?: { readonly withoutTenants: readonly string[] }) => Promise<readonly DueTicket[]>;
};

export function dueWork({ db, clock }: PlatformScope): DueWork {
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
    tickets: async (limit, { withoutTenants } = { withoutTenants: [] }) => {
      let query = db
        .selectFrom('tickets')
        .innerJoin('tracker_connections', 'tracker_connections.tenant_id', 'tickets.tenant_id')
        .innerJoin('incidents', (join) =>
          join.onRef('incidents.tenant_id', '=', 'tickets.tenant_id').onRef('incidents.id', '=', 'tickets.incident_id'),
        )
        .selectAll('tickets')
        .where('incidents.status', '=', 'OPEN')
        .where((where) =>
          where.or([
            where(where('tickets.synced_ms', '+', where('tracker_connections.poll_interval_seconds', '*', 1000)), '<=', clock.nowMs()),
            // It was read in the future: the clock was set back since.
            where('tickets.synced_ms', '>', clock.nowMs() + CLOCK_STEP_MS),
          ]),
        )
        .orderBy('tickets.synced_ms')
        .limit(limit);
      if (withoutTenants.length > 0) query = query.where('tickets.tenant_id', 'not in', withoutTenants);
      const rows = await query.execute();
      return rows.map((row) => ({ tenant_id: row.tenant_id, ticket: toTicket(row) }));
    },
  };
}
