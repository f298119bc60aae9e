// SPDX-License-Identifier: Apache-2.0
/** What a person says about the state of an incident, and what follows from what people do to its monitor and its alerts. */
import { ApiError, type Asset, type IncidentDetail, type Monitor } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { subjectsOf } from '@sextant/observability-monitors';
import { stepIncident, stepPolicy } from '../evaluation/incident-steps.ts';

export type PersonStep = {
  readonly incidentId: number;
  readonly actor: string;
  readonly comment: string | null;
  readonly nowMs: number;
};

/** @throws ApiError conflict when it is closed already */
export function closeIncident(tenant: TenantMetadata, { incidentId, actor, comment, nowMs }: PersonStep): Promise<IncidentDetail> {
  return tenant.atomically(async (own) => {
    const incident = await own.incidents.get(incidentId);
    if (incident.status === 'CLOSED') throw new ApiError('conflict', { reason: `Incident ${incidentId} is already closed.` });
    return personStep(own, incident, { cause: 'closed by a person', actor, comment, nowMs });
  });
}

/** @throws ApiError conflict when it is open already, or a newer incident is about the same */
export function reopenIncident(tenant: TenantMetadata, { incidentId, actor, comment, nowMs }: PersonStep): Promise<IncidentDetail> {
  return tenant.atomically(async (own) => {
    const incident = await own.incidents.get(incidentId);
    if (incident.status === 'OPEN') throw new ApiError('conflict', { reason: `Incident ${incidentId} is already open.` });
    const newest = await newestAboutTheSame(own, incident);
    if (newest !== incidentId) {
      const reason = `Incident ${incidentId} cannot be reopened: only the newest incident of the same monitor and attribute or rule can be, which is ${newest}.`;
      throw new ApiError('conflict', { reason });
    }
    return personStep(own, incident, { cause: 'reopened by a person', actor, comment, nowMs });
  });
}

/** An open one goes before all others: a backfill gives old incidents young ids. */
async function newestAboutTheSame(tenant: TenantMetadata, { id, asset_id, alert_policy_id, metrics }: IncidentDetail): Promise<number> {
  const subjects = subjectsOf(metrics);
  const all = await tenant.incidents.trackedOfAsset(asset_id, { alertPolicyId: alert_policy_id });
  const same = all.filter((other) => other.id === id || !subjects.isDisjointFrom(subjectsOf(other.metrics)));
  return (same.find(({ status }) => status === 'OPEN') ?? same.at(-1))?.id ?? id;
}

type Said = Omit<PersonStep, 'incidentId'> & { readonly cause: 'closed by a person' | 'reopened by a person' };

async function personStep(tenant: TenantMetadata, incident: IncidentDetail, said: Said): Promise<IncidentDetail> {
  const { cause, actor, comment, nowMs } = said;
  const occasion = { ...(await policyOf(tenant, incident)), cause, actor };
  const stepped = await stepIncident(tenant, occasion, { incident, nowMs });
  if (stepped === undefined) throw new ApiError('conflict', { reason: `Incident ${incident.id} is already ${incident.status}.` });
  if (comment !== null) await tenant.incidentCare.comment(incident.id, { author: actor, text: comment });
  return stepped;
}

/** In the transaction that turned the monitor off or deleted it. */
export async function closeOfMonitor(
  tenant: TenantMetadata,
  monitor: Monitor,
  { actor, nowMs }: { readonly actor: string; readonly nowMs: number },
): Promise<void> {
  const asset = await tenant.assets.get(monitor.asset_id);
  await stepPolicy(tenant, { asset, policyId: monitor.id, monitor, cause: 'monitor is off', actor }, nowMs);
}

/** Closes the incident when no alert of its newest step is left that was not excluded; answers whether it did. */
export async function closeIfExcluded(
  tenant: TenantMetadata,
  incidentId: number,
  { actor, nowMs }: { readonly actor: string; readonly nowMs: number },
): Promise<boolean> {
  const incident = await tenant.incidents.get(incidentId);
  if (incident.status === 'CLOSED') return false;
  // A person's reopening has no alerts of its own.
  const refs = incident.history.findLast(({ alert_refs }) => alert_refs.length > 0)?.alert_refs ?? [];
  for (const metric_time of new Set(refs.map((ref) => ref.metric_time))) {
    const alerts = await tenant.alerts.ofStep({ source: incident.asset_id, incident_id: incidentId, metric_time });
    if (alerts.some(({ violation_data }) => violation_data.is_excluded !== true)) return false;
  }
  const occasion = { ...(await policyOf(tenant, incident)), cause: 'all alerts excluded', actor } as const;
  return (await stepIncident(tenant, occasion, { incident, nowMs })) !== undefined;
}

type Policy = { readonly asset: Asset; readonly policyId: string; readonly monitor: Monitor | undefined };

async function policyOf(tenant: TenantMetadata, { asset_id, alert_policy_id }: IncidentDetail): Promise<Policy> {
  const monitors = await tenant.monitors.list(asset_id);
  const monitor = monitors.find(({ id }) => id === alert_policy_id);
  return { asset: await tenant.assets.get(asset_id), policyId: alert_policy_id, monitor };
}
