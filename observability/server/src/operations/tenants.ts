/** The tenants of the platform, for its operator. */
import { ApiError } from '@sextant/contracts-observability';
import { passwordProblem } from '@sextant/foundation-service';
import { generatedPassword } from '../auth/generated-password.ts';
import { storedPassword } from '../auth/stored-password.ts';
import { operation } from './operation.ts';

export const listTenants = operation('list_tenants', ({ metadata }) => metadata.platform.tenants.list());

export const createTenant = operation('create_tenant', async ({ metadata }, { body }) => {
  const { id, name, admin_email: email, admin_password: given } = body;
  requireGoodPassword(given ?? undefined, email);
  const password = given ?? generatedPassword();
  const password_hash = await storedPassword(password);
  const tenant = await metadata.platform.tenants.create({ id, name: name ?? id });
  await metadata.forTenant(id).users.create({ email, first_name: 'Admin', last_name: '', role: 'admin', password_hash });
  return { ...tenant, admin: { email, ...(given === undefined || given === null ? { password } : {}) } };
});

/** @throws ApiError `bad_request` that names every rule which the password breaks; one that is not given breaks none */
export function requireGoodPassword(password: string | undefined, username: string): void {
  const problem = password === undefined ? undefined : passwordProblem({ password, username });
  if (problem !== undefined) throw new ApiError('bad_request', { reason: problem });
}
