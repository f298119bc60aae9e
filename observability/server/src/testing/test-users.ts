// SPDX-License-Identifier: Apache-2.0
/** Users of tests. A login takes what the record of its user says, and many a test logs in more often than it scans. */
import { randomBytes } from 'node:crypto';
import type { User } from '@sextant/contracts-observability';
import type { PasswordRecord } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { type Metadata, openMetadata } from '@sextant/observability-metadata';
import { DEFAULT_ADMIN_EMAIL, DEFAULT_TENANT_ID } from '../auth/first-start.ts';

export const ADMIN_EMAIL = DEFAULT_ADMIN_EMAIL;
export const PASSWORD = 'Correct-Horse-42';

/** `PASSWORD`, with the least memory that Argon2 takes. */
const RECORD: PasswordRecord = {
  memoryKiB: 8,
  passes: 1,
  parallelism: 1,
  nonce: 'bm9uY2Ugb2YgYSB0ZXN0IQ==',
  hash: '07s+08TgG/p+aUfW06NK9Nfwp7zsf5bOYQbevXv3wfs=',
};

/** In a directory that no service has used: what a first start makes in it. */
export async function createAdmin(directory: string, clock: Clock): Promise<void> {
  await using store = await openMetadata({ directory }, { clock, randomBytes, encryptionKey: randomBytes(32) });
  await store.platform.tenants.create({ id: DEFAULT_TENANT_ID, name: 'Default' });
  await createUser(store, DEFAULT_TENANT_ID, { email: ADMIN_EMAIL, first_name: 'Admin', last_name: '', role: 'admin' });
}

/** Whose password is `PASSWORD`. */
export function createUser(
  store: Metadata,
  tenantId: string,
  user: Pick<User, 'email' | 'first_name' | 'last_name' | 'role'>,
): Promise<User> {
  return store.forTenant(tenantId).users.create({ ...user, password_hash: JSON.stringify(RECORD) });
}
