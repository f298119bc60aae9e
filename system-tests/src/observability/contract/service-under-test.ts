// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { type ChildServer, temporaryDirectory } from '@sextant/foundation-testing';
import { sharedFolder } from '../../shared-server.ts';
import { logIn, type ObservabilityApi, observabilityApi } from '../observability-api.ts';
import { ADMIN, adminApi, type ObservabilityServerOptions, PLATFORM_TOKEN, startObservabilityServer } from '../observability-server.ts';
import { bodyOf, type Wire, wire } from './wire.ts';

export type ServiceUnderTest = AsyncDisposable & {
  readonly server: ChildServer;
  /** A tenant as its admin: as requests, whose paths call it `default`, and as typed calls. */
  readonly admin: Wire;
  readonly api: ObservabilityApi;
};

/** A service over a directory of its own; disposing it stops it in order and fails if it does not leave with exit code 0. */
export async function startServiceUnderTest(environment: ObservabilityServerOptions['environment'] = {}): Promise<ServiceUnderTest> {
  const directory = await temporaryDirectory();
  const server = await startObservabilityServer({ directory: directory.path, environment });
  const headers = await logIn(server.client, ADMIN);
  return {
    server,
    admin: wire(server, headers),
    api: observabilityApi(server.client, { tenant: ADMIN.tenant, headers }),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await directory[Symbol.asyncDispose]();
    },
  };
}

let shared: ChildServer | undefined;

/**
 * A tenant of its own in the service that test files share, which may read temporary folders and connect to this machine. A start takes more processor time
 * than most scans. It ends with the process: who stops, kills or damages a service, or looks at its log, starts one.
 */
export async function sharedServiceUnderTest(): Promise<ServiceUnderTest> {
  const server = await sharedObservabilityServer();
  const tenant = `tenant-${randomUUID().slice(0, 8)}`;
  const body = { id: tenant, name: tenant, admin_email: ADMIN.email, admin_password: ADMIN.password };
  bodyOf(await server.client.request('POST', '/platform/tenants', body, { headers: { authorization: `Bearer ${PLATFORM_TOKEN}` } }));
  const headers = await logIn(server.client, { ...ADMIN, tenant });
  return {
    server,
    admin: wire(server, headers, tenant),
    api: observabilityApi(server.client, { tenant, headers }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** The same service with its first tenant, which has no assets: for programs that know no other. */
export async function sharedFirstTenant(): Promise<ChildServer> {
  const server = await sharedObservabilityServer();
  const api = await adminApi(server);
  for (const { id, project_id } of await api.call('list_assets', {})) await api.call('delete_asset', { project_id, asset_id: id });
  return server;
}

async function sharedObservabilityServer(): Promise<ChildServer> {
  shared ??= await startObservabilityServer({
    directory: await sharedFolder(),
    environment: { OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true', OBSERVABILITY_ALLOWED_DIRECTORIES: tmpdir() },
  });
  return shared;
}
