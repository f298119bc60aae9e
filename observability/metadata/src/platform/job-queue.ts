import type { Job } from '@sextant/contracts-observability';
import { hexId } from '../database/ids.ts';
import type { PlatformScope, Queries } from '../database/scope.ts';
import { fromJson } from '../database/values.ts';
import { WAITING_STATUSES } from '../tenant/active-jobs.ts';
import { changeState, ended, type JobRow } from '../tenant/job-rows.ts';
import { cancelledBy, type JobRequest } from '../tenant/jobs.ts';

/** A job that one worker holds until its lease ends; the token proves it. */
export type ClaimedJob = {
  readonly tenant_id: string;
  readonly job: Job;
  readonly request: JobRequest;
  /** From 1; above 1 earlier workers died with the job, and whoever claims it says when that is enough. */
  readonly attempt: number;
  readonly lease: string;
};

/** The queue of all tenants' jobs, oldest first. */
export type JobQueue = {
  /**
   * Takes the oldest job that may run: one that waits and whose asset no other job runs on, or one whose worker let its lease end.
   * One that was to be cancelled when its worker died ends instead.
   */
  readonly claimNext: (options: {
    readonly worker: string;
    readonly leaseMs: number;
    /** Jobs that this worker runs: they are not lost, however far the clock was set forward since their leases were renewed. */
    readonly running?: readonly string[];
  }) => Promise<ClaimedJob | undefined>;
  /** Ends the leases of a worker, or of all, at once: for a start after a crash. */
  readonly releaseLeases: (worker?: string) => Promise<number>;
};

export function jobQueue(scope: PlatformScope): JobQueue {
  const { database, db, clock, randomBytes } = scope;
  const start = async (transaction: Queries, row: JobRow, { worker, leaseMs }: { readonly worker: string; readonly leaseMs: number }) => {
    const nowMs = clock.nowMs();
    const lease = hexId(randomBytes, 'l');
    const attempt = row.attempts + 1;
    const job = await changeState(transaction, scope, row, {
      status: 'IN_PROGRESS',
      details: 'Runs.',
      start_ms: row.start_ms ?? nowMs,
      phase: 'reading',
      rows_read: 0,
      fraction: null,
      attempts: attempt,
      worker,
      lease,
      lease_end_ms: nowMs + leaseMs,
    });
    return { tenant_id: row.tenant_id, job, request: fromJson<JobRequest>(row.request), attempt, lease };
  };

  return {
    claimNext: async ({ running = [], ...claim }) => {
      // Asked often, answered "nothing" mostly: a read does.
      if ((await findRunnable(db, { nowMs: clock.nowMs(), running })) === undefined) return undefined;
      return database.kysely.transaction().execute(async (transaction) => {
        await database.lock(transaction, 'job queue');
        for (;;) {
          const row = await findRunnable(transaction, { nowMs: clock.nowMs(), running });
          if (row === undefined) return undefined;
          await database.lock(transaction, `tenant ${row.tenant_id}`);
          // What was read before the tenant's lock may have changed.
          const current = await findRunnable(transaction, { nowMs: clock.nowMs(), running, only: row });
          if (current === undefined) continue;
          if (current.cancelled_by === null) return start(transaction, current, claim);
          await changeState(transaction, scope, current, ended('FAILED', cancelledBy(current.cancelled_by), clock));
        }
      });
    },
    releaseLeases: async (worker) => {
      let query = db.updateTable('jobs').set({ lease_end_ms: 0 }).where('status', '=', 'IN_PROGRESS');
      if (worker !== undefined) query = query.where('worker', '=', worker);
      const { numUpdatedRows } = await query.executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
}

type Wanted = { readonly nowMs: number; readonly running: readonly string[]; readonly only?: Pick<JobRow, 'tenant_id' | 'id'> };

/** The oldest job whose lease ended, or that waits while no other job of its asset runs; or the given one, if it still is such a job. */
function findRunnable(db: Queries, { nowMs, running, only }: Wanted): Promise<JobRow | undefined> {
  let query = db.selectFrom('jobs').selectAll('jobs');
  if (running.length > 0) query = query.where('jobs.id', 'not in', running);
  if (only !== undefined) query = query.where('jobs.tenant_id', '=', only.tenant_id).where('jobs.id', '=', only.id);
  return query
    .where((where) => {
      const runningOnAsset = where
        .selectFrom('jobs as other')
        .select('other.id')
        .whereRef('other.tenant_id', '=', 'jobs.tenant_id')
        .whereRef('other.asset_id', '=', 'jobs.asset_id')
        .where('other.status', '=', 'IN_PROGRESS');
      const mayStart = where.and([where('jobs.status', 'in', WAITING_STATUSES), where.not(where.exists(runningOnAsset))]);
      const wasLost = where.and([where('jobs.status', '=', 'IN_PROGRESS'), where('jobs.lease_end_ms', '<=', nowMs)]);
      return where.or([mayStart, wasLost]);
    })
    .orderBy('jobs.created_ms')
    .orderBy('jobs.number')
    .limit(1)
    .executeTakeFirst();
}
