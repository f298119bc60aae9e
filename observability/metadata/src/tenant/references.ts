// SPDX-License-Identifier: Apache-2.0
/** Checks that what a row is going to refer to exists in the tenant. Each throws MetadataMissing. */
import type { Schema } from '../database/schema.ts';
import { ownRows, type Queries } from '../database/scope.ts';
import { MetadataMissing, type ObjectKind } from '../errors.ts';

type Referred = 'projects' | 'connections' | 'assets' | 'users' | 'ticket_templates' | 'incidents';

export const requireProject = rowsOf('projects', 'project');
export const requireConnection = rowsOf('connections', 'connection');
export const requireAsset = rowsOf('assets', 'asset');
export const requireUser = rowsOf('users', 'user');
export const requireTicketTemplate = rowsOf('ticket_templates', 'ticket template');
export const requireIncident = rowsOf('incidents', 'incident');

function rowsOf<Table extends Referred>(table: Table, kind: ObjectKind) {
  return async (db: Queries, tenantId: string, id: Schema[Table]['id']): Promise<void> => {
    const rows = ownRows(db, tenantId).selectFrom<Referred>(table).select('id').where('id', '=', id);
    if ((await rows.executeTakeFirst()) === undefined) throw new MetadataMissing(kind, id);
  };
}

export async function requireJobOf(db: Queries, tenantId: string, job: { readonly id: string; readonly asset_id: string }): Promise<void> {
  const rows = ownRows(db, tenantId).selectFrom('jobs').select('id').where('id', '=', job.id).where('asset_id', '=', job.asset_id);
  if ((await rows.executeTakeFirst()) === undefined) throw new MetadataMissing('job', job.id);
}
