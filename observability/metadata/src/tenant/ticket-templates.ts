// SPDX-License-Identifier: Apache-2.0
import type { TicketTemplate } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { type Queries, type TenantScope, takeNumbers } from '../database/scope.ts';
import { fromJson, toJson } from '../database/values.ts';
import { MetadataConflict } from '../errors.ts';
import { getRow } from './references.ts';

export type NewTicketTemplate = Omit<TicketTemplate, 'id'>;

export type TicketTemplateStore = {
  /** @throws MetadataConflict when the name is taken */
  readonly create: (template: NewTicketTemplate) => Promise<TicketTemplate>;
  /** Newest first. */
  readonly list: () => Promise<readonly TicketTemplate[]>;
  /** @throws MetadataMissing */
  readonly get: (id: number) => Promise<TicketTemplate>;
  /** Replaces it whole. @throws MetadataMissing; MetadataConflict when the name is taken */
  readonly replace: (id: number, template: NewTicketTemplate) => Promise<TicketTemplate>;
  /** @throws MetadataMissing; MetadataConflict while a monitor refers to it */
  readonly delete: (id: number) => Promise<void>;
};

export function ticketTemplateStore({ tenantId, db, write, own }: TenantScope): TicketTemplateStore {
  const get = async (queries: Queries, id: number) => toTemplate(await getRow(queries, tenantId, { table: 'ticket_templates', id }));
  const refuseTakenName = async (queries: Queries, name: string, owner?: number) => {
    const row = await own(queries).selectFrom('ticket_templates').select('id').where('name', '=', name).executeTakeFirst();
    if (row !== undefined && row.id !== owner) {
      throw new MetadataConflict('ticket template', `A ticket template ${JSON.stringify(name)} already exists.`);
    }
  };
  return {
    create: ({ name, description, type, props }) =>
      write(async (transaction) => {
        await refuseTakenName(transaction, name);
        const id = await takeNumbers(transaction, tenantId, 'ticket template');
        const row = { tenant_id: tenantId, id, name, description, type, props: toJson(props) };
        await transaction.insertInto('ticket_templates').values(row).execute();
        return toTemplate(row);
      }),
    list: async () => {
      const rows = await own(db).selectFrom('ticket_templates').selectAll().orderBy('id', 'desc').execute();
      return rows.map(toTemplate);
    },
    get: (id) => get(db, id),
    replace: (id, { name, description, type, props }) =>
      write(async (transaction) => {
        await get(transaction, id);
        await refuseTakenName(transaction, name, id);
        const columns = { name, description, type, props: toJson(props) };
        await own(transaction).updateTable('ticket_templates').set(columns).where('id', '=', id).execute();
        return get(transaction, id);
      }),
    delete: (id) =>
      write(async (transaction) => {
        await get(transaction, id);
        const user = await own(transaction)
          .selectFrom('monitors')
          .select(['name', 'asset_id'])
          .where('ticket_template_id', '=', id)
          .executeTakeFirst();
        if (user !== undefined) {
          const monitor = `The monitor ${JSON.stringify(user.name)} of asset ${user.asset_id}`;
          throw new MetadataConflict('ticket template', `${monitor} uses ticket template ${id}.`);
        }
        await own(transaction).deleteFrom('ticket_templates').where('id', '=', id).execute();
      }),
  };
}

function toTemplate({ id, name, description, type, props }: Schema['ticket_templates']): TicketTemplate {
  // The store wrote the type from a `TicketTemplate`.
  return { id, name, description, type: type as TicketTemplate['type'], props: fromJson(props) };
}
