// SPDX-License-Identifier: Apache-2.0
/** One step in the life of an incident: kept in its history, tied to its alerts, recorded in the audit trail. */
import type { AuditAction, IncidentHistoryItem, IncidentState } from '@sextant/contracts-observability';
import { ownRows, type Queries, type TenantScope } from '../database/scope.ts';
import { toJson, toMs } from '../database/values.ts';
import { insertAudit } from './audit.ts';

type StepPlace = { readonly id: number; readonly asset_id: string; readonly alert_policy_id: string; readonly position: number };

/** ONGOING is no news: with a scan each hour it would bury the rest. */
const ACTIONS: { readonly [State in IncidentState]: AuditAction | undefined } = {
  NEW: 'OPENED',
  ONGOING: undefined,
  REOPENED: 'REOPENED',
  RESOLVED: 'CLOSED',
};

export async function insertStep(
  transaction: Queries,
  scope: Pick<TenantScope, 'tenantId' | 'clock'>,
  place: StepPlace,
  { timestamp, state, alert_refs, actor }: IncidentHistoryItem & { readonly actor: string },
): Promise<void> {
  const { tenantId } = scope;
  const { id, position } = place;
  await transaction
    .insertInto('incident_history')
    .values({ tenant_id: tenantId, incident_id: id, position, event_ms: toMs(timestamp), state, alert_refs: toJson(alert_refs), actor })
    .execute();
  await claimAlerts(transaction, tenantId, place, alert_refs);
  const action = ACTIONS[state];
  if (action === undefined) return;
  await insertAudit(transaction, scope, { actor, action, subject_type: 'INCIDENT', subject_id: String(id) });
}

/** How many steps an incident has: the position of its next one. */
export async function stepCount(db: Queries, tenantId: string, id: number): Promise<number> {
  const { count } = await ownRows(db, tenantId)
    .selectFrom('incident_history')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('incident_id', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}

/** An alert belongs to the first incident that refers to it. */
async function claimAlerts(
  transaction: Queries,
  tenantId: string,
  { id, asset_id, alert_policy_id }: StepPlace,
  refs: IncidentHistoryItem['alert_refs'],
): Promise<void> {
  for (const [time, ofTime] of Map.groupBy(refs, ({ metric_time }) => metric_time)) {
    const names = [...new Set(ofTime.map(({ violation_name }) => violation_name))];
    await ownRows(transaction, tenantId)
      .updateTable('alerts')
      .set({ incident_id: id })
      .where('source', '=', asset_id)
      .where('metric_ms', '=', toMs(time))
      .where('violation_name', 'in', names)
      .where('monitor_id', '=', alert_policy_id)
      .where('incident_id', 'is', null)
      .execute();
  }
}
