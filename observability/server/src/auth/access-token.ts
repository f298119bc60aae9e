// SPDX-License-Identifier: Apache-2.0
/**
 * Our own access tokens: JWT, HS256, one hour. The token says who; what that user may do is looked up with every request, so that
 * a deleted user or a smaller role counts at once. The claims of e-mail and role are for those who read the token.
 */
import type { User } from '@sextant/contracts-observability';
import { errors, jwtVerify, SignJWT } from 'jose';

/** Seconds, as published. */
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3600;

const ALGORITHM = 'HS256';
const ISSUER = 'sextant-observability';

export type AccessTokenClaims = {
  readonly tenantId: string;
  readonly userId: string;
  /** Grows with every change of the password, so that tokens earned with an earlier one stop working. */
  readonly passwordVersion: number;
};

export type SignOptions = { readonly signingKey: Uint8Array; readonly nowMs: number };

export function signAccessToken(
  { tenantId, user, passwordVersion }: { tenantId: string; user: Pick<User, 'id' | 'email' | 'role'>; passwordVersion: number },
  { signingKey, nowMs }: SignOptions,
): Promise<string> {
  const issuedSeconds = Math.floor(nowMs / 1000);
  return new SignJWT({ tenant: tenantId, email: user.email, role: user.role, password_version: passwordVersion })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setSubject(user.id)
    .setIssuedAt(issuedSeconds)
    .setExpirationTime(issuedSeconds + ACCESS_TOKEN_LIFETIME_SECONDS)
    .sign(signingKey);
}

/** What a valid token says; undefined when it is not valid, for whatever reason. */
export async function verifyAccessToken(jwt: string, { signingKey, nowMs }: SignOptions): Promise<AccessTokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(jwt, signingKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      requiredClaims: ['exp', 'sub', 'tenant', 'password_version'],
      currentDate: new Date(nowMs),
    });
    const { sub, tenant, password_version: passwordVersion } = payload;
    if (typeof sub !== 'string' || typeof tenant !== 'string' || typeof passwordVersion !== 'number') return undefined;
    return { tenantId: tenant, userId: sub, passwordVersion };
  } catch (error) {
    // Whatever a caller sends ends in one of jose's errors; anything else is ours.
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
