// SPDX-License-Identifier: Apache-2.0
/** What a first start makes: a tenant and its first admin. */
import type { User } from '@sextant/contracts-observability';
import { type Metadata, MetadataConflict } from '@sextant/observability-metadata';
import { generatedPassword } from './generated-password.ts';
import { storedPassword } from './stored-password.ts';

export const DEFAULT_TENANT_ID = 'default';
export const DEFAULT_ADMIN_EMAIL = 'admin@localhost';

export type FirstAdmin = {
  /** Only of a password that was generated, to be shown once. */
  readonly generatedPassword: string | undefined;
};

/** Makes the tenant `default` with its admin where there is no tenant yet; undefined when there was. */
export async function prepareFirstStart(metadata: Metadata, adminPassword: string | undefined): Promise<FirstAdmin | undefined> {
  const { tenants } = metadata.platform;
  const { users } = metadata.forTenant(DEFAULT_TENANT_ID);
  if ((await tenants.list()).length === 0) await createDefaultTenant(metadata);
  else if ((await tenants.find(DEFAULT_TENANT_ID)) === undefined) return undefined;
  // A start that died between the tenant and its admin is carried on here.
  if ((await users.list()).length > 0) return undefined;
  const password = adminPassword ?? generatedPassword();
  const admin = await createFirstAdmin(metadata, DEFAULT_TENANT_ID, { email: DEFAULT_ADMIN_EMAIL, password });
  if (admin === undefined) return undefined;
  return { generatedPassword: adminPassword === undefined ? password : undefined };
}

/** The first admin of a tenant; undefined when another process was quicker. */
async function createFirstAdmin(
  metadata: Metadata,
  tenantId: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<User | undefined> {
  const password_hash = await storedPassword(password);
  try {
    const admin = { email, first_name: 'Admin', last_name: '', role: 'admin', password_hash } as const;
    return await metadata.forTenant(tenantId).users.create(admin);
  } catch (error) {
    if (error instanceof MetadataConflict) return undefined;
    throw error;
  }
}

async function createDefaultTenant(metadata: Metadata): Promise<void> {
  try {
    await metadata.platform.tenants.create({ id: DEFAULT_TENANT_ID, name: 'Default' });
  } catch (error) {
    // Another process was quicker.
    if (!(error instanceof MetadataConflict)) throw error;
  }
}
