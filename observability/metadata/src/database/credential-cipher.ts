// SPDX-License-Identifier: Apache-2.0
/**
 * Credentials at rest: AES-256-GCM, as base64 of nonce (12 bytes), tag (16 bytes) and ciphertext. The place where a credential
 * belongs is authenticated with it, so that a row copied to another tenant or connection does not open there.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Sealed = { readonly text: string; readonly keyId: string };

export type CredentialCipher = {
  readonly seal: (plain: string, place: string) => Sealed;
  /** @throws CredentialKeyError when it was sealed with another key or for another place */
  readonly open: (sealed: Sealed, place: string) => string;
};

/** Stored credentials cannot be opened with the key that the program was given. */
export class CredentialKeyError extends Error {
  override readonly name = 'CredentialKeyError';
}

export function credentialCipher(key: Uint8Array): CredentialCipher {
  if (key.length !== KEY_BYTES) throw new RangeError(`the encryption key has ${key.length} bytes; it must have ${KEY_BYTES}`);
  // Distinguishes keys without revealing anything of them.
  const keyId = createHash('sha256').update('sextant credential key ').update(key).digest('hex').slice(0, 16);
  return {
    seal: (plain, place) => {
      // Never from a seed: a nonce that repeats under one key gives the key stream away.
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
      const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return { text: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64'), keyId };
    },
    open: (sealed, place) => {
      if (sealed.keyId !== keyId) {
        throw new CredentialKeyError(`The credential was encrypted with key ${sealed.keyId}, but the program has key ${keyId}.`);
      }
      const bytes = Buffer.from(sealed.text, 'base64');
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new CredentialKeyError('The stored credential is damaged or belongs elsewhere.', { cause });
      }
    },
  };
}
