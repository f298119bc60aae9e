/** Where each policy of an asset stands: what decides about its next step. */
import type { Incident, IncidentHistoryItem } from '@sextant/contracts-observability';
import { sql } from 'kysely';
import type { TenantScope } from '../database/scope.ts';
import { LISTED, toHistoryItem, toIncident } from './incident-rows.ts';

/** An incident with its newest step: for a closed one, when it was closed. */
export type TrackedIncident = Incident & { readonly last_step: IncidentHistoryItem };

type Where = { readonly assetId: string; readonly alertPolicyId?: string };

/** Of each policy the open incident, else the one that was created last: a backfill gives old incidents young ids. */
export async function trackedIncidents(
  { tenantId, db }: TenantScope,
  { assetId, alertPolicyId }: Where,
): Promise<readonly TrackedIncident[]> {
  let candidates = db
    .selectFrom('incidents')
    .select([
      'id',
      sql<number>`row_number() over (
        partition by alert_policy_id order by case status when 'OPEN' then 0 else 1 end, created_ms desc, id desc
      )`.as('rank'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('asset_id', '=', assetId);
  if (alertPolicyId !== undefined) candidates = candidates.where('alert_policy_id', '=', alertPolicyId);
  const rows = await db
    .selectFrom('incidents')
    .select(LISTED)
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', (select) => select.selectFrom(candidates.as('candidates')).select('candidates.id').where('candidates.rank', '=', 1))
    .orderBy('id')
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const steps = await db
    .selectFrom('incident_history as step')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('incident_id', 'in', ids)
    .where('position', '=', (select) =>
      select
        .selectFrom('incident_history as other')
        .select((each) => each.fn.max('other.position').as('newest'))
        .whereRef('other.tenant_id', '=', 'step.tenant_id')
        .whereRef('other.incident_id', '=', 'step.incident_id'),
    )
    .execute();
  const stepOf = new Map(steps.map((step) => [step.incident_id, toHistoryItem(step)]));
  return rows.flatMap((row) => {
    const last_step = stepOf.get(row.id);
    return last_step === undefined ? [] : [{ ...toIncident(row), last_step }];
  });
}
