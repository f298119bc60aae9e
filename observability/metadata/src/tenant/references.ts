// SPDX-License-Identifier: Apache-2.0
/** Checks that what a row is going to refer to exists in the tenant. */
import type { Queries } from '../database/scope.ts';
import { MetadataMissing } from '../errors.ts';

export async function requireProject(db: Queries, tenantId: string, id: number): Promise<void> {
  const row = await db.selectFrom('projects').select('id').where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new MetadataMissing('project', id);
}

export async function requireConnection(db: Queries, tenantId: string, id: number): Promise<void> {
  const row = await db.selectFrom('connections').select('id').where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new MetadataMissing('connection', id);
}

export async function requireAsset(db: Queries, tenantId: string, id: string): Promise<void> {
  const row = await db.selectFrom('assets').select('id').where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new MetadataMissing('asset', id);
}

export async function requireUser(db: Queries, tenantId: string, id: string): Promise<void> {
  const row = await db.selectFrom('users').select('id').where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new MetadataMissing('user', id);
}

export async function requireTicketTemplate(db: Queries, tenantId: string, id: number): Promise<void> {
  const row = await db
    .selectFrom('ticket_templates')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new MetadataMissing('ticket template', id);
}

export async function requireJobOf(db: Queries, tenantId: string, job: { readonly id: string; readonly asset_id: string }): Promise<void> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', job.id)
    .where('asset_id', '=', job.asset_id)
    .executeTakeFirst();
  if (row === undefined) throw new MetadataMissing('job', job.id);
}
