/** The keys of the service, each made from the one secret that the operator sets or that is generated (HKDF, RFC 5869). */
import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

export type ServiceKeys = {
  /** Encrypts the credentials of connections. */
  readonly credentials: Uint8Array;
  /** Signs access tokens. */
  readonly accessTokens: Uint8Array;
};

export function deriveKeys(secret: string): ServiceKeys {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', `sextant-observability ${purpose}`, KEY_BYTES));
  return { credentials: derive('credentials'), accessTokens: derive('access tokens') };
}
