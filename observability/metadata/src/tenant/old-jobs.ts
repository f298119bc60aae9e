// SPDX-License-Identifier: Apache-2.0
/** Removal of jobs that ended long ago. Walks along their ends, so that those that stay are looked at once each time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ownRows, type Queries, type TenantScope } from '../database/scope.ts';

/** Whose ends one look into the index answers. */
const JOBS_PER_LOOK = 200;
/** In one transaction: each takes its points along, of wide tables some thousand. */
const JOBS_PER_DELETION = 10;

type Ended = { readonly id: string; readonly end_ms: number };

export async function deleteEndedJobs({ tenantId, db }: Pick<TenantScope, 'tenantId' | 'db'>, beforeMs: number): Promise<number> {
  let deleted = 0;
  let last: Ended | undefined = { id: '', end_ms: Number.MIN_SAFE_INTEGER };
  while (last !== undefined) {
    const ended = await endedAfter(db, { tenantId, beforeMs, last });
    for (let start = 0; start < ended.length; start += JOBS_PER_DELETION) {
      const ids = ended.slice(start, start + JOBS_PER_DELETION).map(({ id }) => id);
      deleted += await deleteUnneeded(db, { tenantId, beforeMs, ids });
      await nextTurn();
    }
    last = ended.length < JOBS_PER_LOOK ? undefined : ended.at(-1);
  }
  return deleted;
}

async function endedAfter(
  db: Queries,
  { tenantId, beforeMs, last }: { readonly tenantId: string; readonly beforeMs: number; readonly last: Ended },
): Promise<readonly Ended[]> {
  const rows = await ownRows(db, tenantId)
    .selectFrom('jobs')
    .select(['id', 'end_ms'])
    .where('end_ms', '<', beforeMs)
    .where((where) => where(where.refTuple('end_ms', 'id'), '>', where.tuple(last.end_ms, last.id)))
    .orderBy('end_ms')
    .orderBy('id')
    .limit(JOBS_PER_LOOK)
    .execute();
  return rows.flatMap(({ id, end_ms }) => (end_ms === null ? [] : [{ id, end_ms }]));
}

type Candidates = { readonly tenantId: string; readonly beforeMs: number; readonly ids: readonly string[] };

/** Of these jobs, those that are not the newest of their asset, and that no later point and no alert names. */
async function deleteUnneeded(db: Queries, { tenantId, beforeMs, ids }: Candidates): Promise<number> {
  const { numDeletedRows } = await ownRows(db, tenantId)
    .deleteFrom('jobs')
    .where('jobs.id', 'in', ids)
    .where((where) => {
      const newer = where
        .selectFrom('jobs as newer')
        .select('newer.id')
        .whereRef('newer.tenant_id', '=', 'jobs.tenant_id')
        .whereRef('newer.asset_id', '=', 'jobs.asset_id')
        .whereRef('newer.number', '>', 'jobs.number')
        .where((each) => each.or([each('jobs.status', '<>', 'FINISHED'), each('newer.status', '=', 'FINISHED')]));
      const point = where
        .selectFrom('metric_points as point')
        .select('point.position')
        .whereRef('point.tenant_id', '=', 'jobs.tenant_id')
        .whereRef('point.job_id', '=', 'jobs.id')
        .where('point.metric_ms', '>=', beforeMs);
      const alert = where
        .selectFrom('alerts as alert')
        .select('alert.id')
        .whereRef('alert.tenant_id', '=', 'jobs.tenant_id')
        .whereRef('alert.job_id', '=', 'jobs.id');
      return where.and([where.exists(newer), where.not(where.exists(point)), where.not(where.exists(alert))]);
    })
    .executeTakeFirst();
  return Number(numDeletedRows);
}
