// SPDX-License-Identifier: Apache-2.0
import type { ApiKey, Role } from '@sextant/contracts-observability';
import { hexId } from '../database/ids.ts';
import type { TenantScope } from '../database/scope.ts';
import { MetadataMissing } from '../errors.ts';
import { requireUser } from './references.ts';

export type NewApiKey = {
  readonly name: string;
  readonly secret_hash: string;
  readonly role: Role;
  readonly creator_id: string | null;
};

export type ApiKeyStore = {
  /** @throws MetadataMissing for an unknown creator */
  readonly create: (key: NewApiKey) => Promise<ApiKey>;
  readonly list: () => Promise<readonly ApiKey[]>;
  /** @throws MetadataMissing */
  readonly get: (id: string) => Promise<ApiKey>;
  /** @throws MetadataMissing */
  readonly delete: (id: string) => Promise<void>;
};

export function apiKeyStore({ tenantId, db, write, clock, randomBytes, own }: TenantScope): ApiKeyStore {
  return {
    create: ({ name, secret_hash, role, creator_id }) =>
      write(async (transaction) => {
        if (creator_id !== null) await requireUser(transaction, tenantId, creator_id);
        const id = hexId(randomBytes, 'k');
        await transaction
          .insertInto('api_keys')
          .values({ tenant_id: tenantId, id, name, secret_hash, role, creator_id, created_ms: clock.nowMs() })
          .execute();
        return { id, name };
      }),
    list: () => own(db).selectFrom('api_keys').select(['id', 'name']).orderBy('created_ms').orderBy('id').execute(),
    get: async (id) => {
      const key = await own(db).selectFrom('api_keys').select(['id', 'name']).where('id', '=', id).executeTakeFirst();
      if (key === undefined) throw new MetadataMissing('API key', id);
      return key;
    },
    delete: async (id) => {
      const { numDeletedRows } = await own(db).deleteFrom('api_keys').where('id', '=', id).executeTakeFirst();
      if (numDeletedRows === 0n) throw new MetadataMissing('API key', id);
    },
  };
}
