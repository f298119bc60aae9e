// SPDX-License-Identifier: Apache-2.0
/** Jobs as rows, and how each change of state reaches the asset's webhook. */
import type { Job } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { ownRows, type PlatformScope, type Queries } from '../database/scope.ts';
import { fromJsonOrNull, toTime, toTimeOrNull } from '../database/values.ts';
import { insertDelivery } from './deliveries.ts';

export type JobRow = Schema['jobs'];

export function toJob(row: JobRow): Job {
  const { id, asset_id, details, rows_read, fraction } = row;
  return {
    id,
    asset_id,
    details,
    created_at: toTime(row.created_ms),
    start_time: toTimeOrNull(row.start_ms),
    end_time: toTimeOrNull(row.end_ms),
    // The stores wrote both from a `Job`.
    status: row.status as Job['status'],
    progress: { phase: row.phase as Job['progress']['phase'], rows_read, fraction },
    checks: fromJsonOrNull(row.checks),
  };
}

/** Changes the row and puts the asset's webhook into the outbox. */
export async function changeState(
  transaction: Queries,
  scope: Pick<PlatformScope, 'clock' | 'randomBytes'>,
  row: JobRow,
  change: Partial<JobRow> & Pick<JobRow, 'status' | 'details'>,
): Promise<Job> {
  await ownRows(transaction, row.tenant_id).updateTable('jobs').set(change).where('id', '=', row.id).execute();
  const next = { ...row, ...change };
  await announceState(transaction, scope, next);
  return toJob(next);
}

/** The end of a job, good or bad. */
export function ended(
  status: 'FINISHED' | 'FAILED',
  details: string,
  clock: PlatformScope['clock'],
): Partial<JobRow> & Pick<JobRow, 'status' | 'details'> {
  return { status, details, end_ms: clock.nowMs(), phase: 'done', lease: null, lease_end_ms: null };
}

/** The body is the one that users of the published job webhook know; the time stays the same through the life of a job. */
export async function announceState(transaction: Queries, scope: Pick<PlatformScope, 'clock' | 'randomBytes'>, row: JobRow): Promise<void> {
  const assets = ownRows(transaction, row.tenant_id).selectFrom('assets').select('webhook_url');
  const asset = await assets.where('id', '=', row.asset_id).executeTakeFirst();
  const url = asset?.webhook_url ?? null;
  if (url === null) return;
  const { tenant_id, asset_id, id, status, details, created_ms } = row;
  const body = { tenant: tenant_id, source: asset_id, jobId: id, status, details, uploadTimestamp: created_ms };
  const host = URL.parse(url)?.host ?? url;
  await insertDelivery(
    transaction,
    { ...scope, tenantId: tenant_id },
    {
      kind: 'JOB_WEBHOOK',
      dedup_key: null,
      lane: `job ${id}`,
      target: host,
      recipient: host,
      incident_id: null,
      channel: null,
      payload: { url, body },
    },
  );
}
