// SPDX-License-Identifier: Apache-2.0
/**
 * Access tokens of an outside OAuth or OpenID Connect issuer: signed with a key of its JWKS, with its `iss` and our `aud`.
 *
 * How claims become a place in a tenant: `tenant` and `role` name both outright (`role` is one of ours). Where they are missing, a verified
 * `email` stands for the user of that address in the tenant of the path. A token that says neither has no role anywhere.
 */
import type { Role } from '@sextant/contracts-observability';
import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { isRole } from './roles.ts';

export type OutsideIssuerOptions = { readonly issuer: string; readonly jwksUrl: string; readonly audience: string };

export type OutsideClaims = {
  readonly subject: string;
  readonly email: string | undefined;
  readonly place: { readonly tenantId: string; readonly role: Role } | undefined;
};

/** Asymmetric ones only: with a symmetric one, whoever can verify could also sign (RFC 8725 section 3.1). */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
/** Clocks of two machines differ. */
const CLOCK_TOLERANCE_SECONDS = 30;
const FETCH_TIMEOUT_MS = 5000;

export class OutsideIssuer {
  readonly #options: OutsideIssuerOptions;
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;

  constructor(options: OutsideIssuerOptions) {
    this.#options = options;
    this.#keys = createRemoteJWKSet(new URL(options.jwksUrl), { timeoutDuration: FETCH_TIMEOUT_MS });
  }

  /** Whether a token claims to be of this issuer; says nothing about its being true. */
  claims(jwt: string): boolean {
    try {
      return decodeJwt(jwt).iss === this.#options.issuer;
    } catch {
      return false;
    }
  }

  /** What a valid token says; undefined when it is not valid. */
  async verify(jwt: string, nowMs: number): Promise<OutsideClaims | undefined> {
    try {
      const { payload } = await jwtVerify(jwt, this.#keys, {
        algorithms: ALGORITHMS,
        issuer: this.#options.issuer,
        audience: this.#options.audience,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(nowMs),
      });
      return claimsOf(payload);
    } catch (error) {
      // An issuer that cannot be reached is no reason to let anyone in, and fetch throws a TypeError for it.
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }
}

function claimsOf({ sub = '', email, email_verified: isVerified, tenant, role }: JWTPayload): OutsideClaims {
  return {
    subject: sub,
    email: typeof email === 'string' && isVerified === true ? email : undefined,
    place: typeof tenant === 'string' && isRole(role) ? { tenantId: tenant, role } : undefined,
  };
}
