// SPDX-License-Identifier: Apache-2.0
/**
 * What a test of the console stands in: both services as processes over temporary folders, a browser, and something to show. A file of tests
 * starts it once.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildServer, freePort, temporaryDirectory } from '@sextant/foundation-testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ObservabilityApi } from '../observability/observability-api.ts';
import { ADMIN, adminApi, startObservabilityServer } from '../observability/observability-server.ts';
import { startVectorServer } from '../vector-server.ts';
import { launchBrowser } from './browser.ts';
import { calendarIn } from './fixture/calendar.ts';
import { fillMnist } from './fixture/mnist-collection.ts';
import { type SeededTenant, seedTenant } from './fixture/seeded-tenant.ts';

export const VECTORS = 600;
/** Only what hangs takes so long of a page, on however busy a machine; less than a test may take, so that the step is named. */
export const PATIENCE_MS = 90_000;

type PageOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** What moves would be looked at on its way. */
const WINDOW: PageOptions = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' };

export type ConsoleFixture = AsyncDisposable & {
  readonly vector: ChildServer;
  readonly observability: ChildServer;
  readonly browser: Browser;
  /** The observability service as its first admin. */
  readonly api: ObservabilityApi;
  /** Where that service may read files. */
  readonly directory: string;
  /** What the console asks for before it creates the first admin. */
  readonly setupCode: () => Promise<string>;
  /** A page on which nobody is signed in, at a screen: what stands behind the # of the address. */
  readonly open: (screen: string) => Promise<Page>;
  /** The same, signed in as the first admin. */
  readonly openAsMember: (screen: string) => Promise<Page>;
  /** The same as `open` with nothing shared: for somebody who signs in there, and for another kind of window. */
  readonly openApart: (screen: string, options?: PageOptions) => Promise<Page>;
  /** Shows another screen of a page; what is in the memory of the page stays. */
  readonly show: (page: Page, screen: string) => Promise<void>;
};

export type SeedSize = {
  readonly vectors?: number;
  /** How long the tenant has been at work. */
  readonly days?: number;
};

export type SeededConsole = { readonly fixture: ConsoleFixture; readonly tenant: SeededTenant };

type FixtureOptions = {
  /** Of the vector service, beside those that it has without being set. */
  readonly capabilities?: string;
  /** Of pages that may call the observability service. */
  readonly allowedOrigins?: string;
  /** Of the vector service, besides. */
  readonly vectorEnvironment?: { readonly [name: string]: string };
};

/** Both services empty, but for the first admin of the observability service. */
export async function startConsoleFixture(options: FixtureOptions = {}): Promise<ConsoleFixture> {
  return (await startFixture(options)).fixture;
}

/** The same with a tenant and a collection (`mnist`) that have something to show on every screen. */
export async function startSeededFixture({ vectors = VECTORS, days }: SeedSize = {}): Promise<SeededConsole> {
  const { fixture, calendar } = await startFixture();
  const seed = { directory: fixture.directory, calendar, ...(days !== undefined && { days }) };
  // Where it cannot be made, nothing of it is left running.
  await using started = new AsyncDisposableStack();
  started.use(fixture);
  const [tenant] = await Promise.all([seedTenant(fixture.api, seed), fillMnist(fixture.vector.client, vectors)]);
  started.move();
  return { fixture, tenant };
}

async function startFixture({ capabilities, allowedOrigins, vectorEnvironment }: FixtureOptions = {}) {
  await using started = new AsyncDisposableStack();
  const { path } = started.use(await temporaryDirectory());
  const directory = join(path, 'files');
  await mkdir(directory);
  const calendar = calendarIn(path);
  const browser = await launchBrowser();
  started.defer(() => browser.close());
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
    OBSERVABILITY_VECTOR_URL: vector.address,
    OBSERVABILITY_ALLOWED_ORIGINS: allowedOrigins,
    OBSERVABILITY_ALLOWED_DIRECTORIES: directory,
    OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true',
    ...calendar.environment,
  };
  const observability = started.use(
    await startObservabilityServer({
      directory: join(path, 'observability'),
      environment,
    }),
  );
  const api = await adminApi(observability);

  const show = async (page: Page, screen: string) => {
    await page.goto(`${observability.address}/#${screen}`);
  };
  const openIn = async (context: BrowserContext, screen: string) => {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await show(page, screen);
    return page;
  };
  // Pages of one context share what the browser has loaded and compiled; signing in and loading the console again takes most of a short test.
  const strangers = await browser.newContext(WINDOW);
  let members: BrowserContext | undefined;
  const open = (screen: string) => openIn(strangers, screen);
  const openAsMember = async (screen: string) => {
    if (members !== undefined) return openIn(members, screen);
    const context = await browser.newContext(WINDOW);
    const page = await openIn(context, screen);
    await signIn(page);
    members = context;
    return page;
  };
  const openApart = async (screen: string, options: PageOptions = {}) =>
    openIn(await browser.newContext({ ...WINDOW, ...options }), screen);
  const setupCode = () => readFile(join(path, 'vector', 'setup-code'), 'utf8');
  const parts = { vector, observability, browser, api, directory, setupCode, open, openAsMember, openApart, show };
  const running = started.move();
  const fixture: ConsoleFixture = { ...parts, [Symbol.asyncDispose]: () => running.disposeAsync() };
  return { fixture, calendar };
}

/** Fills in the form that stands before the screens of data health. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(ADMIN.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor({ state: 'detached' });
}
