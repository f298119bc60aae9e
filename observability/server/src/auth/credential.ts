// SPDX-License-Identifier: Apache-2.0
/** What a request says about who sends it. */
import type { IncomingHttpHeaders } from 'node:http';

export type Credential = { readonly kind: 'bearer'; readonly token: string } | { readonly kind: 'api_key'; readonly key: string };

/** Longer than any credential of ours, or of an issuer; what is longer is not worth hashing. */
const CREDENTIAL_LENGTH_MAX = 8192;

/** `Authorization: Bearer`, the same in `Authentication` (published pages use both), or an API key in `X-TLM-Key`. */
export function credentialOf(headers: IncomingHttpHeaders): Credential | undefined {
  for (const header of [headers.authorization, headers.authentication]) {
    const token = /^Bearer +(\S+) *$/i.exec(typeof header === 'string' ? header : '')?.[1];
    if (token !== undefined && token.length <= CREDENTIAL_LENGTH_MAX) return { kind: 'bearer', token };
  }
  const key = headers['x-tlm-key'];
  return typeof key === 'string' && key !== '' && key.length <= CREDENTIAL_LENGTH_MAX ? { kind: 'api_key', key } : undefined;
}
