// SPDX-License-Identifier: Apache-2.0
import type { AuditEntry, AuditSubject } from '@sextant/contracts-observability';
import { deleteInBatches } from '../database/batches.ts';
import type { Schema } from '../database/schema.ts';
import { type Queries, type TenantScope, takeNumbers } from '../database/scope.ts';
import { fromJson, toJson, toMs, toTime } from '../database/values.ts';

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'timestamp' | 'details'> & Partial<Pick<AuditEntry, 'details'>>;

export type AuditFilter = {
  readonly subject_type?: AuditSubject | undefined;
  readonly subject_id?: string | undefined;
  readonly limit?: number | undefined;
  /** Only entries with smaller ids: the next page begins before the last id of this one. */
  readonly before?: number | undefined;
};

/** Who did what when. Entries stay when their subject goes. */
export type AuditStore = {
  readonly append: (entry: NewAuditEntry) => Promise<void>;
  /** Newest first, at most 1,000. */
  readonly list: (filter?: AuditFilter) => Promise<readonly AuditEntry[]>;
  /** Forgets what happened before a time; returns how much. */
  readonly deleteBefore: (time: string) => Promise<number>;
};

const LISTED_MAX = 1000;
const ENTRIES_PER_DELETION = 5000;

export function auditStore(scope: TenantScope): AuditStore {
  const { db, write, own } = scope;
  return {
    append: (entry) => write((transaction) => insertAudit(transaction, scope, entry)),
    list: async ({ subject_type, subject_id, before, limit = LISTED_MAX } = {}) => {
      let query = own(db).selectFrom('audit').selectAll();
      if (subject_type !== undefined) query = query.where('subject_type', '=', subject_type);
      if (subject_id !== undefined) query = query.where('subject_id', '=', subject_id);
      if (before !== undefined) query = query.where('id', '<', before);
      const rows = await query.orderBy('id', 'desc').limit(Math.min(limit, LISTED_MAX)).execute();
      return rows.map(toEntry);
    },
    deleteBefore: (time) =>
      deleteInBatches(ENTRIES_PER_DELETION, async (limit) => {
        const past = own(db).selectFrom('audit').select('id').where('event_ms', '<', toMs(time)).limit(limit);
        const { numDeletedRows } = await own(db).deleteFrom('audit').where('id', 'in', past).executeTakeFirst();
        return Number(numDeletedRows);
      }),
  };
}

/** Inside the transaction of the change that it records, so that no change goes unrecorded. */
export async function insertAudit(
  transaction: Queries,
  { tenantId, clock }: Pick<TenantScope, 'tenantId' | 'clock'>,
  { actor, action, subject_type, subject_id, details = {} }: NewAuditEntry,
): Promise<void> {
  const id = await takeNumbers(transaction, tenantId, 'audit');
  const row = { tenant_id: tenantId, id, event_ms: clock.nowMs(), actor, action, subject_type, subject_id, details: toJson(details) };
  await transaction.insertInto('audit').values(row).execute();
}

function toEntry(row: Schema['audit']): AuditEntry {
  const { id, actor, subject_id } = row;
  return {
    id,
    timestamp: toTime(row.event_ms),
    actor,
    // The store wrote both from an `AuditEntry`.
    action: row.action as AuditEntry['action'],
    subject_type: row.subject_type as AuditSubject,
    subject_id,
    details: fromJson(row.details),
  };
}
