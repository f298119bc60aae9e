// SPDX-License-Identifier: Apache-2.0
/** Whether something happens to an asset. */
import type { JobStatus } from '@sextant/contracts-observability';
import type { Queries } from '../database/scope.ts';

export const WAITING_STATUSES = ['PREPARING', 'BATCH_WAIT'] as const satisfies readonly JobStatus[];
const ACTIVE_STATUSES = [...WAITING_STATUSES, 'IN_PROGRESS'] as const;

/** A job of the asset waits or runs. */
export async function hasActiveJob(db: Queries, tenantId: string, assetId: string): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('asset_id', '=', assetId)
    .where('status', 'in', ACTIVE_STATUSES)
    .executeTakeFirst();
  return row !== undefined;
}
