// SPDX-License-Identifier: Apache-2.0
/** The tenants of the platform, for its operator. */
import { ApiError, type Tenant } from '@sextant/contracts-observability';
import { passwordProblem } from '@sextant/foundation-service';
import type { Metadata } from '@sextant/observability-metadata';
import { generatedPassword } from '../auth/generated-password.ts';
import { storedPassword } from '../auth/stored-password.ts';
import { operation } from './operation.ts';

export const listTenants = operation('list_tenants', ({ metadata }) => metadata.platform.tenants.list());

export const createTenant = operation('create_tenant', async ({ metadata }, { body }) => {
  const { id, name, admin_email: email, admin_password: given } = body;
  const { password_hash, shown } = await credentialOf({ email, given });
  const tenant = await createdOrUnfinished(metadata, { id, name: name ?? id });
  await metadata.forTenant(id).users.create({ ...NEW_ADMIN, email, password_hash });
  return { ...tenant, admin: { email, ...shown } };
});

export const restoreAdmin = operation('restore_admin', async ({ metadata }, { body }) => {
  const { tenant: id, admin_email: email, admin_password: given } = body;
  const tenant = await metadata.platform.tenants.find(id);
  if (tenant === undefined) throw new ApiError('tenant_not_found', { tenant: id });
  const { password_hash, shown } = await credentialOf({ email, given });
  await metadata.forTenant(id).atomically(async ({ users }) => {
    const known = await users.findByEmail(email);
    if (known === undefined) await users.create({ ...NEW_ADMIN, email, password_hash });
    else {
      await users.update(known.id, { role: 'admin' });
      await users.setPassword(known.id, password_hash);
    }
  });
  return { ...tenant, admin: { email, ...shown } };
});

const NEW_ADMIN = { first_name: 'Admin', last_name: '', role: 'admin' } as const;

/** What is stored of a password that was given or chosen, and what is shown of it. */
async function credentialOf({ email, given }: { readonly email: string; readonly given: string | null | undefined }) {
  requireGoodPassword(given ?? undefined, email);
  const password = given ?? generatedPassword();
  const shown = given === undefined || given === null ? { password } : {};
  return { password_hash: await storedPassword(password), shown };
}

/** A tenant without any user is left of a creation that a crash stopped; asking again finishes it. */
async function createdOrUnfinished({ platform, forTenant }: Metadata, wanted: Pick<Tenant, 'id' | 'name'>): Promise<Tenant> {
  const existing = await platform.tenants.find(wanted.id);
  const isUnfinished = existing !== undefined && (await forTenant(wanted.id).users.list()).length === 0;
  return isUnfinished ? existing : platform.tenants.create(wanted);
}

/** @throws ApiError `bad_request` that names every rule which the password breaks; one that is not given breaks none */
export function requireGoodPassword(password: string | undefined, username: string): void {
  const problem = password === undefined ? undefined : passwordProblem({ password, username });
  if (problem !== undefined) throw new ApiError('bad_request', { reason: problem });
}
