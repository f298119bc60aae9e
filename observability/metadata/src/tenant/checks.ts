// SPDX-License-Identifier: Apache-2.0
import { CHECK_STATES, type Check, type CheckCounts, type CheckState } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { insertAll, type Queries, type TenantScope } from '../database/scope.ts';
import { toTime } from '../database/values.ts';
import { bounded, type Page } from '../page.ts';
import { newestJobs } from './newest-jobs.ts';

export type NewCheck = Pick<Check, 'monitor_id' | 'monitor_name' | 'state' | 'reason'>;

/** What the monitors came to in each scan. Written by `jobs.finish`. */
export type CheckStore = {
  readonly ofJob: (jobId: string) => Promise<readonly Check[]>;
  /** Of the last finished scan of each asset. */
  readonly latest: (
    filter?: { readonly asset_id?: string | undefined; readonly state?: CheckState | undefined },
    page?: Page,
  ) => Promise<readonly Check[]>;
};

export function checkStore({ tenantId, db, own }: TenantScope): CheckStore {
  const ofTenant = () => own(db).selectFrom('checks').selectAll();
  return {
    ofJob: async (jobId) => (await ofTenant().where('job_id', '=', jobId).orderBy('position').execute()).map(toCheck),
    latest: async ({ asset_id, state } = {}, page) => {
      const { limit, offset } = bounded(page);
      let found = ofTenant().where('job_id', 'in', newestJobs(db, { tenantId, assetId: asset_id, isFinished: true }));
      if (state !== undefined) found = found.where('state', '=', state);
      return (await found.orderBy('asset_id').orderBy('position').limit(limit).offset(offset).execute()).map(toCheck);
    },
  };
}

export function stateCounts(checks: readonly NewCheck[]): CheckCounts {
  const counts = { ok: 0, violated: 0, errored: 0, not_enough_history: 0, not_applicable: 0 } satisfies { [State in CheckState]: number };
  for (const { state } of checks) counts[state] += 1;
  return counts;
}

export async function insertChecks(
  transaction: Queries,
  { tenant_id, id: job_id, asset_id }: Pick<Schema['jobs'], 'tenant_id' | 'id' | 'asset_id'>,
  { metric_ms, checks }: { readonly metric_ms: number; readonly checks: readonly NewCheck[] },
): Promise<void> {
  const rows = checks.map(({ monitor_id, monitor_name, state, reason }, position): Schema['checks'] => ({
    tenant_id,
    job_id,
    position,
    asset_id,
    metric_ms,
    monitor_id,
    monitor_name,
    state,
    reason,
  }));
  await insertAll(transaction, 'checks', rows);
}

function toCheck({ asset_id, job_id, metric_ms, monitor_id, monitor_name, state, reason }: Schema['checks']): Check {
  return { asset_id, job_id, metric_time: toTime(metric_ms), monitor_id, monitor_name, state: stateOf(state), reason };
}

/** What the store wrote is one of them. */
function stateOf(written: string): CheckState {
  return CHECK_STATES.find((state) => state === written) ?? 'errored';
}
