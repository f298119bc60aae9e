// SPDX-License-Identifier: Apache-2.0
import type { Job } from '@sextant/contracts-observability';
import { type RawBuilder, sql } from 'kysely';
import { hexId } from '../database/ids.ts';
import type { PlatformScope, Queries } from '../database/scope.ts';
import { fromJson } from '../database/values.ts';
import { WAITING_STATUSES } from '../tenant/active-jobs.ts';
import { changeState, ended, type JobRow } from '../tenant/job-rows.ts';
import { cancelledBy, type JobRequest } from '../tenant/jobs.ts';

const TURNS_KEPT = 10_000;

/** A job that one worker holds until its lease ends; the token proves it. */
export type ClaimedJob = {
  readonly tenant_id: string;
  readonly job: Job;
  readonly request: JobRequest;
  /** From 1; above 1 earlier workers died with the job, and whoever claims it says when that is enough. */
  readonly attempt: number;
  readonly lease: string;
};

/** A job that a worker runs. */
export type RunningJob = { readonly id: string; readonly tenant_id: string };

export type JobClaim = {
  readonly worker: string;
  readonly leaseMs: number;
  /** Jobs that this worker runs: they are not lost, however far the clock was set forward since their leases were renewed. */
  readonly running?: readonly RunningJob[];
  /** Jobs of assets of these types alone, or of all but these. */
  readonly assetTypes?: { readonly only: readonly string[] } | { readonly without: readonly string[] };
  /** Tenants that get none now. */
  readonly fullTenants?: readonly string[];
};

/** The queue of all tenants' jobs, in which tenants take turns. */
export type JobQueue = {
  /**
   * Takes the oldest job that may run of the tenant whose turn it is: one that waits and whose asset no other job runs on, or one whose worker let its
   * lease end. The turn is that of the tenant of which this worker runs the fewest, and of those the one that waited longest for a turn.
   * A job that was to be cancelled when its worker died ends instead.
   */
  readonly claimNext: (claim: JobClaim) => Promise<ClaimedJob | undefined>;
  /** Ends the leases of a worker, or of all, at once: for a start after a crash. */
  readonly releaseLeases: (worker?: string) => Promise<number>;
};

