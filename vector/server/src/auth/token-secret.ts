/** The secret of an access token: shown once, kept only as a hash. */
import { createHash, randomBytes } from 'node:crypto';

/** Tells an access token from a JWT, and lets scanners of leaked secrets find ours. */
export const TOKEN_PREFIX = 'vdai_';
const SECRET_BYTES = 32;

export function generateTokenSecret(): string {
  return TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** SHA-256 is enough where a password would need argon2: 256 random bits cannot be guessed, however fast a guess is. */
export function hashTokenSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
