// SPDX-License-Identifier: Apache-2.0
/** Removal of incidents that were closed long ago, with what is theirs, and of alerts that never had one. */
import { deleteInBatches } from '../database/batches.ts';
import type { TenantScope } from '../database/scope.ts';

/** In one transaction, which the tenant's others wait for: each has its steps and alerts, of hourly scans some thousand. */
const INCIDENTS_PER_DELETION = 20;
const ALERTS_PER_DELETION = 1000;

export function deleteClosedIncidents({ tenantId, write }: Pick<TenantScope, 'tenantId' | 'write'>, beforeMs: number): Promise<number> {
  return deleteInBatches(INCIDENTS_PER_DELETION, (limit) =>
    write(async (transaction) => {
      const closed = await transaction
        .selectFrom('incidents')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('closed_ms', '<', beforeMs)
        .orderBy('closed_ms')
        .limit(limit)
        .execute();
      const ids = closed.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await transaction.deleteFrom('alerts').where('tenant_id', '=', tenantId).where('incident_id', 'in', ids).execute();
      await transaction.deleteFrom('incidents').where('tenant_id', '=', tenantId).where('id', 'in', ids).execute();
      return ids.length;
    }),
  );
}

export function deleteStrayAlerts({ tenantId, db }: Pick<TenantScope, 'tenantId' | 'db'>, beforeMs: number): Promise<number> {
  return deleteInBatches(ALERTS_PER_DELETION, async (limit) => {
    const past = db
      .selectFrom('alerts as past')
      .select('past.id')
      .where('past.tenant_id', '=', tenantId)
      .where('past.incident_id', 'is', null)
      .where('past.metric_ms', '<', beforeMs)
      .limit(limit);
    const { numDeletedRows } = await db
      .deleteFrom('alerts')
      .where('tenant_id', '=', tenantId)
      // One that found its incident meanwhile stays.
      .where('incident_id', 'is', null)
      .where('id', 'in', past)
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
