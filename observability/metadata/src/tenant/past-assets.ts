// SPDX-License-Identifier: Apache-2.0
/** What is kept by asset and time is removed by asset and time: the indexes begin with the asset, and by a time alone all that the tenant has would be read. */
import { ownRows, type Queries } from '../database/scope.ts';

type Measured = 'metric_points' | 'dq_scores';

const ASSETS_PER_STATEMENT = 500;

/** The assets that have rows from before a time, in batches for one statement each. Each asset costs one look into the index. */
export async function assetsMeasuredBefore(
  db: Queries,
  table: Measured,
  { tenantId, beforeMs }: { readonly tenantId: string; readonly beforeMs: number },
): Promise<readonly (readonly string[])[]> {
  const assets = await ownRows(db, tenantId)
    .selectFrom('assets')
    .select('assets.id')
    // The oldest row of each is the first of its part of the index. A condition on any row could be answered from all rows of the tenant.
    .where(
      (where) =>
        where
          .selectFrom(table)
          .select(({ fn }) => fn.min<number>(`${table}.metric_ms`).as('oldest_ms'))
          .whereRef(`${table}.tenant_id`, '=', 'assets.tenant_id')
          .whereRef(`${table}.asset_id`, '=', 'assets.id'),
      '<',
      beforeMs,
    )
    .execute();
  const ids = assets.map(({ id }) => id);
  return Array.from({ length: Math.ceil(ids.length / ASSETS_PER_STATEMENT) }, (_, batch) =>
    ids.slice(batch * ASSETS_PER_STATEMENT, (batch + 1) * ASSETS_PER_STATEMENT),
  );
}
