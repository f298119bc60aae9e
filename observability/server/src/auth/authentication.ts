// SPDX-License-Identifier: Apache-2.0
/** The Authenticate API: a password, or a refresh token, for an access token of one hour and the next refresh token. */
import { ApiError, type Role } from '@sextant/contracts-observability';
import type { LoginAttempt } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { Account, Metadata } from '@sextant/observability-metadata';
import { ACCESS_TOKEN_LIFETIME_SECONDS, signAccessToken } from './access-token.ts';
import type { LoginLimits } from './login-limits.ts';
import { newRefreshToken, refreshTokenHash } from './refresh-token.ts';
import { matchesStored } from './stored-password.ts';

export type AuthenticationOptions = {
  readonly metadata: Metadata;
  readonly signingKey: Uint8Array;
  readonly limits: LoginLimits;
  readonly clock: Clock;
};

/** Long enough for all tabs of a browser that wakes up, and for an answer that got lost; a thief has no more time than that. */
const COOKIE_GRACE_MS = 30_000;

export type TokenAnswer = {
  readonly expires: number;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
};

export type PasswordGrant = {
  readonly tenantId: string;
  readonly username: string;
  readonly password: string;
  /** Of the caller's socket. */
  readonly address: string;
};

export type RefreshGrant = {
  readonly secret: string;
  readonly address: string;
  /** The secret is in a cookie, which all tabs of a browser share, and has to be of this user. */
  readonly sharedBy?: { readonly tenantId: string; readonly username: string };
};

export class Authentication {
  readonly #options: AuthenticationOptions;

  constructor(options: AuthenticationOptions) {
    this.#options = options;
  }

  /** @throws ApiError `login_failed`, also for an unknown tenant or user, after as long a time; `rate_limited` */
  async withPassword({ tenantId, username, password, address }: PasswordGrant): Promise<TokenAnswer> {
    const attempt = { address, account: accountKey(tenantId, username) };
    await this.#take(attempt);
    const account = await this.#options.metadata.forTenant(tenantId).users.findByEmail(username);
    if (!(await matchesStored(password, account?.password_hash)) || account === undefined) throw new ApiError('login_failed');
    await this.#options.limits.release(attempt);
    const refresh = newRefreshToken(this.#options.clock.nowMs());
    const { refreshTokens } = this.#options.metadata.forTenant(tenantId);
    await refreshTokens.issue({ user_id: account.id, token_hash: refresh.hash, expires_at: refresh.expiresAt });
    return this.#answer(tenantId, account, refresh.secret);
  }

  /** @throws ApiError `refresh_token_invalid`; one that was used before also ends every token of its family */
  async withRefreshToken({ secret, address, sharedBy }: RefreshGrant): Promise<TokenAnswer> {
    await this.#take({ address });
    const { metadata, clock } = this.#options;
    const hash = refreshTokenHash(secret);
    const found = await metadata.platform.credentials.findRefreshToken(hash);
    if (found === undefined) throw new ApiError('refresh_token_invalid');
    const tenant = metadata.forTenant(found.tenant_id);
    if (sharedBy !== undefined) {
      // Another tab may have signed in as somebody else, and this one must not become that user.
      const user = sharedBy.tenantId === found.tenant_id ? await tenant.users.findByEmail(sharedBy.username) : undefined;
      if (user?.id !== found.user_id) throw new ApiError('refresh_token_invalid');
    }
    const next = newRefreshToken(clock.nowMs());
    const rotation = await tenant.refreshTokens.rotate({
      token_hash: hash,
      successor_hash: next.hash,
      expires_at: next.expiresAt,
      grace_ms: sharedBy === undefined ? 0 : COOKIE_GRACE_MS,
    });
    const account = rotation.kind === 'rotated' ? await tenant.users.find(rotation.user_id) : undefined;
    if (account === undefined) throw new ApiError('refresh_token_invalid');
    await this.#options.limits.release({ address });
    return this.#answer(found.tenant_id, account, next.secret);
  }

  /** Ends the family of a refresh token. No answer says whether there was one. */
  async revoke(secret: string): Promise<void> {
    const { metadata } = this.#options;
    const hash = refreshTokenHash(secret);
    const found = await metadata.platform.credentials.findRefreshToken(hash);
    if (found !== undefined) await metadata.forTenant(found.tenant_id).refreshTokens.revoke(hash);
  }

  /** @throws ApiError `login_failed` where the old password is another; `rate_limited` */
  async verifyPassword(
    account: Pick<Account, 'email' | 'password_hash'>,
    { tenantId, password, address }: Omit<PasswordGrant, 'username'>,
  ): Promise<void> {
    const attempt = { address, account: accountKey(tenantId, account.email) };
    await this.#take(attempt);
    if (!(await matchesStored(password, account.password_hash))) throw new ApiError('login_failed');
    await this.#options.limits.release(attempt);
  }

  async #take(attempt: LoginAttempt): Promise<void> {
    const seconds = await this.#options.limits.take(attempt);
    if (seconds > 0) throw new ApiError('rate_limited', { seconds });
  }

  async #answer(tenantId: string, account: Account & { readonly role: Role }, refreshToken: string): Promise<TokenAnswer> {
    const { signingKey, clock } = this.#options;
    const owner = { tenantId, user: account, passwordVersion: account.password_version };
    const token = await signAccessToken(owner, { signingKey, nowMs: clock.nowMs() });
    return { expires: ACCESS_TOKEN_LIFETIME_SECONDS, access_token: token, refresh_token: refreshToken, token_type: 'Bearer' };
  }
}

function accountKey(tenantId: string, email: string): string {
  return `${tenantId} ${email.toLowerCase()}`;
}
