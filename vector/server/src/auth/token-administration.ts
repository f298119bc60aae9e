// SPDX-License-Identifier: Apache-2.0
/**
 * The access tokens: made, listed, rotated and deleted while enforcement is on. A token with the permission `admin` may do all of it, and whoever
 * holds one knows the secrets that it made. So that nobody outlasts the end of a token by those, they end with it.
 */
import { type BodyOf, ServiceError } from '@sextant/contracts-vector';
import { hashSecret } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { AccessToken, AuthReply, NewAccessToken, Principal } from './auth.ts';
import { failure, success } from './auth-reply.ts';
import type { AuthState, TokenRecord } from './auth-state.ts';
import { TOKENS_NEED_ENFORCEMENT } from './authorise.ts';
import { formatPermission } from './permission.ts';
import { readTokenRequest } from './token-request.ts';
import { generateTokenSecret } from './token-secret.ts';

/** Every serving thread holds all of them. */
const TOKENS_MAX = 10_000;

export class TokenAdministration {
  readonly #state: AuthState;
  readonly #clock: Clock;

  constructor({ state, clock }: { state: AuthState; clock: Clock }) {
    this.#state = state;
    this.#clock = clock;
  }

  create(body: BodyOf<'create_token'>, principal: Principal): AuthReply {
    return this.#whileEnforced(() => {
      const issuer = this.#issuerIn(principal);
      const { name, description, expiresInSeconds, permission, collections } = readTokenRequest(body);
      if (this.#state.tokenCount >= TOKENS_MAX) refuse(`There are ${TOKENS_MAX} access tokens, which is the most; delete one first`);
      const secret = generateTokenSecret();
      const createdAtMs = this.#clock.nowMs();
      const expiresAtMs = expiresInSeconds === null ? null : createdAtMs + expiresInSeconds * 1000;
      refuseLongerLife(expiresAtMs, issuer);
      const secretHash = hashSecret(secret).toString('base64');
      const issuedBy = issuer === undefined ? [] : [issuer.id];
      const limits = { expiresAtMs, permission, ...(collections && { collections }) };
      const token = this.#state.addToken({ name, description, createdAtMs, ...limits, secretHash, issuedBy });
      return { status: 200, body: shownOnce(token, secret) };
    });
  }

  list(): AuthReply {
    return this.#whileEnforced(() => ({ status: 200, body: this.#state.tokens().map(shown) }));
  }

  rotate(id: string, principal: Principal): AuthReply {
    return this.#whileEnforced(() => {
      const issuer = this.#issuerIn(principal);
      const token = this.#find(id);
      if (token === undefined) return NOT_FOUND;
      if (token.expiresAtMs !== null && token.expiresAtMs <= this.#clock.nowMs()) refuse('Cannot rotate an expired access token');
      const secret = generateTokenSecret();
      refuseLongerLife(token.expiresAtMs, issuer);
      const issuedBy = issuersOf(token, issuer);
      const rotated = { ...token, secretHash: hashSecret(secret).toString('base64'), issuedBy };
      this.#state.replaceToken(rotated);
      return { status: 200, body: shownOnce(rotated, secret) };
    });
  }

  delete(id: string, principal: Principal): AuthReply {
    return this.#whileEnforced(() => {
      this.#issuerIn(principal);
      const token = this.#find(id);
      if (token === undefined) return NOT_FOUND;
      this.#state.removeTokens(this.#withIssuedBy(token.id));
      return success('Access token deleted successfully');
    });
  }

  #whileEnforced(run: () => AuthReply): AuthReply {
    if (!this.#state.enforced) return failure(403, TOKENS_NEED_ENFORCEMENT);
    try {
      return run();
    } catch (error) {
      if (error instanceof ServiceError) return failure(error.restStatus, error.message);
      throw error;
    }
  }

  /** The token that asks, undefined for the admin. @throws ServiceError `unauthorized` for one that has ended since its request came */
  #issuerIn(principal: Principal): TokenRecord | undefined {
    if (principal.kind === 'admin') return undefined;
    const token = principal.kind === 'token' ? this.#state.token(principal.id) : undefined;
    if (token === undefined) throw new ServiceError('unauthorized');
    return token;
  }

  /** A token, those that it has issued, those that they have issued, and so on. */
  #withIssuedBy(id: number): readonly number[] {
    const ended = new Set([id]);
    const byIssuer = new Map<number, number[]>();
    for (const { id: issued, issuedBy = [] } of this.#state.tokens()) {
      for (const issuer of issuedBy) byIssuer.set(issuer, [...(byIssuer.get(issuer) ?? []), issued]);
    }
    // A set gives the members that are added while it is walked through.
    for (const each of ended) for (const issued of byIssuer.get(each) ?? []) ended.add(issued);
    return [...ended];
  }

  /** By the id as it stands in the path, in the one way that we write it. */
  #find(id: string): TokenRecord | undefined {
    return /^[1-9][0-9]{0,14}$/.test(id) ? this.#state.token(Number(id)) : undefined;
  }
}

const NOT_FOUND: AuthReply = failure(404, 'Access token not found');

/** A token that rotates itself is known to nobody else than before; what the admin rotates is known to the admin alone. */
function issuersOf({ id, issuedBy = [] }: TokenRecord, issuer: TokenRecord | undefined): readonly number[] {
  if (issuer === undefined) return [];
  return issuer.id === id ? issuedBy : [...new Set([...issuedBy, issuer.id])];
}

function refuseLongerLife(expiresAtMs: number | null, issuer: TokenRecord | undefined): void {
  const end = issuer?.expiresAtMs ?? null;
  if (end === null || (expiresAtMs !== null && expiresAtMs <= end)) return;
  const when = new Date(end).toISOString();
  refuse(
    `This access token expires on ${when} and can issue none that lives longer; set expires_in_seconds accordingly, or log in as admin`,
  );
}

function refuse(reason: string): never {
  throw new ServiceError('invalid_request', { reason });
}

function shown({ id, name, description, createdAtMs, expiresAtMs, permission, collections }: TokenRecord): AccessToken {
  return {
    id,
    name,
    // Older tokens may have none.
    description: description ?? '',
    created_at: new Date(createdAtMs).toISOString(),
    expired_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    will_expire: expiresAtMs !== null,
    permission: formatPermission(permission),
    ...(collections && { collections }),
  };
}

function shownOnce(token: TokenRecord, secret: string): NewAccessToken {
  return { ...shown(token), api_key: secret };
}
