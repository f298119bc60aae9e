// SPDX-License-Identifier: Apache-2.0
import type { Role } from '@sextant/contracts-observability';
import type { PlatformScope } from '../database/scope.ts';

export type FoundApiKey = {
  readonly tenant_id: string;
  readonly id: string;
  readonly name: string;
  /** The most that the key may do. */
  readonly role: Role;
  /** The user whose rights bound those of the key; null when it was made by somebody whom an outside issuer vouches for. */
  readonly creator_id: string | null;
};

export type FoundRefreshToken = { readonly tenant_id: string; readonly user_id: string };

/** Finds whose a secret is before the tenant is known. Only hashes are stored. */
export type CredentialFinder = {
  readonly findApiKey: (secretHash: string) => Promise<FoundApiKey | undefined>;
  /** Also finds tokens that are used up or expired; `refreshTokens.rotate` decides. */
  readonly findRefreshToken: (tokenHash: string) => Promise<FoundRefreshToken | undefined>;
};

export function credentialFinder({ db }: PlatformScope): CredentialFinder {
  return {
    findApiKey: async (secretHash) => {
      const row = await db
        .selectFrom('api_keys')
        .select(['tenant_id', 'id', 'name', 'role', 'creator_id'])
        .where('secret_hash', '=', secretHash)
        .executeTakeFirst();
      // The store wrote the role from a `Role`.
      return row && { ...row, role: row.role as Role };
    },
    findRefreshToken: (tokenHash) =>
      db.selectFrom('refresh_tokens').select(['tenant_id', 'user_id']).where('token_hash', '=', tokenHash).executeTakeFirst(),
  };
}
