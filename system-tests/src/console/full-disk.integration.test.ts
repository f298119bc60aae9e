// SPDX-License-Identifier: Apache-2.0
/** The console while the disk of a service is full: above every screen it says so, and stops saying so when there is room. */
import { freePort, openSmallDisk, smallDiskProblem } from '@sextant/foundation-testing';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startObservabilityServer } from '../observability/observability-server.ts';
import { startVectorServer } from '../vector-server.ts';
import { hasBrowser, sharedBrowser } from './browser.ts';
import { PATIENCE_MS, signIn } from './console-pages.ts';

const MIB = 1024 * 1024;
const problem = hasBrowser ? smallDiskProblem() : 'there is no browser';

test.runIf(problem !== undefined)(`the test of the console on a full disk is skipped: ${problem}`, () => undefined);

test.skipIf(problem !== undefined)(
  'a full disk is reported above the screens, of either service, and no longer when there is room',
  async () => {
    using disk = openSmallDisk(64 * MIB);
    const port = await freePort();
    await using vector = await startVectorServer({
      directory: `${disk.path}/vector`,
      environment: { SERVICE_THREADS: '1', SERVICE_OBSERVABILITY_URL: `http://{host}:${port}` },
    });
    await using observability = await startObservabilityServer({
      directory: `${disk.path}/observability`,
      environment: { OBSERVABILITY_PORT: String(port), OBSERVABILITY_VECTOR_URL: vector.address },
    });
    const addresses = [vector.address, observability.address];
    await using page = await (await sharedBrowser()).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.clock.install();
    await page.goto(`${observability.address}/#/incidents`);
    // A person who has just signed in is told too.
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    const notice = page.getByRole('status').filter({ hasText: 'is read-only' });
    expect(await notice.count()).toBe(0);

    disk.fill();
    await expect.poll(() => noticesLater(page, notice, addresses)).toHaveLength(2);
    expect((await notice.allTextContents()).toSorted()).toEqual([
      expect.stringMatching(/^The observability service is read-only.*disk/),
      expect.stringMatching(/^The vector service is read-only.*disk/),
    ]);

    disk.empty();
    await expect.poll(() => noticesLater(page, notice, addresses)).toEqual([]);
  },
);

/** What they say once the page has asked the services again, which it does every 15 seconds of its clock. */
async function noticesLater(page: Page, notice: Locator, addresses: readonly string[]): Promise<readonly string[]> {
  const answered = Promise.all(addresses.map((address) => page.waitForResponse(`${address}/readyz`)));
  await page.clock.fastForward(16_000);
  await answered;
  return notice.allTextContents();
}
