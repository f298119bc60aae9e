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
  requireGoodPassword(given ?? undefined, email);
  const password = given ?? generatedPassword();
  const password_hash = await storedPassword(password);
  const tenant = await createdOrUnfinished(metadata, { id, name: name ?? id });
  await metadata.forTenant(id).users.create({ email, first_name: 'Admin', last_name: '', role: 'admin', password_hash });
  return { ...tenant, admin: { email, ...(given === undefined || given === null ? { password } : {}) } };
});

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
