/** The same for many incidents. Each is done or refused by itself, in a transaction of its own, so that others get their turn. */
import { ApiError, type BodyOf, type BulkIncidentsResult } from '@sextant/contracts-observability';
import { MetadataConflict, MetadataMissing, type TenantMetadata } from '@sextant/observability-metadata';
import { closeIncident, reopenIncident } from './closing.ts';
import { type HandlingRequest, handleIncident } from './handling.ts';

type Action = BodyOf<'bulk_incidents'>['action'];
export type BulkRequest = Omit<HandlingRequest, 'incidentId' | 'state'> & {
  readonly incidentIds: readonly number[];
  readonly action: Action;
};

export async function handleMany(tenant: TenantMetadata, { incidentIds, action, ...said }: BulkRequest): Promise<BulkIncidentsResult> {
  const done: number[] = [];
  const refused: { readonly incident_id: number; readonly reason: string }[] = [];
  for (const incidentId of new Set(incidentIds)) {
    try {
      await act(tenant, action, { incidentId, ...said });
      done.push(incidentId);
    } catch (error) {
      const isRefusal = error instanceof ApiError || error instanceof MetadataMissing || error instanceof MetadataConflict;
      if (!isRefusal) throw error;
      refused.push({ incident_id: incidentId, reason: error.message });
    }
  }
  return { done, refused };
}

async function act(tenant: TenantMetadata, action: Action, said: Omit<HandlingRequest, 'state'>): Promise<void> {
  const { incidentId, note: comment, actor, nowMs } = said;
  switch (action) {
    case 'CLOSE':
      await closeIncident(tenant, { incidentId, actor, comment, nowMs });
      return;
    case 'REOPEN':
      await reopenIncident(tenant, { incidentId, actor, comment, nowMs });
      return;
    case 'CLEAR':
      await handleIncident(tenant, { ...said, state: null });
      return;
    case 'ACKNOWLEDGED':
    case 'SNOOZED':
    case 'EXPECTED':
    case 'FALSE_POSITIVE':
      await handleIncident(tenant, { ...said, state: action });
      return;
  }
}
