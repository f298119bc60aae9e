// SPDX-License-Identifier: Apache-2.0
/** The users of a tenant, by their e-mail address. */
import { ApiError, type User } from '@sextant/contracts-observability';
import type { Account } from '@sextant/observability-metadata';
import { generatedPassword } from '../auth/generated-password.ts';
import { storedPassword } from '../auth/stored-password.ts';
import { operation, type TenantContext } from './operation.ts';
import { requireGoodPassword } from './tenants.ts';

export const listUsers = operation('list_users', ({ tenant }) => tenant.users.list());

export const createUser = operation('create_user', async ({ tenant }, { body }) => {
  const { password: given, ...facts } = body;
  requireGoodPassword(given, facts.email);
  const password = given ?? generatedPassword();
  const user = await tenant.users.create({ ...facts, password_hash: await storedPassword(password) });
  return { message: `User ${user.email} was created.`, ...(given === undefined ? { password } : {}) };
});

export const getUser = operation('get_user', async (context, { params }) => publicFacts(await accountOf(context, params)));

export const updateUser = operation('update_user', async (context, { params, body }) => {
  const { id, email } = await accountOf(context, params);
  await context.tenant.users.update(id, body);
  return { message: `User ${email} was changed.` };
});

export const deleteUser = operation('delete_user', async (context, { params }) => {
  const { id, email } = await accountOf(context, params);
  await context.tenant.users.delete(id);
  return { message: `User ${email} was deleted.` };
});

export const assignRole = operation('assign_role', async (context, { params, body }) => {
  const { users, projects } = context.tenant;
  const { id, email, project_roles: before } = await accountOf(context, params);
  if (body.role !== undefined) await users.update(id, { role: body.role });
  if (body.project_roles !== undefined) {
    const wanted = Object.entries(body.project_roles).map(([projectId, role]) => [Number(projectId), role] as const);
    // All of them exist before the first is written.
    for (const [projectId] of wanted) await projects.get(projectId);
    const gone = Object.keys(before)
      .map(Number)
      .filter((projectId) => !wanted.some(([each]) => each === projectId));
    for (const projectId of gone) await users.setProjectRole(id, projectId, null);
    for (const [projectId, role] of wanted) await users.setProjectRole(id, projectId, role);
  }
  return { message: `The roles of ${email} were changed.` };
});

export const changePassword = operation('change_password', async (context, { params, body, address }) => {
  const account = await accountOf(context, params);
  await context.authentication.verifyPassword(account, { tenantId: context.tenant.tenantId, password: body.old_password, address });
  requireGoodPassword(body.new_password, account.email);
  await context.tenant.users.setPassword(account.id, await storedPassword(body.new_password));
  return { message: `The password of ${account.email} was changed; tokens that were issued for the old password are revoked.` };
});

export const resetPassword = operation('reset_password', async (context, { params }) => {
  const { id, email } = await accountOf(context, params);
  const password = generatedPassword();
  await context.tenant.users.setPassword(id, await storedPassword(password));
  return { message: `The password of ${email} was replaced; tokens that were issued for the old password are revoked.`, password };
});

async function accountOf({ tenant }: TenantContext, { user_email: email }: { readonly user_email: string }): Promise<Account> {
  const account = await tenant.users.findByEmail(email);
  if (account === undefined) throw new ApiError('not_found', { what: 'User', id: email });
  return account;
}

function publicFacts({ id, email, first_name, last_name, role, project_roles }: Account): User {
  return { id, email, first_name, last_name, role, project_roles };
}
