// SPDX-License-Identifier: Apache-2.0
/** The secrets that a webhook's messages are signed with. */
import { generateWebhookSecret } from '@sextant/observability-delivery';
import type { ChannelSecret, TenantMetadata } from '@sextant/observability-metadata';

/** Time for a receiver to take over the new secret; meanwhile messages carry the signatures of both. */
const PREVIOUS_VALID_MS = 24 * 3_600_000;

/** Gives the channel a new secret, and answers it: it is not shown again. */
export async function renewSecret({ channels }: TenantMetadata, name: string, nowMs: number): Promise<string> {
  const before = await channels.secret(name);
  const current = generateWebhookSecret();
  const valid_until = new Date(nowMs + PREVIOUS_VALID_MS).toISOString();
  await channels.putSecret(name, { current, previous: before === undefined ? null : { secret: before.current, valid_until } });
  return current;
}

/** None for a channel of a release that had no secrets. */
export function validSecrets(secret: ChannelSecret | undefined, nowMs: number): readonly string[] {
  if (secret === undefined) return [];
  const { current, previous } = secret;
  return previous !== null && Date.parse(previous.valid_until) > nowMs ? [current, previous.secret] : [current];
}
