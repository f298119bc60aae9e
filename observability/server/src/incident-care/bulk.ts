// SPDX-License-Identifier: Apache-2.0
/** The same for many incidents. Each is done or refused by itself, as if it were asked for alone, in a transaction of its own, so that others get their turn. */
import { ApiError, type BodyOf, type BulkIncidentsResult } from '@sextant/contracts-observability';
import { MetadataConflict, MetadataMissing, type TenantMetadata } from '@sextant/observability-metadata';
import type { Member } from '../auth/principal.ts';
import { mayDo } from '../auth/roles.ts';
import { closeIncident, reopenIncident } from './closing.ts';
import { type HandlingRequest, handleIncident } from './handling.ts';

type Action = BodyOf<'bulk_incidents'>['action'];
export type BulkRequest = Omit<HandlingRequest, 'incidentId' | 'state'> & {
  readonly incidentIds: readonly number[];
  readonly action: Action;
  readonly member: Pick<Member, 'role' | 'projectRoles'>;
};

/** What each action needs in the project of its incident when it is asked for alone. */
const NEEDED = 'operator';

export async function handleMany(
  tenant: TenantMetadata,
  { incidentIds, action, member, ...said }: BulkRequest,
): Promise<BulkIncidentsResult> {
  const done: number[] = [];
  const refused: { readonly incident_id: number; readonly reason: string }[] = [];
  for (const incidentId of new Set(incidentIds)) {
    try {
      const { project_id } = await tenant.incidents.get(incidentId);
      if (!mayDo(member, NEEDED, project_id)) throw new ApiError('role_too_small', { needed: NEEDED, role: member.role });
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
