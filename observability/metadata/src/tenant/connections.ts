// SPDX-License-Identifier: Apache-2.0
import { type Connection, type Credential, isServedKind } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { type Queries, type TenantScope, takeNumbers } from '../database/scope.ts';
import { fromJson, toJson, toTime } from '../database/values.ts';
import { MetadataConflict } from '../errors.ts';
import { getRow, requireProject } from './references.ts';

export type NewConnection = Pick<Connection, 'name' | 'scope' | 'project_id' | 'type' | 'payload' | 'db_type' | 'created_by'> & {
  readonly credential: Credential | null;
};

/** What is left out stays as it is; a null credential removes it. */
export type ConnectionChange = Partial<Pick<Connection, 'name' | 'type' | 'payload' | 'db_type'>> & {
  readonly credential?: Credential | null;
};

/** Credentials are encrypted; only `credential` opens them. */
export type ConnectionStore = {
  /** @throws MetadataMissing for an unknown project */
  readonly create: (connection: NewConnection) => Promise<Connection>;
  /** All, or those that a project sees: its own, and the global ones if asked for. */
  readonly list: (filter?: { readonly project_id?: number; readonly with_global?: boolean }) => Promise<readonly Connection[]>;
  /** @throws MetadataMissing */
  readonly get: (id: number) => Promise<Connection>;
  /** @throws MetadataMissing */
  readonly credential: (id: number) => Promise<Credential | null>;
  /** @throws MetadataMissing */
  readonly update: (id: number, change: ConnectionChange) => Promise<Connection>;
  /** @throws MetadataMissing; MetadataConflict while an asset or the reporting configuration uses it */
  readonly delete: (id: number) => Promise<void>;
};

export function connectionStore({ tenantId, db, write, clock, cipher, own }: TenantScope): ConnectionStore {
  const rowOf = (queries: Queries, id: number) => getRow(queries, tenantId, { table: 'connections', id });
  const place = (id: number) => JSON.stringify([tenantId, id]);
  const seal = (id: number, credential: Credential | null) => {
    if (credential === null) return { credential: null, credential_key_id: null };
    const sealed = cipher.seal(toJson(credential), place(id));
    return { credential: sealed.text, credential_key_id: sealed.keyId };
  };
  const isUsed = async (queries: Queries, table: 'assets' | 'dq_reporting_configs', id: number) =>
    (await own(queries).selectFrom(table).select('tenant_id').where('connection_id', '=', id).executeTakeFirst()) !== undefined;

  return {
    create: ({ name, scope, project_id, type, payload, db_type, created_by, credential }) =>
      write(async (transaction) => {
        await requireProject(transaction, tenantId, project_id);
        const id = await takeNumbers(transaction, tenantId, 'connection');
        const row = {
          tenant_id: tenantId,
          id,
          project_id,
          name,
          scope,
          type,
          payload: toJson(payload),
          db_type,
          created_by,
          ...seal(id, credential),
          created_ms: clock.nowMs(),
        };
        await transaction.insertInto('connections').values(row).execute();
        return toConnection(row);
      }),
    list: async ({ project_id, with_global = false } = {}) => {
      let query = own(db).selectFrom('connections').selectAll();
      if (project_id !== undefined) {
        query = query.where((where) => {
          const own = where.and({ project_id, scope: 'PROJECT' });
          return with_global ? where.or([own, where('scope', '=', 'GLOBAL')]) : own;
        });
      }
      return (await query.orderBy('id').execute()).map(toConnection);
    },
    get: async (id) => toConnection(await rowOf(db, id)),
    credential: async (id) => {
      const { credential, credential_key_id } = await rowOf(db, id);
      if (credential === null || credential_key_id === null) return null;
      return fromJson<Credential>(cipher.open({ text: credential, keyId: credential_key_id }, place(id)));
    },
    update: (id, { name, type, payload, db_type, credential }) =>
      write(async (transaction) => {
        const row = await rowOf(transaction, id);
        const change = {
          name: name ?? row.name,
          type: type ?? row.type,
          payload: payload === undefined ? row.payload : toJson(payload),
          db_type: db_type === undefined ? row.db_type : db_type,
          ...(credential === undefined ? {} : seal(id, credential)),
        };
        await own(transaction).updateTable('connections').set(change).where('id', '=', id).execute();
        return toConnection({ ...row, ...change });
      }),
    delete: (id) =>
      write(async (transaction) => {
        await rowOf(transaction, id);
        if (await isUsed(transaction, 'assets', id)) throw new MetadataConflict('connection', `Assets use connection ${id}.`);
        if (await isUsed(transaction, 'dq_reporting_configs', id)) {
          throw new MetadataConflict('connection', `The DQ reporting configuration uses connection ${id}.`);
        }
        await own(transaction).deleteFrom('connections').where('id', '=', id).execute();
      }),
  };
}

function toConnection(row: Schema['connections']): Connection {
  const { id, project_id, name, created_by, db_type } = row;
  return {
    id,
    project_id,
    name,
    created_by,
    db_type,
    created_at: toTime(row.created_ms),
    // The store wrote both from a `Connection`.
    scope: row.scope as Connection['scope'],
    type: row.type as Connection['type'],
    payload: fromJson(row.payload),
    scannable: isServedKind(row.type),
  };
}
