// SPDX-License-Identifier: Apache-2.0
import type { CellFindings, CheckCounts, Job, JobProgress, RowSample, SchemaChange } from '@sextant/contracts-observability';
import { sql } from 'kysely';
import { hexId } from '../database/ids.ts';
import { type Queries, type TenantScope, takeNumbers } from '../database/scope.ts';
import { toJson, toMs } from '../database/values.ts';
import { MetadataConflict, MetadataMissing } from '../errors.ts';
import { bounded } from '../page.ts';
import { hasActiveJob } from './active-jobs.ts';
import { insertChecks, type NewCheck, stateCounts } from './checks.ts';
import { insertFindings } from './job-findings.ts';
import { announceState, changeState, ended, type JobRow, toJob } from './job-rows.ts';
import { insertMetricPoints, type NewMetricPoint } from './metric-points.ts';
import { newestJobs } from './newest-jobs.ts';
import { deleteEndedJobs } from './old-jobs.ts';
import { requireAsset } from './references.ts';
import { putScanMemory } from './scan-memory.ts';
import { putCellFindings } from './wrong-cells.ts';

/** What a job was asked for; JSON. */
export type JobRequest = { readonly [field: string]: unknown };

export type NewJob = {
  readonly asset_id: string;
  readonly request: JobRequest;
  /** What to do while another job of the asset waits or runs: refuse, or wait for it as BATCH_WAIT. */
  readonly whenBusy: 'refuse' | 'wait';
};

/** How far a running job is; in words too, where there are some. */
export type RunningProgress = JobProgress & { readonly details?: string };

/** Names a claimed job and proves that it is still this worker's. */
export type JobLease = { readonly job_id: string; readonly lease: string };

/** What a scan leaves behind; stored with the end of its job in one transaction. */
export type JobResult = {
  readonly details: string;
  readonly rows_read: number;
  readonly metric_time: string;
  readonly metrics: readonly NewMetricPoint[];
  readonly schema_changes: readonly SchemaChange[];
  readonly samples: readonly RowSample[];
  /** Of a search for wrong cells; left out where there was none. */
  readonly cells?: CellFindings | undefined;
  /** What the monitors came to; left out where nobody asked them. */
  readonly checks?: readonly NewCheck[];
  /** JSON for the asset's next scan. */
  readonly memory: unknown;
};

/**
 * Jobs of one tenant. Each change of state puts the asset's webhook into the outbox in the same transaction.
 * What is done with a lease that has been lost throws MetadataConflict.
 */
export type JobStore = {
  /** @throws MetadataMissing for an unknown asset; MetadataConflict when the asset is busy and that is refused */
  readonly enqueue: (job: NewJob) => Promise<Job>;
  /** @throws MetadataMissing */
  readonly get: (id: string) => Promise<Job>;
  /** Newest first. @throws MetadataMissing for an unknown asset */
  readonly listOfAsset: (
    assetId: string,
    options?: { readonly most_recent?: boolean; readonly limit?: number | undefined },
  ) => Promise<readonly Job[]>;
  /** Of all assets, newest first; at most 10,000, but of the most recent ones, one of each asset, all. */
  readonly list: (options?: { readonly most_recent?: boolean; readonly limit?: number | undefined }) => Promise<readonly Job[]>;
  /** A waiting job ends at once, a running one when its worker next says that it lives. @throws MetadataMissing; MetadataConflict when it has ended */
  readonly requestCancel: (id: string, by: string) => Promise<Job>;
  /** Says that the worker lives and how far it is. */
  readonly heartbeat: (
    lease: JobLease,
    beat: { readonly leaseMs: number; readonly progress?: RunningProgress },
  ) => Promise<{ readonly cancelRequested: boolean }>;
  readonly finish: (lease: JobLease, result: JobResult) => Promise<Job>;
  readonly fail: (lease: JobLease, details: string) => Promise<Job>;
  /**
   * Forgets jobs that ended before a time, with their points, schema changes, rows, checks and scores; returns how many. The newest job of an asset stays,
   * its newest that finished too, and each that a later point or an alert names: those have times of their own.
   */
  readonly deleteEndedBefore: (time: string) => Promise<number>;
};

const LISTED_MAX = 1000;

