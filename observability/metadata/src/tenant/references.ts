// SPDX-License-Identifier: Apache-2.0
/** What a row is going to refer to exists in the tenant, and is found there. Each throws MetadataMissing. */
import type { Schema } from '../database/schema.ts';
import { ownRows, type Queries } from '../database/scope.ts';
import { MetadataMissing, type ObjectKind } from '../errors.ts';

/** Tables whose rows have an id within their tenant. */
const KINDS = {
  projects: 'project',
  connections: 'connection',
  assets: 'asset',
  users: 'user',
  ticket_templates: 'ticket template',
  incidents: 'incident',
  deliveries: 'delivery',
  uploads: 'upload',
} as const satisfies { readonly [Table in keyof Schema]?: ObjectKind };
type Identified = keyof typeof KINDS;

export const requireProject = rowsOf('projects');
export const requireConnection = rowsOf('connections');
export const requireAsset = rowsOf('assets');
export const requireUser = rowsOf('users');
export const requireTicketTemplate = rowsOf('ticket_templates');
export const requireIncident = rowsOf('incidents');

function rowsOf<Table extends Identified>(table: Table) {
  return async (db: Queries, tenantId: string, id: Schema[Table]['id']): Promise<void> => {
    const rows = ownRows(db, tenantId).selectFrom<Identified>(table).select('id').where('id', '=', id);
    if ((await rows.executeTakeFirst()) === undefined) throw new MetadataMissing(KINDS[table], id);
  };
}

export async function getRow<Table extends Identified>(
  db: Queries,
  tenantId: string,
  { table, id }: { readonly table: Table; readonly id: Schema[Table]['id'] },
): Promise<Schema[Table]> {
  const row = await ownRows(db, tenantId).selectFrom<Identified>(table).selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new MetadataMissing(KINDS[table], id);
  // Kysely answers with a row of any of the tables.
  return row as unknown as Schema[Table];
}

export async function requireJobOf(db: Queries, tenantId: string, job: { readonly id: string; readonly asset_id: string }): Promise<void> {
  const rows = ownRows(db, tenantId).selectFrom('jobs').select('id').where('id', '=', job.id).where('asset_id', '=', job.asset_id);
  if ((await rows.executeTakeFirst()) === undefined) throw new MetadataMissing('job', job.id);
}
