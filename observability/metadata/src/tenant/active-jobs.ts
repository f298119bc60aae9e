// SPDX-License-Identifier: Apache-2.0
/** Whether something happens to an asset. */
import type { JobStatus } from '@sextant/contracts-observability';
import { ownRows, type Queries } from '../database/scope.ts';

export const WAITING_STATUSES = ['PREPARING', 'BATCH_WAIT'] as const satisfies readonly JobStatus[];

/** A job of the asset waits or runs: it has not ended. */
export async function hasActiveJob(db: Queries, tenantId: string, assetId: string): Promise<boolean> {
  const row = await ownRows(db, tenantId)
    .selectFrom('jobs')
    .select('id')
    .where('asset_id', '=', assetId)
    .where('end_ms', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
