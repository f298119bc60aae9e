// SPDX-License-Identifier: Apache-2.0
/** The newest job of each asset: one look into the index for each, however many jobs it has had. */
import { ownRows, type Queries } from '../database/scope.ts';

export type NewestJobs = {
  readonly tenantId: string;
  /** Of one asset alone. */
  readonly assetId?: string | undefined;
  /** Of those that finished. */
  readonly isFinished?: boolean;
};

/** Selects their ids. */
export function newestJobs(db: Queries, { tenantId, assetId, isFinished = false }: NewestJobs) {
  const assets = ownRows(db, tenantId).selectFrom('assets');
  const asked = assetId === undefined ? assets : assets.where('assets.id', '=', assetId);
  return asked.select((of) => {
    const jobs = of
      .selectFrom('jobs as one')
      .select('one.id')
      .whereRef('one.tenant_id', '=', 'assets.tenant_id')
      .whereRef('one.asset_id', '=', 'assets.id')
      .orderBy('one.number', 'desc')
      .limit(1);
    return (isFinished ? jobs.where('one.status', '=', 'FINISHED') : jobs).as('newest');
  });
}
