// SPDX-License-Identifier: Apache-2.0
/** Pages of the console in a browser: of strangers, of the first admin of a tenant, and apart from both. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ADMIN } from '../observability/observability-server.ts';

/** Only what hangs takes so long of a page, on however busy a machine; less than a test may take, so that the step is named. */
export const PATIENCE_MS = 90_000;

export type PageOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** What moves would be looked at on its way. */
const WINDOW: PageOptions = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' };

/**
 * Pages of one context share what the browser has loaded and compiled; signing in and loading the console again takes most of a short test. So strangers
 * have a context, and members have one, for as long as the service is at its address.
 */
export class ConsolePages {
  readonly #browser: Browser;
  readonly #address: string;
  #strangers: BrowserContext | undefined;
  #members: BrowserContext | undefined;
  readonly #apart: BrowserContext[] = [];
  /** Whose first admin is signed in on the pages of members. */
  #tenant: string | undefined;

  constructor(browser: Browser, address: string) {
    this.#browser = browser;
    this.#address = address;
  }

  async open(screen: string): Promise<Page> {
    this.#strangers ??= await this.#browser.newContext(WINDOW);
    return this.#openIn(this.#strangers, screen);
  }

  async openAsMember(screen: string, tenant: string): Promise<Page> {
    this.#members ??= await this.#browser.newContext(WINDOW);
    const page = await this.#openIn(this.#members, screen);
    if (this.#tenant === tenant) return page;
    await signIn(page, tenant);
    this.#tenant = tenant;
    return page;
  }

  async openApart(screen: string, options: PageOptions): Promise<Page> {
    const context = await this.#browser.newContext({ ...WINDOW, ...options });
    this.#apart.push(context);
    return this.#openIn(context, screen);
  }

  async show(page: Page, screen: string): Promise<void> {
    await page.goto(`${this.#address}/#${screen}`);
  }

  /** Closes every page. The next ones remember nothing, but for what the browser keeps of files. */
  async forget(): Promise<void> {
    await Promise.all(this.#apart.splice(0).map((context) => context.close()));
    for (const context of [this.#strangers, this.#members]) {
      if (context === undefined) continue;
      await Promise.all(context.pages().map((page) => page.close()));
      await context.clearCookies();
      const page = await context.newPage();
      await page.goto(`${this.#address}/livez`);
      await page.evaluate('localStorage.clear()');
      await page.close();
    }
    this.#tenant = undefined;
  }

  async close(): Promise<void> {
    const contexts = [this.#strangers, this.#members, ...this.#apart.splice(0)].filter((context) => context !== undefined);
    await Promise.all(contexts.map((context) => context.close()));
  }

  async #openIn(context: BrowserContext, screen: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await this.show(page, screen);
    return page;
  }
}

/** Fills in the form that stands before the screens of data health. */
export async function signIn(page: Page, tenant: string = ADMIN.tenant): Promise<void> {
  if (tenant !== ADMIN.tenant) await page.getByRole('textbox', { name: 'Tenant' }).fill(tenant);
  await page.getByRole('textbox', { name: 'Email' }).fill(ADMIN.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor({ state: 'detached' });
}
