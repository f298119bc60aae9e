// SPDX-License-Identifier: Apache-2.0
/** Secrets of our making: shown once, kept only as a hash. */
import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** @param prefix names the kind of secret, and lets scanners of leaked secrets find ours */
export function generateSecret(prefix: string): string {
  return prefix + randomBytes(SECRET_BYTES).toString('base64url');
}

/** SHA-256 is enough where a password would need argon2: 256 random bits cannot be guessed, however fast a guess is. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
