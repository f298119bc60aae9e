// SPDX-License-Identifier: Apache-2.0
import type { Role, User } from '@sextant/contracts-observability';
import { hexId } from '../database/ids.ts';
import type { Schema } from '../database/schema.ts';
import { insertAll, type Queries, type TenantScope } from '../database/scope.ts';
import { caseless } from '../database/values.ts';
import { MetadataConflict, MetadataMissing } from '../errors.ts';
import { requireProject } from './references.ts';

/** A user with what proves who they are. Never leaves the server. */
export type Account = User & {
  readonly password_hash: string | null;
  /** Grows with every change of the password; tokens of older versions are dead. */
  readonly password_version: number;
};

export type NewUser = Pick<User, 'email' | 'first_name' | 'last_name' | 'role'> & { readonly password_hash: string | null };

export type UserStore = {
  /** @throws MetadataConflict when the e-mail address is taken, whatever its case */
  readonly create: (user: NewUser) => Promise<User>;
  readonly list: () => Promise<readonly User[]>;
  readonly find: (id: string) => Promise<Account | undefined>;
  readonly findByEmail: (email: string) => Promise<Account | undefined>;
  /** @throws MetadataMissing; MetadataConflict when the last admin would lose the role */
  readonly update: (id: string, change: Partial<Pick<User, 'first_name' | 'last_name' | 'role'>>) => Promise<User>;
  /** Also ends all refresh tokens of the user. @throws MetadataMissing */
  readonly setPassword: (id: string, passwordHash: string) => Promise<void>;
  /** A null role takes the project role away. @throws MetadataMissing for an unknown user or project */
  readonly setProjectRole: (id: string, projectId: number, role: Exclude<Role, 'admin'> | null) => Promise<User>;
  /** Also removes the user's tokens and API keys. @throws MetadataMissing; MetadataConflict for the last admin */
  readonly delete: (id: string) => Promise<void>;
};

export function userStore({ tenantId, db, write, clock, randomBytes, own }: TenantScope): UserStore {
  const accountsWhere = async (queries: Queries, column?: 'id' | 'email_key', value = ''): Promise<readonly Account[]> => {
    let users = own(queries).selectFrom('users').selectAll();
    let roles = own(queries).selectFrom('project_roles').selectAll();
    if (column !== undefined) users = users.where(column, '=', value);
    if (column === 'id') roles = roles.where('user_id', '=', value);
    const rows = await users.orderBy('created_ms').orderBy('email_key').execute();
    const rolesByUser = Map.groupBy(await roles.execute(), (role) => role.user_id);
    return rows.map((row) => toAccount(row, rolesByUser.get(row.id) ?? []));
  };
  const getAccount = async (queries: Queries, id: string) => {
    const [account] = await accountsWhere(queries, 'id', id);
    if (account === undefined) throw new MetadataMissing('user', id);
    return account;
  };
  const refuseLastAdmin = async (queries: Queries, account: Account) => {
    if (account.role !== 'admin') return;
    const admins = await own(queries).selectFrom('users').select('id').where('role', '=', 'admin').execute();
    if (admins.length === 1) throw new MetadataConflict('user', `${account.email} is the only admin of the tenant.`);
  };
  const updateRow = (queries: Queries, id: string, change: Partial<Schema['users']>) =>
    own(queries).updateTable('users').set(change).where('id', '=', id).execute();

  return {
    create: ({ email, first_name, last_name, role, password_hash }) =>
      write(async (transaction) => {
        const email_key = caseless(email);
        const [taken] = await accountsWhere(transaction, 'email_key', email_key);
        if (taken !== undefined) throw new MetadataConflict('user', `A user ${JSON.stringify(email)} already exists.`);
        const id = hexId(randomBytes, 'u');
        const facts = { email, email_key, first_name, last_name, role, password_hash, password_version: 1 };
        await insertAll(transaction, 'users', [{ tenant_id: tenantId, id, ...facts, created_ms: clock.nowMs() }]);
        return toUser(await getAccount(transaction, id));
      }),
    list: async () => (await accountsWhere(db)).map(toUser),
    find: async (id) => (await accountsWhere(db, 'id', id))[0],
    findByEmail: async (email) => (await accountsWhere(db, 'email_key', caseless(email)))[0],
    update: (id, { first_name, last_name, role }) =>
      write(async (transaction) => {
        const account = await getAccount(transaction, id);
        if (role !== undefined && role !== 'admin') await refuseLastAdmin(transaction, account);
        await updateRow(transaction, id, {
          first_name: first_name ?? account.first_name,
          last_name: last_name ?? account.last_name,
          role: role ?? account.role,
        });
        return toUser(await getAccount(transaction, id));
      }),
    setPassword: (id, password_hash) =>
      write(async (transaction) => {
        const { password_version } = await getAccount(transaction, id);
        await updateRow(transaction, id, { password_hash, password_version: password_version + 1 });
        await own(transaction).deleteFrom('refresh_tokens').where('user_id', '=', id).execute();
      }),
    setProjectRole: (id, projectId, role) =>
      write(async (transaction) => {
        await getAccount(transaction, id);
        await requireProject(transaction, tenantId, projectId);
        await own(transaction).deleteFrom('project_roles').where('user_id', '=', id).where('project_id', '=', projectId).execute();
        const row = { tenant_id: tenantId, user_id: id, project_id: projectId };
        if (role !== null) await insertAll(transaction, 'project_roles', [{ ...row, role }]);
        return toUser(await getAccount(transaction, id));
      }),
    delete: (id) =>
      write(async (transaction) => {
        await refuseLastAdmin(transaction, await getAccount(transaction, id));
        await own(transaction).deleteFrom('users').where('id', '=', id).execute();
      }),
  };
}

function toAccount(row: Schema['users'], roles: readonly Schema['project_roles'][]): Account {
  const { id, email, first_name, last_name, password_hash, password_version } = row;
  // The store wrote the roles from a `Role`.
  const role = row.role as Role;
  const project_roles = Object.fromEntries(roles.map((entry) => [entry.project_id, entry.role as Exclude<Role, 'admin'>]));
  return { id, email, first_name, last_name, role, project_roles, password_hash, password_version };
}

function toUser({ id, email, first_name, last_name, role, project_roles }: Account): User {
  return { id, email, first_name, last_name, role, project_roles };
}