export function jobQueue(scope: PlatformScope): JobQueue {
  const { database, db, clock, randomBytes } = scope;
  const turns = new Turns();
  const start = async (transaction: Queries, row: JobRow, { worker, leaseMs }: JobClaim) => {
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
    claimNext: async (claim) => {
      const next = async (queries: Queries, passed: readonly string[] = []) => {
        const fullTenants = [...(claim.fullTenants ?? []), ...passed];
        return turns.next(await tenantsInQueue(queries, { claim: { ...claim, fullTenants }, nowMs: clock.nowMs() }), claim.running ?? []);
      };
      // Asked often, answered "nothing" mostly: a read does.
      if ((await next(db)) === undefined) return undefined;
      return database.kysely.transaction().execute(async (transaction) => {
        await database.lock(transaction, 'job queue');
        // Without the lock of the tenant, whose transactions may take long while all processes and tenants wait for the queue's: the row's own does.
        const passed: string[] = [];
        for (;;) {
          const tenantId = await next(transaction, passed);
          if (tenantId === undefined) return undefined;
          const row = await database.taking(findRunnable(transaction, tenantId, { claim, nowMs: clock.nowMs() })).executeTakeFirst();
          if (row === undefined) {
            // Somebody changes what might run.
            passed.push(tenantId);
            continue;
          }
          if (row.cancelled_by === null) {
            turns.take(tenantId);
            return start(transaction, row, claim);
          }
          await changeState(transaction, scope, row, ended('FAILED', cancelledBy(row.cancelled_by), clock));
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

type Wanted = { readonly claim: JobClaim; readonly nowMs: number };
type WaitingTenant = { readonly tenant_id: string; readonly oldest_ms: number };

/**
 * Tenants that have a job which may run, with the arrival of the oldest. Steps through the index from tenant to tenant, and in each to the first job
 * that may run, so that it does not matter how many wait.
 */
async function tenantsInQueue(db: Queries, wanted: Wanted): Promise<readonly WaitingTenant[]> {
  const { fullTenants = [] } = wanted.claim;
  const nextTenant = (after: ReturnType<typeof sql>) => sql`select min(tenant_id) from jobs where end_ms is null and tenant_id > ${after}`;
  const { rows: open } = await sql<{ readonly tenant_id: string }>`
    with recursive queue (tenant_id) as (
      select (${nextTenant(sql`''`)})
      union all
      select (${nextTenant(sql`queue.tenant_id`)}) from queue where queue.tenant_id is not null
    )
    select tenant_id from queue where tenant_id is not null`.execute(db);
  const tenantIds = open.map(({ tenant_id }) => tenant_id).filter((id) => !fullTenants.includes(id));
  if (tenantIds.length === 0) return [];
  const waiting = await db
    .selectFrom('tenants')
    .select('tenants.id as tenant_id')
    .select(oldestFirst(runnable(db, wanted), sql.ref<string>('tenants.id')).select('jobs.created_ms').as('oldest_ms'))
    .where('tenants.id', 'in', tenantIds)
    .execute();
  return waiting.flatMap(({ tenant_id, oldest_ms }) => (oldest_ms === null ? [] : [{ tenant_id, oldest_ms }]));
}

function findRunnable(db: Queries, tenantId: string, wanted: Wanted) {
  return oldestFirst(runnable(db, wanted), tenantId).selectAll('jobs');
}

/** The first of a tenant. */
function oldestFirst(jobs: ReturnType<typeof runnable>, tenantId: string | RawBuilder<string>) {
  return jobs.where('jobs.tenant_id', '=', tenantId).orderBy('jobs.created_ms').orderBy('jobs.number').limit(1);
}

/** Jobs whose lease ended, or that wait while no other job of their asset runs. */
function runnable(db: Queries, { claim: { running = [], assetTypes }, nowMs }: Wanted) {
  let query = db.selectFrom('jobs').where('jobs.end_ms', 'is', null);
  if (running.length > 0)
    query = query.where(
      'jobs.id',
      'not in',
      running.map(({ id }) => id),
    );
  return query.where((where) => {
    const runningOnAsset = where
      .selectFrom('jobs as other')
      .select('other.id')
      .whereRef('other.tenant_id', '=', 'jobs.tenant_id')
      .whereRef('other.asset_id', '=', 'jobs.asset_id')
      .where('other.end_ms', 'is', null)
      .where('other.status', '=', 'IN_PROGRESS');
    const mayStart = where.and([where('jobs.status', 'in', WAITING_STATUSES), where.not(where.exists(runningOnAsset))]);
    const wasLost = where.and([where('jobs.status', '=', 'IN_PROGRESS'), where('jobs.lease_end_ms', '<=', nowMs)]);
    const mayRun = where.or([mayStart, wasLost]);
    if (assetTypes === undefined) return mayRun;
    const asset = where
      .selectFrom('assets')
      .select('assets.id')
      .whereRef('assets.tenant_id', '=', 'jobs.tenant_id')
      .whereRef('assets.id', '=', 'jobs.asset_id');
    const ofType =
      'only' in assetTypes ? asset.where('assets.type', 'in', assetTypes.only) : asset.where('assets.type', 'not in', assetTypes.without);
    return where.and([mayRun, where.exists(ofType)]);
  });
}

/** Whose turn it is, within one process. */
class Turns {
  /** Those who had one, the latest last. */
  readonly #had = new Set<string>();

  next(waiting: readonly WaitingTenant[], running: readonly RunningJob[]): string | undefined {
    const counts = Map.groupBy(running, ({ tenant_id }) => tenant_id);
    const places = new Map([...this.#had].map((tenantId, place) => [tenantId, place]));
    const rank = ({ tenant_id, oldest_ms }: WaitingTenant) => [counts.get(tenant_id)?.length ?? 0, places.get(tenant_id) ?? -1, oldest_ms];
    const [first] = waiting.toSorted((one, other) => compared(rank(one), rank(other)));
    return first?.tenant_id;
  }

  take(tenantId: string): void {
    this.#had.delete(tenantId);
    this.#had.add(tenantId);
    // Whoever is forgotten has not had a turn for as long as it takes to give one to so many.
    if (this.#had.size > TURNS_KEPT) for (const oldest of this.#had.values().take(1)) this.#had.delete(oldest);
  }
}

function compared(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((value, index) => value !== other[index]);
  return place === -1 ? 0 : (one[place] ?? 0) - (other[place] ?? 0);
}
