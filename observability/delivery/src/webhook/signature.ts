// SPDX-License-Identifier: Apache-2.0
/**
 * Signatures after Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md):
 * HMAC-SHA256 over `id.timestamp.body`, so that neither a body nor its time can be changed or replayed unnoticed.
 */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32;

export function generateWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export type SignedMessage = { readonly id: string; readonly timestampSeconds: number; readonly body: string };

/**
 * The three headers. With several secrets, as in the time after a change, the receiver finds the one that it has.
 *
 * @param secrets none leaves the signature out
 */
export function signatureHeaders(
  { id, timestampSeconds, body }: SignedMessage,
  secrets: readonly string[],
): { readonly [name: string]: string } {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestampSeconds) };
  if (secrets.length === 0) return headers;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  });
  return { ...headers, 'webhook-signature': signatures.join(' ') };
}
