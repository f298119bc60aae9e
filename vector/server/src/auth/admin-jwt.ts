// SPDX-License-Identifier: Apache-2.0
/** The admin's JWT: HS256, one hour, bound to the signing key and to the version of the password that it was earned with. */
import { errors, jwtVerify, SignJWT } from 'jose';
import type { AuthSnapshot } from './auth.ts';

/** The only user there is; nobody can choose another name. */
export const ADMIN_USERNAME = 'admin';

export const JWT_LIFETIME_SECONDS = 3600;

const ALGORITHM = 'HS256';
const ISSUER = 'sextant';
const PASSWORD_VERSION = 'password_version';

type Signing = Pick<AuthSnapshot, 'signingKey' | 'passwordVersion'>;

export function signAdminJwt({ signingKey, passwordVersion }: Signing, nowMs: number): Promise<string> {
  const issuedSeconds = Math.floor(nowMs / 1000);
  return new SignJWT({ [PASSWORD_VERSION]: passwordVersion })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setSubject(ADMIN_USERNAME)
    .setIssuedAt(issuedSeconds)
    .setExpirationTime(issuedSeconds + JWT_LIFETIME_SECONDS)
    .sign(signingKey);
}

/** When a valid JWT expires, in milliseconds since the epoch; undefined when it is not valid, for whatever reason. */
export async function verifyAdminJwt(jwt: string, { signingKey, passwordVersion }: Signing, nowMs: number): Promise<number | undefined> {
  try {
    const { payload } = await jwtVerify(jwt, signingKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      subject: ADMIN_USERNAME,
      requiredClaims: ['exp'],
      currentDate: new Date(nowMs),
    });
    const isCurrent = payload[PASSWORD_VERSION] === passwordVersion;
    return isCurrent && payload.exp !== undefined ? payload.exp * 1000 : undefined;
  } catch (error) {
    // Whatever a caller sends ends in one of jose's errors; anything else is ours.
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
