// SPDX-License-Identifier: Apache-2.0
import { type ChildServer, temporaryDirectory } from '@sextant/foundation-testing';
import { logIn, type ObservabilityApi, observabilityApi } from '../observability-api.ts';
import { ADMIN, type ObservabilityServerOptions, startObservabilityServer } from '../observability-server.ts';
import { type Wire, wire } from './wire.ts';

export type ServiceUnderTest = AsyncDisposable & {
  readonly server: ChildServer;
  /** The tenant `default` as its admin: as requests, and as typed calls. */
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
