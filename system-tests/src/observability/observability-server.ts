// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import { type ChildServer, type ChildServerOptions, startServer } from '@sextant/foundation-testing';
import { logIn, type ObservabilityApi, observabilityApi, type TenantUser } from './observability-api.ts';

/** The file that starts the service: in tests that of its bundle, see `tools/bundle/for-tests.ts`. */
export const ENTRY =
  process.env.OBSERVABILITY_ENTRY ?? fileURLToPath(new URL('../../../observability/server/src/main.ts', import.meta.url));

/** The admin of the tenant that the first start makes. */
export const ADMIN: TenantUser = { tenant: 'default', email: 'admin@localhost', password: 'Correct-Horse-42' };
export const PLATFORM_TOKEN = 'platform-token-of-the-system-tests-only';

export type ObservabilityServerOptions = Omit<ChildServerOptions, 'entry'> & { readonly directory: string };

/** Starts the observability service on a free port over a data directory, its metadata in SQLite unless `environment` says otherwise. */
export function startObservabilityServer({ directory, environment, ...options }: ObservabilityServerOptions): Promise<ChildServer> {
  return startServer({ ...options, entry: ENTRY, environment: { ...observabilityEnvironment(directory), ...environment } });
}

export function observabilityEnvironment(directory: string): { readonly [name: string]: string | undefined } {
  return {
    NODE_COMPILE_CACHE: undefined,
    OBSERVABILITY_HOST: '127.0.0.1',
    OBSERVABILITY_PORT: '0',
    OBSERVABILITY_DATA_DIR: directory,
    OBSERVABILITY_ADMIN_PASSWORD: ADMIN.password,
    OBSERVABILITY_PLATFORM_TOKEN: PLATFORM_TOKEN,
    OBSERVABILITY_ENCRYPTION_KEY: undefined,
    OBSERVABILITY_ALLOWED_DIRECTORIES: undefined,
    OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: undefined,
    OBSERVABILITY_OIDC_ISSUER: undefined,
    OBSERVABILITY_OIDC_JWKS_URL: undefined,
    OBSERVABILITY_OIDC_AUDIENCE: undefined,
    OBSERVABILITY_LOG_LEVEL: 'info',
    DATABASE_URL: undefined,
  };
}

/** The API as the first admin. */
export async function adminApi({ client }: Pick<ChildServer, 'client'>): Promise<ObservabilityApi> {
  return observabilityApi(client, { tenant: ADMIN.tenant, headers: await logIn(client, ADMIN) });
}
