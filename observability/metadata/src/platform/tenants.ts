// SPDX-License-Identifier: Apache-2.0
import type { Tenant } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import type { PlatformScope } from '../database/scope.ts';
import { toTime } from '../database/values.ts';
import { MetadataConflict } from '../errors.ts';

export type TenantStore = {
  /** Makes the tenant with its project 0, `Default`. @throws MetadataConflict when the id is taken */
  readonly create: (tenant: { readonly id: string; readonly name: string }) => Promise<Tenant>;
  readonly list: () => Promise<readonly Tenant[]>;
  readonly find: (id: string) => Promise<Tenant | undefined>;
};

const DEFAULT_PROJECT = { id: 0, name: 'Default', description: null, created_by: 'system' };

export function tenantStore({ database, db, clock }: PlatformScope): TenantStore {
  return {
    create: ({ id, name }) =>
      database.kysely.transaction().execute(async (transaction) => {
        await database.lock(transaction, `tenant ${id}`);
        const taken = await transaction.selectFrom('tenants').select('id').where('id', '=', id).executeTakeFirst();
        if (taken !== undefined) throw new MetadataConflict('tenant', `A tenant ${JSON.stringify(id)} already exists.`);
        const created_ms = clock.nowMs();
        await transaction.insertInto('tenants').values({ id, name, created_ms }).execute();
        await transaction
          .insertInto('projects')
          .values({ tenant_id: id, ...DEFAULT_PROJECT, created_ms })
          .execute();
        return { id, name, created_at: toTime(created_ms) };
      }),
    list: async () => {
      const rows = await db.selectFrom('tenants').selectAll().orderBy('created_ms').orderBy('id').execute();
      return rows.map(toTenant);
    },
    find: async (id) => {
      const row = await db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toTenant(row);
    },
  };
}

function toTenant(row: Schema['tenants']): Tenant {
  return { id: row.id, name: row.name, created_at: toTime(row.created_ms) };
}
