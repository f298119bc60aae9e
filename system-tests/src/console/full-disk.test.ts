// SPDX-License-Identifier: Apache-2.0
/** The console while the disk of a service is full: above every screen it says so, and stops saying so when there is room. */
import { openSmallDisk, smallDiskProblem } from '@sextant/foundation-testing';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startObservabilityServer } from '../observability/observability-server.ts';
import { startVectorServer } from '../vector-server.ts';
import { hasBrowser, sharedBrowser } from './browser.ts';
import { PATIENCE_MS, signIn } from './console-pages.ts';

const MIB = 1024 * 1024;
const problem = hasBrowser ? smallDiskProblem() : 'there is no browser';

test.runIf(problem !== undefined)(`the test of the console on a full disk is skipped: ${problem}`, () => undefined);

test.skipIf(problem !== undefined)('a full disk is reported above the screens, and no longer when there is room', async () => {
  using disk = openSmallDisk(64 * MIB);
  await using server = await startVectorServer({ directory: `${disk.path}/data`, environment: { SERVICE_THREADS: '1' } });
  await using page = await (await sharedBrowser()).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.clock.install();
  await page.goto(`${server.address}/console/#/collections`);
  await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
  const notice = page.getByRole('status').filter({ hasText: 'The vector service is read-only' });
  expect(await notice.count()).toBe(0);

  disk.fill();
  await expect.poll(() => noticesLater(page, notice)).toBe(1);
  expect(await notice.textContent()).toContain('disk');

  disk.empty();
  await expect.poll(() => noticesLater(page, notice)).toBe(0);
});

test.skipIf(problem !== undefined)('so is one of the observability service, to a person who has just signed in', async () => {
  using disk = openSmallDisk(64 * MIB);
  await using server = await startObservabilityServer({ directory: `${disk.path}/data` });
  await using page = await (await sharedBrowser()).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.clock.install();
  await page.goto(`${server.address}/#/incidents`);
  await signIn(page);
  const notice = page.getByRole('status').filter({ hasText: 'The observability service is read-only' });
  expect(await notice.count()).toBe(0);

  disk.fill();
  await expect.poll(() => noticesLater(page, notice)).toBe(1);
  expect(await notice.textContent()).toContain('disk');

  disk.empty();
  await expect.poll(() => noticesLater(page, notice)).toBe(0);
});

/** How many there are once the page has asked again, which it does every 15 seconds of its clock. */
async function noticesLater(page: Page, notice: Locator): Promise<number> {
  const answered = page.waitForResponse('**/readyz');
  await page.clock.fastForward(16_000);
  await answered;
  return notice.count();
}
