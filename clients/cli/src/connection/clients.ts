// SPDX-License-Identifier: Apache-2.0
/** The clients of a command, made from its settings when it first needs one. */
import { ObservabilityClient, VectorClient } from '@sextant/sdk';
import type { Shell } from '../shell.ts';
import { readSettings } from './settings.ts';

/**
 * A person waits, so a service that is not reached is reported at once; long work passes `LONG_WORK` with its calls, and is tried again as the services advise.
 */
const AT_ONCE = { retries: 0 };
export const LONG_WORK = { retries: 5 };

/** The password of the vector service's admin, for what an API key cannot do. */
export const ADMIN_PASSWORD_VARIABLE = 'SEXTANT_ADMIN_PASSWORD';

export async function vectorClient({ flags, environment, terminal }: Shell): Promise<VectorClient> {
  const { vector } = await readSettings(flags(), environment, terminal.warn);
  return new VectorClient({
    url: vector.url,
    ...(vector.apiKey !== undefined && { apiKey: vector.apiKey }),
    timeoutMs: flags().timeoutSeconds * 1000,
    retry: AT_ONCE,
  });
}

/** Signed in as admin where the environment holds the password. */
export async function adminClient(shell: Shell): Promise<VectorClient> {
  const client = await vectorClient(shell);
  const password = shell.environment[ADMIN_PASSWORD_VARIABLE];
  if (password) await client.login(password, { signal: shell.signal });
  return client;
}

export async function observabilityClient({ flags, environment, terminal }: Shell): Promise<ObservabilityClient> {
  const { observability } = await readSettings(flags(), environment, terminal.warn);
  return new ObservabilityClient({
    url: observability.url,
    tenant: observability.tenant,
    ...(observability.apiKey !== undefined && { apiKey: observability.apiKey }),
    timeoutMs: flags().timeoutSeconds * 1000,
    retry: AT_ONCE,
  });
}
