/** The access tokens: made, listed, rotated and deleted while enforcement is on. */
import { type BodyOf, ServiceError } from '@sextant/contracts-vector';
import { hashSecret } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { AccessToken, AuthReply, NewAccessToken } from './auth.ts';
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

  create(body: BodyOf<'create_token'>): AuthReply {
    return this.#whileEnforced(() => {
      const { name, description, expiresInSeconds, permission } = readTokenRequest(body);
      if (this.#state.tokenCount >= TOKENS_MAX) refuse(`There are ${TOKENS_MAX} access tokens, which is the most; delete one first`);
      const secret = generateTokenSecret();
      const createdAtMs = this.#clock.nowMs();
      const expiresAtMs = expiresInSeconds === null ? null : createdAtMs + expiresInSeconds * 1000;
      const secretHash = hashSecret(secret).toString('base64');
      const token = this.#state.addToken({ name, description, createdAtMs, expiresAtMs, permission, secretHash });
      return { status: 200, body: shownOnce(token, secret) };
    });
  }

  list(): AuthReply {
    return this.#whileEnforced(() => ({ status: 200, body: this.#state.tokens().map(shown) }));
  }

  rotate(id: string): AuthReply {
    return this.#whileEnforced(() => {
      const token = this.#find(id);
      if (token === undefined) return NOT_FOUND;
      if (token.expiresAtMs !== null && token.expiresAtMs <= this.#clock.nowMs()) refuse('Cannot rotate an expired access token');
      const secret = generateTokenSecret();
      const rotated = { ...token, secretHash: hashSecret(secret).toString('base64') };
      this.#state.replaceToken(rotated);
      return { status: 200, body: shownOnce(rotated, secret) };
    });
  }

  delete(id: string): AuthReply {
    return this.#whileEnforced(() => {
      const token = this.#find(id);
      if (token === undefined) return NOT_FOUND;
      this.#state.removeToken(token.id);
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

  /** By the id as it stands in the path, in the one way that we write it. */
  #find(id: string): TokenRecord | undefined {
    return /^[1-9][0-9]{0,14}$/.test(id) ? this.#state.token(Number(id)) : undefined;
  }
}

const NOT_FOUND: AuthReply = failure(404, 'Access token not found');

function refuse(reason: string): never {
  throw new ServiceError('invalid_request', { reason });
}

function shown({ id, name, description, createdAtMs, expiresAtMs, permission }: TokenRecord): AccessToken {
  return {
    id,
    name,
    description,
    created_at: new Date(createdAtMs).toISOString(),
    expired_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    will_expire: expiresAtMs !== null,
    permission: formatPermission(permission),
  };
}

function shownOnce(token: TokenRecord, secret: string): NewAccessToken {
  return { ...shown(token), api_key: secret };
}
