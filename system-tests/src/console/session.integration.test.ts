// SPDX-License-Identifier: Apache-2.0
/** Staying signed in at the observability service: over reloads, in several tabs, and in the console that the vector service serves. */
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startVectorServer } from '../vector-server.ts';
import { complaintsOf, hasBrowser } from './browser.ts';
import { type ConsoleFixture, startConsoleFixture } from './console-fixture.ts';
import { PATIENCE_MS, signIn } from './console-pages.ts';

const RELOADS = roundsOf({ quick: 1, long: 20 });
/** How late the service hears of a sign-out: much later than one could sign in. */
const SLOW_MS = 3000;

async function tabAt(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(address);
  return page;
}

const overview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
const form = (page: Page) => page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'default' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await form(page);
}

describe.skipIf(!hasBrowser)('a session', () => {
  let fixture: ConsoleFixture;
  let address: string;
  let strangerPort: number;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    strangerPort = await freePort();
    fixture = await startConsoleFixture({ allowedOrigins: `http://127.0.0.1:${strangerPort}` });
    address = `${fixture.observability.address}/#/overview`;
    page = await fixture.open('/overview');
    context = page.context();
  });

  afterAll(() => fixture?.[Symbol.asyncDispose]());

  /** Whatever became of the session in the test before. */
  async function beSignedIn(): Promise<void> {
    await page.goto(address);
    const signInForm = page.getByRole('heading', { level: 1, name: 'Sign in' });
    await signInForm.or(page.getByRole('heading', { level: 1, name: 'Overview' })).waitFor();
    if (await signInForm.isVisible()) await signIn(page);
    await overview(page);
  }

  test('goes on after reloads and in another tab, where no script can read its token; ends in every tab when one signs out', async () => {
    const complaints = complaintsOf(page);
    await beSignedIn();
    await using other = await tabAt(context, address);
    await overview(other);
    for (let reload = 1; reload < RELOADS; reload += 1) {
      await page.reload();
      await overview(page);
    }
    // Tabs of a browser that wakes up renew at once, and share what they renew.
    for (let reload = 0; reload < RELOADS; reload += 1) await Promise.all([page, other].map((each) => each.reload()));
    await Promise.all([overview(page), overview(other)]);

    const cookies = () => context.cookies(`${fixture.observability.address}/auth/token`);
    expect((await cookies()).map(({ httpOnly, sameSite, path }) => ({ httpOnly, sameSite, path }))).toEqual([
      { httpOnly: true, sameSite: 'Strict', path: '/auth/token' },
    ]);
    const readable = await page.evaluate<string>('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])');
    expect(readable).toContain('admin@localhost');
    expect(readable).not.toMatch(/sxr_|eyJ/);
    expect(complaints).toEqual([]);

    const [held] = await cookies();
    await signOut(page);
    await other.getByText('You signed out in another tab.').waitFor();
    // The page does not wait for the service to hear of it.
    await expect.poll(cookies).toEqual([]);
    const renewal = await fetch(`${fixture.observability.address}/auth/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: fixture.observability.address,
        cookie: `${held?.name}=${held?.value}`,
      },
      body: JSON.stringify({ grant_type: 'refresh_token', refresh_token_in: 'cookie', username: 'admin@localhost' }),
    });
    expect(renewal.status).toBe(401);
    await page.reload();
    await form(page);
    await signIn(page);
    await overview(page);
    // The other tab learns of that too.
    await overview(other);
  });

  test('that the service has ended says so, and asks again; one that begins before the service has heard of the end of it goes on', async () => {
    await beSignedIn();
    await context.clearCookies();
    await page.reload();
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page);
    await overview(page);

    await page.route('**/auth/token/revoke', async (route) => {
      await delay(SLOW_MS);
      await route.continue();
    });
    const revocation = page.waitForResponse('**/auth/token/revoke');
    await signOut(page);
    await signIn(page);
    await overview(page);
    await revocation;
    await page.unroute('**/auth/token/revoke');
    await page.reload();
    await overview(page);
  });

  test('of a page that may call and is no console lasts as long as the page, and the page says so', async () => {
    await using directory = await temporaryDirectory();
    await using stranger = await startVectorServer({
      directory: directory.path,
      environment: { SERVICE_REST_PORT: String(strangerPort), SERVICE_OBSERVABILITY_URL: fixture.observability.address },
    });
    await context.clearCookies();
    await page.goto(`${stranger.address}/console#/overview`);
    await signIn(page);
    await overview(page);
    await page.getByRole('button', { name: 'default' }).click();
    await page.getByText('You stay signed in until this page is reloaded').waitFor();
    await page.reload();
    await form(page);
  });

  test('is kept in the console that the vector service serves, though the token is another service’s', async () => {
    await context.clearCookies();
    const complaints = complaintsOf(page);
    await page.goto(`${fixture.vector.address}/console#/overview`);
    await signIn(page);
    await overview(page);
    await page.reload();
    await overview(page);
    await signOut(page);
    await expect.poll(() => context.cookies(`${fixture.observability.address}/auth/token`)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