export function jobStore(scope: TenantScope): JobStore {
  const { tenantId, database, db, write, clock, randomBytes, own } = scope;
  const find = (queries: Queries, id: string) => own(queries).selectFrom('jobs').selectAll().where('id', '=', id);
  const getRow = async (queries: Queries, id: string): Promise<JobRow> => {
    const row = await find(queries, id).executeTakeFirst();
    if (row === undefined) throw new MetadataMissing('job', id);
    return row;
  };
  /** For a change: the queue takes jobs without the lock of the tenant. */
  const holdRow = async (transaction: Queries, id: string): Promise<JobRow> => {
    const row = await database.holding(find(transaction, id)).executeTakeFirst();
    if (row === undefined) throw new MetadataMissing('job', id);
    return row;
  };
  const getLeased = async (transaction: Queries, { job_id, lease }: JobLease) => {
    const row = await holdRow(transaction, job_id);
    if (row.lease !== lease) throw lostLease(job_id);
    return row;
  };

  return {
    enqueue: ({ asset_id, request, whenBusy }) =>
      write(async (transaction) => {
        await requireAsset(transaction, tenantId, asset_id);
        const isBusy = await hasActiveJob(transaction, tenantId, asset_id);
        if (isBusy && whenBusy === 'refuse') throw new MetadataConflict('job', `Another job of asset ${asset_id} is waiting or running.`);
        const row: JobRow = {
          tenant_id: tenantId,
          id: hexId(randomBytes, 'a'),
          asset_id,
          number: await takeNumbers(transaction, tenantId, 'job'),
          ...(isBusy
            ? { status: 'BATCH_WAIT', details: 'Waits for another job of the asset.' }
            : { status: 'PREPARING', details: 'Waits for a worker.' }),
          request: toJson(request),
          created_ms: clock.nowMs(),
          start_ms: null,
          end_ms: null,
          phase: 'waiting',
          rows_read: 0,
          fraction: null,
          attempts: 0,
          worker: null,
          lease: null,
          lease_end_ms: null,
          cancelled_by: null,
          checks: null,
        };
        await transaction.insertInto('jobs').values(row).execute();
        await announceState(transaction, scope, row);
        return toJob(row);
      }),
    get: async (id) => toJob(await getRow(db, id)),
    listOfAsset: async (assetId, { most_recent = false, limit = LISTED_MAX } = {}) => {
      await requireAsset(db, tenantId, assetId);
      const rows = await own(db)
        .selectFrom('jobs')
        .selectAll()
        .where('asset_id', '=', assetId)
        .orderBy('number', 'desc')
        .limit(most_recent ? 1 : Math.min(limit, LISTED_MAX))
        .execute();
      return rows.map(toJob);
    },
    list: async ({ most_recent = false, ...page } = {}) => {
      const ofTenant = own(db).selectFrom('jobs').selectAll().orderBy('number', 'desc');
      const query = most_recent ? ofTenant.where('id', 'in', newestJobs(db, { tenantId })) : ofTenant;
      // One of each asset is a list as long as that of the assets, which has no end but theirs.
      const isWhole = most_recent && page.limit === undefined;
      return (await (isWhole ? query : query.limit(bounded(page).limit)).execute()).map(toJob);
    },
    requestCancel: (id, by) =>
      write(async (transaction) => {
        const row = await holdRow(transaction, id);
        if (row.end_ms !== null) throw new MetadataConflict('job', `Job ${id} has ended.`);
        if (row.status !== 'IN_PROGRESS') return changeState(transaction, scope, row, ended('FAILED', cancelledBy(by), clock));
        const change = { cancelled_by: by, details: `${by} asked to cancel it.` };
        await own(transaction).updateTable('jobs').set(change).where('id', '=', id).execute();
        return toJob({ ...row, ...change });
      }),
    heartbeat: async ({ job_id, lease }, { leaseMs, progress: { details, ...progress } = {} }) => {
      // Who asked to cancel it stays to be read.
      const words = details === undefined ? {} : { details: sql<string>`case when cancelled_by is null then ${details} else details end` };
      const row = await own(db)
        .updateTable('jobs')
        .set({ lease_end_ms: clock.nowMs() + leaseMs, ...progress, ...words })
        .where('id', '=', job_id)
        .where('lease', '=', lease)
        .returning('cancelled_by')
        .executeTakeFirst();
      if (row === undefined) throw lostLease((await getRow(db, job_id)).id);
      return { cancelRequested: row.cancelled_by !== null };
    },
    finish: (lease, result) =>
      write(async (transaction) => {
        const row = await getLeased(transaction, lease);
        await insertMetricPoints(transaction, { ...row, metric_ms: toMs(result.metric_time) }, result.metrics);
        await insertFindings(transaction, row, result);
        if (result.cells !== undefined)
          await putCellFindings(transaction, row, { metric_ms: toMs(result.metric_time), findings: result.cells });
        if (result.checks !== undefined)
          await insertChecks(transaction, row, { metric_ms: toMs(result.metric_time), checks: result.checks });
        await putScanMemory(transaction, tenantId, { assetId: row.asset_id, memory: result.memory });
        return changeState(transaction, scope, row, {
          ...ended('FINISHED', result.details, clock),
          rows_read: result.rows_read,
          fraction: 1,
          checks: result.checks === undefined ? null : toJson(stateCounts(result.checks) satisfies CheckCounts),
        });
      }),
    fail: (lease, details) =>
      write(async (transaction) => {
        const row = await getLeased(transaction, lease);
        return changeState(transaction, scope, row, ended('FAILED', details, clock));
      }),
    deleteEndedBefore: (time) => deleteEndedJobs(scope, toMs(time)),
  };
}

export function cancelledBy(by: string): string {
  return `Cancelled by ${by}.`;
}

function lostLease(id: string): MetadataConflict {
  return new MetadataConflict('job', `Job ${id} is no longer this worker's.`);
}
