// SPDX-License-Identifier: Apache-2.0
import { hexId } from '../database/ids.ts';
import type { Queries, TenantScope } from '../database/scope.ts';
import { toMs } from '../database/values.ts';
import { requireUser } from './references.ts';

export type RotationResult =
  | { readonly kind: 'rotated'; readonly user_id: string }
  /** The token was used before: somebody has a copy, so the whole family is revoked now. */
  | { readonly kind: 'reused'; readonly user_id: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' };

/** Refresh tokens by hash. A token is used once; its successor belongs to the same family (RFC 9700, section 4.14.2). */
export type RefreshTokenStore = {
  /** Begins a family. @throws MetadataMissing for an unknown user */
  readonly issue: (token: { readonly user_id: string; readonly token_hash: string; readonly expires_at: string }) => Promise<void>;
  /** Within `grace_ms` after its first use a token may be used again: tabs of one browser that share it, or an answer that got lost. */
  readonly rotate: (rotation: {
    readonly token_hash: string;
    readonly successor_hash: string;
    readonly expires_at: string;
    readonly grace_ms?: number;
  }) => Promise<RotationResult>;
  /** Ends the family of a token: a sign-out. */
  readonly revoke: (tokenHash: string) => Promise<void>;
  readonly revokeAllOf: (userId: string) => Promise<void>;
  readonly deleteExpired: () => Promise<number>;
};

export function refreshTokenStore({ tenantId, db, write, clock, randomBytes, own }: TenantScope): RefreshTokenStore {
  const find = (queries: Queries, tokenHash: string) =>
    own(queries).selectFrom('refresh_tokens').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
  const deleteFamily = (queries: Queries, family: string) =>
    own(queries).deleteFrom('refresh_tokens').where('family', '=', family).execute();

  return {
    issue: ({ user_id, token_hash, expires_at }) =>
      write(async (transaction) => {
        await requireUser(transaction, tenantId, user_id);
        const family = hexId(randomBytes, 'f');
        await transaction
          .insertInto('refresh_tokens')
          .values({ token_hash, tenant_id: tenantId, user_id, family, expires_ms: toMs(expires_at), used_ms: null })
          .execute();
      }),
    rotate: ({ token_hash, successor_hash, expires_at, grace_ms = 0 }) =>
      write(async (transaction) => {
        const token = await find(transaction, token_hash);
        if (token === undefined) return { kind: 'unknown' };
        const { user_id, family, used_ms } = token;
        const nowMs = clock.nowMs();
        // A first use that lies in the future says that the clock was set back; that must not make the grace longer.
        if (used_ms !== null && Math.abs(nowMs - used_ms) >= grace_ms) {
          await deleteFamily(transaction, family);
          return { kind: 'reused', user_id };
        }
        if (token.expires_ms <= nowMs) return { kind: 'expired' };
        // A used token stays until it expires: only so can its second use be recognised.
        await own(transaction)
          .updateTable('refresh_tokens')
          .set({ used_ms: used_ms ?? nowMs })
          .where('token_hash', '=', token_hash)
          .execute();
        await transaction
          .insertInto('refresh_tokens')
          .values({ token_hash: successor_hash, tenant_id: tenantId, user_id, family, expires_ms: toMs(expires_at), used_ms: null })
          .execute();
        return { kind: 'rotated', user_id };
      }),
    revoke: (tokenHash) =>
      write(async (transaction) => {
        const token = await find(transaction, tokenHash);
        if (token !== undefined) await deleteFamily(transaction, token.family);
      }),
    revokeAllOf: async (userId) => {
      await own(db).deleteFrom('refresh_tokens').where('user_id', '=', userId).execute();
    },
    deleteExpired: async () => {
      const { numDeletedRows } = await own(db).deleteFrom('refresh_tokens').where('expires_ms', '<=', clock.nowMs()).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
