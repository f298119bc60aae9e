// SPDX-License-Identifier: Apache-2.0
/**
 * What a test of the console stands in: both services as processes over temporary folders, a browser, and something to show. Files share what they need no
 * service of their own for: each gets a tenant, a vector service without collections, and a page that nobody is signed in on. The others start services, once
 * a file, and share the page.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildServer, freePort, temporaryDirectory } from '@sextant/foundation-testing';
import type { Browser, Page } from 'playwright-core';
import { logIn, type ObservabilityApi, observabilityApi } from '../observability/observability-api.ts';
import { ADMIN, adminApi, PLATFORM_TOKEN, startObservabilityServer } from '../observability/observability-server.ts';
import { emptyServer, sharedFolder } from '../shared-server.ts';
import { startVectorServer } from '../vector-server.ts';
import { sharedBrowser } from './browser.ts';
import { ConsolePages } from './console-pages.ts';
import { type Calendar, calendarIn } from './fixture/calendar.ts';
import { fillMnist } from './fixture/mnist-collection.ts';
import { type SeededTenant, seedTenant } from './fixture/seeded-tenant.ts';

/** More than a page of points, of each digit enough for the hits of a search. */
export const VECTORS = 140;

export type ConsoleFixture = AsyncDisposable & {
  readonly vector: ChildServer;
  readonly observability: ChildServer;
  readonly browser: Browser;
  /** The observability service as the first admin of its tenant. */
  readonly api: ObservabilityApi;
  /** Where that service may read files. */
  readonly directory: string;
  /** What the console asks for before it creates the first admin. */
  readonly setupCode: () => Promise<string>;
  /** The page with nobody signed in, at a screen: what stands behind the # of the address. Who signs in there signs out. */
  readonly open: (screen: string) => Promise<Page>;
  /** The same page with the first admin signed in. */
  readonly openAsMember: (screen: string) => Promise<Page>;
  /** Shows another screen of a page; what is in the memory of the page stays. */
  readonly show: (page: Page, screen: string) => Promise<void>;
};

export type SeedSize = {
  readonly vectors?: number;
  /** How long the tenant has been at work. */
  readonly days?: number;
};

export type SeededConsole = { readonly fixture: ConsoleFixture; readonly tenant: SeededTenant };

type ServiceOptions = {
  /** Of the vector service, beside those that it has without being set. */
  readonly capabilities?: string;
  /** Of pages that may call the observability service. */
  readonly allowedOrigins?: string;
  /** Of the vector service, besides. */
  readonly vectorEnvironment?: { readonly [name: string]: string };
  readonly calendar?: Calendar;
};

/** Both services, and the pages of the console at the address of one. */
type ConsoleServices = {
  readonly path: string;
  readonly vector: ChildServer;
  readonly observability: ChildServer;
  readonly browser: Browser;
  readonly pages: ConsolePages;
};

let shared: ConsoleServices | undefined;
let tenants = 0;

/** Services that the process keeps, every capability on, for a tenant of one's own. Who ends a service, or asks for its first admin, starts services. */
export async function sharedConsoleFixture(): Promise<ConsoleFixture> {
  const isRunning = shared?.vector.running === true && shared.observability.running && shared.browser.isConnected();
  shared = isRunning && shared !== undefined ? shared : await startServices(await sharedFolder(), { capabilities: 'all' });
  const services = shared;
  await emptyServer(services.vector);
  const { client } = services.observability;
  tenants += 1;
  const tenant = `console-${tenants}`;
  const platform = observabilityApi(client, { tenant, headers: { authorization: `Bearer ${PLATFORM_TOKEN}` } });
  await platform.call(
    'create_tenant',
    {},
    { body: { id: tenant, name: tenant, admin_email: ADMIN.email, admin_password: ADMIN.password } },
  );
  const api = observabilityApi(client, { tenant, headers: await logIn(client, { ...ADMIN, tenant }) });
  const directory = join(services.path, 'files', tenant);
  await mkdir(directory);
  return { ...fixtureOf(services, api, directory), [Symbol.asyncDispose]: () => services.pages.forget() };
}

/** Both services empty, but for the first admin of the observability service. */
export async function startConsoleFixture(options: ServiceOptions = {}): Promise<ConsoleFixture> {
  await using started = new AsyncDisposableStack();
  const { path } = started.use(await temporaryDirectory());
  const services = await startServices(path, options);
  started.use(services.vector);
  started.use(services.observability);
  started.defer(() => services.pages.forget());
  const fixture = fixtureOf(services, await adminApi(services.observability), join(path, 'files'));
  const running = started.move();
  return { ...fixture, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The same with a tenant and a collection (`mnist`) that have something to show on every screen. */
export async function startSeededFixture({ vectors = VECTORS, days }: SeedSize = {}): Promise<SeededConsole> {
  await using started = new AsyncDisposableStack();
  const calendar = calendarIn(started.use(await temporaryDirectory()).path);
  const fixture = started.use(await startConsoleFixture({ calendar }));
  const seed = { directory: fixture.directory, calendar, ...(days !== undefined && { days }) };
  const [tenant] = await Promise.all([seedTenant(fixture.api, seed), fillMnist(fixture.vector.client, vectors)]);
  const running = started.move();
  return { fixture: { ...fixture, [Symbol.asyncDispose]: () => running.disposeAsync() }, tenant };
}

async function startServices(
  path: string,
  { capabilities, allowedOrigins, vectorEnvironment, calendar }: ServiceOptions,
): Promise<ConsoleServices> {
  await using started = new AsyncDisposableStack();
  const directory = join(path, 'files');
  await mkdir(directory);
  // Each service has to know where the pages of the other one come from.
  const port = await freePort();
  const vector = started.use(
    await startVectorServer({
      directory: join(path, 'vector'),
      environment: { SERVICE_CAPABILITIES: capabilities, SERVICE_OBSERVABILITY_URL: `http://{host}:${port}`, ...vectorEnvironment },
    }),
  );
  const environment = {
    OBSERVABILITY_PORT: String(port),
    OBSERVABILITY_VECTOR_URL: `http://{host}:${new URL(vector.address).port}`,
    OBSERVABILITY_ALLOWED_ORIGINS: allowedOrigins,
    OBSERVABILITY_ALLOWED_DIRECTORIES: directory,
    OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true',
    ...calendar?.environment,
  };
  const observability = started.use(await startObservabilityServer({ directory: join(path, 'observability'), environment }));
  const browser = await sharedBrowser();
  // Where something of it cannot be started, nothing of it is left running.
  started.move();
  return { path, vector, observability, browser, pages: new ConsolePages(observability.address) };
}

function fixtureOf(
  { path, vector, observability, browser, pages }: ConsoleServices,
  api: ObservabilityApi,
  directory: string,
): Omit<ConsoleFixture, typeof Symbol.asyncDispose> {
  return {
    vector,
    observability,
    browser,
    api,
    directory,
    setupCode: () => readFile(join(path, 'vector', 'setup-code'), 'utf8'),
    open: (screen) => pages.open(screen),
    openAsMember: (screen) => pages.openAsMember(screen, api.tenant),
    show: (page, screen) => pages.show(page, screen),
  };
}
