// SPDX-License-Identifier: Apache-2.0
/** Both services as anybody starts them, and a browser for which names of other sites lead to this machine. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints as observabilityEndpoints } from '@sextant/contracts-observability';
import { endpoints as vectorEndpoints } from '@sextant/contracts-vector/schemas';
import { type ChildServer, freePort, temporaryDirectory } from '@sextant/foundation-testing';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../console/browser.ts';
import { startObservabilityServer } from '../observability/observability-server.ts';
import { startVectorServer, TWO_THREADS } from '../vector-server.ts';
import { HOSTILE_PAGE, type Route } from './hostile-page.ts';

export const EVIL = 'evil.example';
export const REBOUND = 'rebind.evil.example';

export type Target = { readonly name: string; readonly server: ChildServer; readonly routes: readonly Route[] };

export type HostileSites = AsyncDisposable & {
  readonly vector: Target;
  readonly observability: Target;
  readonly browser: Browser;
  /** The port of the site that has the hostile page, under every name. */
  readonly sitePort: number;
};

const PATHS_OF_THE_CONSOLE = ['/console', '/console/capabilities'];

export async function startHostileSites(): Promise<HostileSites> {
  await using started = new AsyncDisposableStack();
  const { path } = started.use(await temporaryDirectory());
  const port = await freePort();
  const vector = started.use(
    await startVectorServer({
      directory: `${path}/vector`,
      environment: { ...TWO_THREADS, SERVICE_CAPABILITIES: 'all', SERVICE_OBSERVABILITY_URL: `http://{host}:${port}` },
    }),
  );
  const observability = started.use(
    await startObservabilityServer({
      directory: `${path}/observability`,
      environment: { OBSERVABILITY_PORT: String(port), OBSERVABILITY_VECTOR_URL: `http://{host}:${new URL(vector.address).port}` },
    }),
  );
  const site = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(HOSTILE_PAGE));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  started.defer(() => void site.close());
  const browser = await launchBrowser([
    `--host-resolver-rules=MAP ${EVIL} 127.0.0.1, MAP ${REBOUND} 127.0.0.1`,
    // Newer browsers ask before a page may reach this machine. What is tested is what the services do when it may.
    '--disable-features=LocalNetworkAccessChecks',
    // Frames of other sites get no processes of their own, which are most of the time that the attacks take. What a page may read is the same.
    '--disable-site-isolation-trials',
  ]);
  started.defer(() => browser.close());
  const running = started.move();
  return {
    vector: { name: 'vector', server: vector, routes: routesOf(Object.values(vectorEndpoints)) },
    observability: { name: 'observability', server: observability, routes: routesOf(Object.values(observabilityEndpoints)) },
    browser,
    sitePort: (site.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

type Row = Route & { readonly aliases?: readonly string[] };

/** Of every row of the table, under each of its paths, so that a new one is tried too; and what stands beside the table. */
function routesOf(rows: readonly Row[]): readonly Route[] {
  const ofTable = rows.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases].map((each) => ({ method, path: each.replaceAll('{tenant}', 'default').replaceAll(/\{\w+\}/g, '1') })),
  );
  return [...ofTable, ...PATHS_OF_THE_CONSOLE.map((path) => ({ method: 'GET', path })), { method: 'POST', path: '/nowhere' }];
}

/** How many answers a service has given, by status. */
export async function answersByStatus({ client }: ChildServer): Promise<ReadonlyMap<string, number>> {
  const { body } = await client.request('GET', '/metrics');
  const counts = new Map<string, number>();
  for (const [, status = '', count] of String(body).matchAll(/^rest_responses_total\{[^}]*status="(\d+)"[^}]*\} (\d+)$/gm)) {
    counts.set(status, (counts.get(status) ?? 0) + Number(count));
  }
  return counts;
}
