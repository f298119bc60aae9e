// SPDX-License-Identifier: Apache-2.0
/** What a ticket template can speak of: `${incident.id}` and the like. */
import type { Asset, IncidentDetail } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';

export type TicketVariables = { readonly [name: string]: string };

type Source = {
  readonly tenantId: string;
  readonly incident: Omit<IncidentDetail, 'metrics' | 'history'>;
  readonly asset: Pick<Asset, 'id' | 'name' | 'type'>;
  readonly link: string | null;
  readonly why: readonly string[];
};

/** @throws MetadataMissing for an unknown incident or asset */
export async function incidentVariables(
  tenant: TenantMetadata,
  { incidentId, link }: { readonly incidentId: number; readonly link: string | null },
): Promise<TicketVariables> {
  const incident = await tenant.incidents.get(incidentId);
  const asset = await tenant.assets.get(incident.asset_id);
  const why = (await tenant.incidentStories.find(incidentId))?.why ?? [];
  return variablesOf({ tenantId: tenant.tenantId, incident, asset, link, why });
}

/** For a look at a template before there is an incident. */
export function sampleVariables(tenantId: string, link: string | null): TicketVariables {
  const time = '2026-01-31T12:00:00.000Z';
  const asset = { id: 'abcdefghijkl', name: 'Orders', type: 'POSTGRESQL' } as const;
  return variablesOf({
    tenantId,
    link,
    asset,
    why: ['480 of 5,000 rows fail the rule `customer_id is set`.', 'All 480 failing rows have country = IT, which 12 % of all rows have.'],
    incident: {
      id: 1,
      project_id: 0,
      asset_id: asset.id,
      last_upload_timestamp: time,
      created_time: time,
      severity: 'HIGH',
      impact: 'MEDIUM',
      status: 'OPEN',
      ticket_id: 0,
      alert_policy_id: 'COMPLETENESS_DRIFTS',
      alert_policy_name: 'Completeness drifts',
      description: 'Completeness of customer_id fell to 91.2 %.',
      tags: ['sales'],
      kind: 'VIOLATION',
    },
  });
}

function variablesOf({ tenantId, incident, asset, link, why }: Source): TicketVariables {
  const impact = incident.impact ?? '';
  return {
    'incident.id': String(incident.id),
    'incident.description': incident.description,
    'incident.why': why.join('\n'),
    'incident.severity': incident.severity,
    'incident.impact': impact,
    'incident.status': incident.status,
    'incident.created_time': incident.created_time,
    'incident.tags': incident.tags.join(', '),
    'asset.id': asset.id,
    'asset.name': asset.name,
    'asset.type': asset.type,
    'policy.id': incident.alert_policy_id,
    'policy.name': incident.alert_policy_name,
    severity: incident.severity,
    impact,
    tenant: tenantId,
    link: link ?? '',
  };
}
