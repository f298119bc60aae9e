// SPDX-License-Identifier: Apache-2.0
/** Where the incidents of an asset stand: what decides about their next steps. */
import type { Incident, IncidentHistoryItem, IncidentMetric } from '@sextant/contracts-observability';
import type { TenantScope } from '../database/scope.ts';
import { fromJson } from '../database/values.ts';
import { LISTED, toHistoryItem, toIncident } from './incident-rows.ts';

/** An incident with its newest step: for a closed one, when it was closed. */
export type TrackedIncident = Incident & { readonly metrics: readonly IncidentMetric[]; readonly last_step: IncidentHistoryItem };

export type TrackedFilter = {
  readonly alertPolicyId?: string;
  /** Without those that were closed before; all of them when left out. */
  readonly closedSinceMs?: number;
};

/** Oldest first: a backfill gives old incidents young ids. */
export async function trackedIncidents(
  { db, own }: TenantScope,
  assetId: string,
  { alertPolicyId, closedSinceMs }: TrackedFilter = {},
): Promise<readonly TrackedIncident[]> {
  let query = own(db)
    .selectFrom('incidents')
    .select([...LISTED, 'metrics'])
    .where('asset_id', '=', assetId);
  if (alertPolicyId !== undefined) query = query.where('alert_policy_id', '=', alertPolicyId);
  if (closedSinceMs !== undefined) {
    query = query.where((where) => where.or([where('status', '=', 'OPEN'), where('closed_ms', '>=', closedSinceMs)]));
  }
  const rows = await query.orderBy('created_ms').orderBy('id').execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const steps = await own(db)
    .selectFrom('incident_history as step')
    .selectAll()
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
    return last_step === undefined ? [] : [{ ...toIncident(row), metrics: fromJson<readonly IncidentMetric[]>(row.metrics), last_step }];
  });
}
