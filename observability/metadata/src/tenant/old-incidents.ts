// SPDX-License-Identifier: Apache-2.0
/** Removal of incidents that were closed long ago, with what is theirs, and of alerts that never had one. */
import { deleteInBatches } from '../database/batches.ts';
import { ownRows, type TenantScope } from '../database/scope.ts';

/** In one transaction, which the tenant's others wait for: each has its steps and alerts, of hourly scans some thousand. */
const INCIDENTS_PER_DELETION = 20;
const ALERTS_PER_DELETION = 1000;

export function deleteClosedIncidents({ tenantId, write }: Pick<TenantScope, 'tenantId' | 'write'>, beforeMs: number): Promise<number> {
  return deleteInBatches(INCIDENTS_PER_DELETION, (limit) =>
    write(async (transaction) => {
      const closed = await ownRows(transaction, tenantId)
        .selectFrom('incidents')
        .select('id')
        .where('closed_ms', '<', beforeMs)
        .orderBy('closed_ms')
        .limit(limit)
        .execute();
      const ids = closed.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await ownRows(transaction, tenantId).deleteFrom('alerts').where('incident_id', 'in', ids).execute();
      await ownRows(transaction, tenantId).deleteFrom('incidents').where('id', 'in', ids).execute();
      return ids.length;
    }),
  );
}

export function deleteStrayAlerts({ tenantId, db }: Pick<TenantScope, 'tenantId' | 'db'>, beforeMs: number): Promise<number> {
  return deleteInBatches(ALERTS_PER_DELETION, async (limit) => {
    const past = ownRows(db, tenantId)
      .selectFrom('alerts as past')
      .select('past.id')
      .where('past.incident_id', 'is', null)
      .where('past.metric_ms', '<', beforeMs)
      .limit(limit);
    const { numDeletedRows } = await ownRows(db, tenantId)
      .deleteFrom('alerts')
      // One that found its incident meanwhile stays.
      .where('incident_id', 'is', null)
      .where('id', 'in', past)
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
