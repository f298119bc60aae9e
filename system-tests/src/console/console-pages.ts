// SPDX-License-Identifier: Apache-2.0
/** The page of the console in a browser: of strangers, or of the first admin of a tenant. */
import type { Page } from 'playwright-core';
import { ADMIN } from '../observability/observability-server.ts';
import { sharedBrowser } from './browser.ts';

/** Only what hangs takes so long of a page, on however busy a machine; less than a test may take, so that the step is named. */
export const PATIENCE_MS = 90_000;

/** What moves would be looked at on its way. */
const WINDOW = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;

/** A screen that is drawn at once, and shows nothing that tests change. */
const BETWEEN = '/cluster';
/** What the page was answered is old from now on: a screen asks for it again, though it may show it meanwhile. */
const A_MINUTE_PASSES = '{ const now = Date.now; Date.now = () => now() + 60_000; }';

let shared: Page | undefined;

/**
 * One page of the process. In a new context the console takes 2.7 s of processor time, most of it for processes and for compiling what another context has
 * compiled; in a page that is there it takes 0.7 s.
 */
export async function sharedPage(): Promise<Page> {
  if (shared?.isClosed() === false && shared.context().browser()?.isConnected() === true) return shared;
  const context = await (await sharedBrowser()).newContext(WINDOW);
  shared = await context.newPage();
  shared.setDefaultTimeout(PATIENCE_MS);
  return shared;
}

/**
 * Loading the console again and signing in take most of a short test. So one page goes from screen to screen for as long as the same person is at it, and is
 * loaded again for another one.
 */
export class ConsolePages {
  readonly #address: string;
  /** Who is at the page: the first admin of a tenant, or somebody who is not signed in. */
  #visitor: { readonly tenant?: string } | undefined;

  constructor(address: string) {
    this.#address = address;
  }

  async open(screen: string): Promise<Page> {
    if (this.#visitor?.tenant !== undefined) await this.forget();
    const page = await this.#goTo(screen);
    this.#visitor = {};
    return page;
  }

  async openAsMember(screen: string, tenant: string): Promise<Page> {
    if (this.#visitor !== undefined && this.#visitor.tenant !== tenant) await this.forget();
    const isNew = this.#visitor === undefined;
    const page = await this.#goTo(screen);
    if (isNew) await signIn(page, tenant);
    this.#visitor = { tenant };
    return page;
  }

  async show(page: Page, screen: string): Promise<void> {
    await page.goto(`${this.#address}/#${screen}`);
  }

  /** Leaves the page without what it remembers, but for what the browser keeps of files. */
  async forget(): Promise<void> {
    if (this.#visitor === undefined) return;
    this.#visitor = undefined;
    const page = await sharedPage();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(`${this.#address}/livez`);
    await page.evaluate('localStorage.clear()');
    await page.context().clearCookies();
    await page.setViewportSize(WINDOW.viewport);
    await page.emulateMedia({ colorScheme: null });
  }

  async #goTo(screen: string): Promise<Page> {
    const page = await sharedPage();
    if (this.#visitor !== undefined) {
      await page.evaluate(A_MINUTE_PASSES);
      // A screen that is shown again would go on as it was left.
      if (pathOf(page.url()) === pathOf(`#${screen}`)) {
        await this.show(page, BETWEEN);
        await page.getByRole('heading', { level: 1, name: 'Cluster' }).waitFor();
      }
    }
    await this.show(page, screen);
    return page;
  }
}

/** Of a screen, without what is chosen on it. */
function pathOf(address: string): string | undefined {
  return /#([^?]*)/.exec(address)?.[1];
}

/** Fills in the form that stands before the screens of data health. */
export async function signIn(page: Page, tenant: string = ADMIN.tenant): Promise<void> {
  if (tenant !== ADMIN.tenant) await page.getByRole('textbox', { name: 'Tenant' }).fill(tenant);
  await page.getByRole('textbox', { name: 'Email' }).fill(ADMIN.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor({ state: 'detached' });
}
