// SPDX-License-Identifier: Apache-2.0
import type { HandlingState, IncidentComment, IncidentHandling } from '@sextant/contracts-observability';
import { ownRows, type Queries, type TenantScope } from '../database/scope.ts';
import { toMs, toTime } from '../database/values.ts';
import { MetadataConflict, MetadataMissing } from '../errors.ts';
import { insertAudit } from './audit.ts';
import { requireIncident } from './references.ts';

/** What people do about an incident beside its states. Each is recorded in the audit trail. */
export type IncidentCareStore = {
  /** The e-mail address of whoever looks after it; null for nobody, also when that user is gone. @throws MetadataMissing */
  readonly assignee: (incidentId: number) => Promise<string | null>;
  /** @throws MetadataMissing for an unknown incident or user */
  readonly assign: (incidentId: number, assignment: { readonly userId: string | null; readonly actor: string }) => Promise<void>;
  /** What somebody said of it last; undefined where nobody did. */
  readonly handling: (incidentId: number) => Promise<IncidentHandling | undefined>;
  /** A state of null takes back what was said. @throws MetadataMissing */
  readonly handle: (incidentId: number, said: NewHandling) => Promise<void>;
  /** Oldest first. @throws MetadataMissing */
  readonly comments: (incidentId: number) => Promise<readonly IncidentComment[]>;
  /** @throws MetadataMissing; MetadataConflict when the incident has 1,000 comments */
  readonly comment: (incidentId: number, comment: { readonly author: string; readonly text: string }) => Promise<IncidentComment>;
};

export type NewHandling = Omit<IncidentHandling, 'state' | 'timestamp'> & { readonly state: HandlingState | null };

/** What one answer about an incident holds. */
const COMMENTS_MAX = 1000;

export function incidentCareStore(scope: TenantScope): IncidentCareStore {
  const { tenantId, db, write, clock, own } = scope;
  const assigneeOf = async (queries: Queries, id: number): Promise<string | null> => {
    const row = await own(queries)
      .selectFrom('incidents')
      .leftJoin('users', (join) =>
        join.onRef('users.tenant_id', '=', 'incidents.tenant_id').onRef('users.id', '=', 'incidents.assignee_id'),
      )
      .select('users.email')
      .where('incidents.id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new MetadataMissing('incident', id);
    return row.email;
  };
  return {
    assignee: (id) => assigneeOf(db, id),
    assign: (id, { userId, actor }) =>
      write(async (transaction) => {
        const from = await assigneeOf(transaction, id);
        const to = userId === null ? null : await emailOf(transaction, tenantId, userId);
        await own(transaction).updateTable('incidents').set({ assignee_id: userId }).where('id', '=', id).execute();
        await insertAudit(transaction, scope, { ...subjectOf(id), actor, action: 'ASSIGNED', details: { from, to } });
      }),
    handling: async (id) => {
      const row = await own(db).selectFrom('incident_handling').selectAll().where('incident_id', '=', id).executeTakeFirst();
      if (row === undefined) return undefined;
      const { state, actor, event_ms, until_ms, note } = row;
      // `handle` wrote the state.
      return {
        state: state as HandlingState,
        actor,
        timestamp: toTime(event_ms),
        until: until_ms === null ? null : toTime(until_ms),
        note,
      };
    },
    handle: (id, { state, actor, until, note }) =>
      write(async (transaction) => {
        await requireIncident(transaction, tenantId, id);
        await own(transaction).deleteFrom('incident_handling').where('incident_id', '=', id).execute();
        if (state !== null) {
          const row = { tenant_id: tenantId, incident_id: id, state, actor, event_ms: clock.nowMs(), note };
          await transaction
            .insertInto('incident_handling')
            .values({ ...row, until_ms: until === null ? null : toMs(until) })
            .execute();
        }
        await insertAudit(transaction, scope, { ...subjectOf(id), actor, action: 'HANDLED', details: { state, until, note } });
      }),
    comments: async (id) => {
      await requireIncident(db, tenantId, id);
      const rows = await own(db).selectFrom('incident_comments').selectAll().where('incident_id', '=', id).orderBy('id').execute();
      return rows.map(({ id: number, author, created_ms, text }) => ({ id: number, author, created_time: toTime(created_ms), text }));
    },
    comment: (id, { author, text }) =>
      write(async (transaction) => {
        await requireIncident(transaction, tenantId, id);
        const { count } = await own(transaction)
          .selectFrom('incident_comments')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('incident_id', '=', id)
          .executeTakeFirstOrThrow();
        if (count >= COMMENTS_MAX)
          throw new MetadataConflict('incident', `Incident ${id} has ${COMMENTS_MAX} comments, which is the maximum.`);
        const comment = { id: count + 1, author, created_time: toTime(clock.nowMs()), text };
        const row = { tenant_id: tenantId, incident_id: id, id: comment.id, author, created_ms: clock.nowMs(), text };
        await transaction.insertInto('incident_comments').values(row).execute();
        await insertAudit(transaction, scope, {
          ...subjectOf(id),
          actor: author,
          action: 'COMMENTED',
          details: { comment_id: comment.id },
        });
        return comment;
      }),
  };
}

function subjectOf(id: number) {
  return { subject_type: 'INCIDENT', subject_id: String(id) } as const;
}

async function emailOf(db: Queries, tenantId: string, userId: string): Promise<string> {
  const row = await ownRows(db, tenantId).selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  if (row === undefined) throw new MetadataMissing('user', userId);
  return row.email;
}
