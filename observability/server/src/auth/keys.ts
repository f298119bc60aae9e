// SPDX-License-Identifier: Apache-2.0
/** The keys of the service, each made from the one secret that the operator sets or that is generated (HKDF, RFC 5869). */
import { hkdfSync } from 'node:crypto';
import type { PlatformMetadata } from '@sextant/observability-metadata';

const KEY_BYTES = 32;

export type ServiceKeys = {
  /** Encrypts the credentials of connections. */
  readonly credentials: Uint8Array;
  /** Signs access tokens. */
  readonly accessTokens: Uint8Array;
  /** Says whether two processes have the same secret, and nothing else of it. */
  readonly fingerprint: string;
};

/** The secret is not the one that this database was written with. */
export class OtherKeyError extends Error {
  override readonly name = 'OtherKeyError';
}

const FINGERPRINT = 'encryption-key-fingerprint';

/** @throws OtherKeyError where the store knows another secret: its credentials could not be read, and tokens of other processes not be checked */
export async function requireSameKeys({ settings }: Pick<PlatformMetadata, 'settings'>, { fingerprint }: ServiceKeys): Promise<void> {
  if ((await settings.setIfAbsent(FINGERPRINT, fingerprint)) === fingerprint) return;
  throw new OtherKeyError(
    'this database was written with another encryption key; set OBSERVABILITY_ENCRYPTION_KEY to that key, or restore the file encryption-key of the data directory',
  );
}

export function deriveKeys(secret: string): ServiceKeys {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', `sextant-observability ${purpose}`, KEY_BYTES));
  return {
    credentials: derive('credentials'),
    accessTokens: derive('access tokens'),
    fingerprint: Buffer.from(derive('fingerprint')).toString('hex'),
  };
}
