// SPDX-License-Identifier: Apache-2.0
import type { Ticket } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { type Queries, type TenantScope, takeNumbers } from '../database/scope.ts';
import { toTime } from '../database/values.ts';
import { MetadataMissing } from '../errors.ts';
import { insertAudit, type NewAuditEntry } from './audit.ts';

export type NewTicket = Pick<Ticket, 'incident_id' | 'key' | 'url' | 'template_id'>;

/** What reading a ticket's status came to; a failure leaves the status as it was. */
export type TicketReading = { readonly status: string } | { readonly error: string };

/** Tickets in the tracker. An incident has one at most; the audit trail records each link and its end. */
export type TicketStore = {
  /** Links it, and says so on the incident; the ticket that the incident has already stays. @throws MetadataMissing for an unknown incident */
  readonly link: (ticket: NewTicket, actor: string) => Promise<Ticket>;
  readonly find: (incidentId: number) => Promise<Ticket | undefined>;
  /** The tracker keeps its ticket. @throws MetadataMissing when the incident has none */
  readonly unlink: (incidentId: number, actor: string) => Promise<void>;
  readonly noteStatus: (id: number, reading: TicketReading) => Promise<void>;
};

export function ticketStore(scope: TenantScope): TicketStore {
  const { tenantId, db, write, clock, own } = scope;
  const findRow = (queries: Queries, incidentId: number) =>
    own(queries).selectFrom('tickets').selectAll().where('incident_id', '=', incidentId).executeTakeFirst();
  const setOnIncident = async (transaction: Queries, incidentId: number, ticket_id: number | null) => {
    const { numUpdatedRows } = await own(transaction)
      .updateTable('incidents')
      .set({ ticket_id })
      .where('id', '=', incidentId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new MetadataMissing('incident', incidentId);
  };
  return {
    link: ({ incident_id, key, url, template_id }, actor) =>
      write(async (transaction) => {
        const known = await findRow(transaction, incident_id);
        if (known !== undefined) return toTicket(known);
        const id = await takeNumbers(transaction, tenantId, 'ticket');
        await setOnIncident(transaction, incident_id, id);
        const nowMs = clock.nowMs();
        const row: Schema['tickets'] = {
          tenant_id: tenantId,
          id,
          incident_id,
          tracker_key: key,
          url,
          status: null,
          template_id,
          created_ms: nowMs,
          synced_ms: nowMs,
          last_error: null,
        };
        await transaction.insertInto('tickets').values(row).execute();
        await insertAudit(transaction, scope, entryOf(row, { actor, action: 'TICKET_LINKED' }));
        return toTicket(row);
      }),
    find: async (incidentId) => {
      const row = await findRow(db, incidentId);
      return row && toTicket(row);
    },
    unlink: (incidentId, actor) =>
      write(async (transaction) => {
        const row = await findRow(transaction, incidentId);
        if (row === undefined) throw new MetadataMissing('ticket', incidentId);
        await setOnIncident(transaction, incidentId, null);
        await own(transaction).deleteFrom('tickets').where('id', '=', row.id).execute();
        await insertAudit(transaction, scope, entryOf(row, { actor, action: 'TICKET_UNLINKED' }));
      }),
    noteStatus: async (id, reading) => {
      const change = 'status' in reading ? { status: reading.status, last_error: null } : { last_error: reading.error };
      await own(db)
        .updateTable('tickets')
        .set({ ...change, synced_ms: clock.nowMs() })
        .where('id', '=', id)
        .execute();
    },
  };
}

function entryOf({ incident_id, tracker_key }: Schema['tickets'], said: Pick<NewAuditEntry, 'actor' | 'action'>): NewAuditEntry {
  return { ...said, subject_type: 'INCIDENT', subject_id: String(incident_id), details: { key: tracker_key } };
}

export function toTicket(row: Schema['tickets']): Ticket {
  const { id, incident_id, url, status, template_id, last_error } = row;
  const times = { created_at: toTime(row.created_ms), synced_at: toTime(row.synced_ms) };
  return { id, incident_id, key: row.tracker_key, url, status, template_id, ...times, last_error };
}
