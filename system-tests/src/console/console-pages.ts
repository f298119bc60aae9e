// SPDX-License-Identifier: Apache-2.0
/** Pages of the console in a browser: of strangers, of the first admin of a tenant, and apart from both. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ADMIN } from '../observability/observability-server.ts';

/** Only what hangs takes so long of a page, on however busy a machine; less than a test may take, so that the step is named. */
export const PATIENCE_MS = 90_000;

export type PageOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** What moves would be looked at on its way. */
const WINDOW: PageOptions = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' };

/** A screen that is drawn at once, and shows nothing that tests change. */
const BETWEEN = '/cluster';
/** What the page was answered is old from now on: a screen asks for it again, though it may show it meanwhile. */
const A_MINUTE_PASSES = '{ const now = Date.now; Date.now = () => now() + 60_000; }';

/** A browser of its own, as it were, and the page that is looked at in it. */
type Visitor = { readonly context: BrowserContext; page?: Page };

/**
 * Loading the console again and signing in take most of a short test. So strangers have one page, and members have one, which go from screen to screen for as
 * long as the service is at its address.
 */
export class ConsolePages {
  readonly #browser: Browser;
  readonly #address: string;
  #strangers: Visitor | undefined;
  #members: Visitor | undefined;
  readonly #apart: BrowserContext[] = [];
  /** Whose first admin is signed in on the page of members. */
  #tenant: string | undefined;

  constructor(browser: Browser, address: string) {
    this.#browser = browser;
    this.#address = address;
  }

  async open(screen: string): Promise<Page> {
    this.#strangers ??= { context: await this.#browser.newContext(WINDOW) };
    return this.#openFor(this.#strangers, screen);
  }

  async openAsMember(screen: string, tenant: string): Promise<Page> {
    this.#members ??= { context: await this.#browser.newContext(WINDOW) };
    const page = await this.#openFor(this.#members, screen);
    if (this.#tenant === tenant) return page;
    await signIn(page, tenant);
    this.#tenant = tenant;
    return page;
  }

  async openApart(screen: string, options: PageOptions): Promise<Page> {
    const context = await this.#browser.newContext({ ...WINDOW, ...options });
    this.#apart.push(context);
    return this.#load(context, screen);
  }

  async show(page: Page, screen: string): Promise<void> {
    await page.goto(`${this.#address}/#${screen}`);
  }

  /** Closes every page. The next ones remember nothing, but for what the browser keeps of files. */
  async forget(): Promise<void> {
    await Promise.all(this.#apart.splice(0).map((context) => context.close()));
    for (const visitor of [this.#strangers, this.#members]) {
      if (visitor?.page === undefined) continue;
      const { context, page } = visitor;
      await page.goto(`${this.#address}/livez`);
      await page.evaluate('localStorage.clear()');
      await page.close();
      await context.clearCookies();
      delete visitor.page;
    }
    this.#tenant = undefined;
  }

  async close(): Promise<void> {
    const contexts = [this.#strangers?.context, this.#members?.context, ...this.#apart.splice(0)].filter(
      (context) => context !== undefined,
    );
    await Promise.all(contexts.map((context) => context.close()));
  }

  async #openFor(visitor: Visitor, screen: string): Promise<Page> {
    const { page } = visitor;
    if (page === undefined) {
      visitor.page = await this.#load(visitor.context, screen);
      return visitor.page;
    }
    await page.evaluate(A_MINUTE_PASSES);
    // A screen that is shown again would go on as it was left.
    if (pathOf(page.url()) === pathOf(`#${screen}`)) {
      await this.show(page, BETWEEN);
      await page.getByRole('heading', { level: 1, name: 'Cluster' }).waitFor();
    }
    await this.show(page, screen);
    return page;
  }

  async #load(context: BrowserContext, screen: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
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
