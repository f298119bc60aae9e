// SPDX-License-Identifier: Apache-2.0
/** The secret that signs admin JWTs. Another secret than before makes every older JWT worthless. */
import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { openSecretFile } from '@sextant/foundation-service';

const SECRET_FILE = 'jwt-secret';
/** RFC 7518 section 3.2: an HS256 key has at least the size of the hash. */
const SECRET_BYTES_MIN = 32;

export type JwtSecret = {
  readonly signingKey: Uint8Array;
  /** Shorter than RFC 7518 asks for: it works, but it can be guessed from a JWT with less effort than it should take. */
  readonly isWeak: boolean;
};

/** What the key is made for, so that nothing else made of the secret of a cluster is the same. */
const PURPOSE = 'admin jwt';

/**
 * @param configured the value of SERVICE_JWT_SECRET
 * @param shared the secret of the nodes of a cluster: what one of them has signed, the others know
 */
export function openJwtSecret({
  directory,
  configured,
  shared,
}: {
  directory: string;
  configured: string | undefined;
  shared?: string | undefined;
}): JwtSecret {
  if (configured === undefined && shared !== undefined) {
    return { signingKey: new Uint8Array(hkdfSync('sha256', shared, '', PURPOSE, SECRET_BYTES_MIN)), isWeak: false };
  }
  const secret = openSecretFile({ path: join(directory, SECRET_FILE), configured, setting: 'SERVICE_JWT_SECRET' });
  const signingKey = new TextEncoder().encode(secret);
  return { signingKey, isWeak: signingKey.length < SECRET_BYTES_MIN };
}
