/** The console as a person uses it, in a real browser against both services. */
import { type ChildServer, temporaryDirectory } from '@sextant/foundation-testing';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, startObservabilityServer } from '../observability/observability-server.ts';
import { startVectorServer } from '../vector-server.ts';
import { complaintsOf, hasBrowser, launchBrowser } from './browser.ts';

const PASSWORD = 'Correct-Horse-42';
const SCREENS = ['/collections', '/collections/places', '/collections/places?tab=points', '/collections/places?tab=search', '/access'];
const POINTS = 600;

describe.skipIf(!hasBrowser)('the console', () => {
  const directory = temporaryDirectory();
  let vector: ChildServer;
  let observability: ChildServer;
  let browser: Browser;

  beforeAll(async () => {
    const { path } = await directory;
    vector = await startVectorServer({ directory: `${path}/vector` });
    const environment = { OBSERVABILITY_VECTOR_URL: vector.address };
    [observability, browser] = await Promise.all([
      startObservabilityServer({ directory: `${path}/observability`, environment }),
      launchBrowser(),
    ]);
    await fillCollection(vector.address);
  });

  afterAll(async () => {
    await browser?.close();
    await observability?.[Symbol.asyncDispose]();
    await vector?.[Symbol.asyncDispose]();
    await (await directory)[Symbol.asyncDispose]();
  });

  /** A page of its own at a screen. */
  async function open(screen: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
    await page.goto(`${observability.address}/#${screen}`);
    return page;
  }

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'every screen of vectors in %s colours, %i pixels wide: nothing complains, nobody is kept out',
    async (colorScheme, width) => {
      const page = await open('/collections', { colorScheme, viewport: { width, height: 800 } });
      const complaints = complaintsOf(page);
      for (const screen of SCREENS) {
        await page.goto(`${observability.address}/#${screen}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        expect(await seriousFindings(page), screen).toEqual([]);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
        expect(overflow, `${screen} is wider than the window`).toBeLessThanOrEqual(0);
      }
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('a search by a point’s id, with a filter from the form, compared with the exact one', async () => {
    const page = await open('/collections/places?tab=search');
    await page.getByLabel('Id').fill('7');
    await page.getByRole('combobox', { name: 'Where' }).fill('city');
    await page.getByRole('textbox', { name: 'Value' }).fill('Rome');
    await page.getByRole('button', { name: 'Add to the filter' }).click();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const exact = page.getByRole('region', { name: 'Exact: hits' });
    await exact.getByRole('row').nth(10).waitFor();
    const payloads = await exact.getByRole('row').allInnerTexts();
    expect(payloads.slice(1).every((row) => row.includes('Rome'))).toBe(true);
    await page.getByText('recall 1.00').waitFor();
    await page.close();
  });

  test('a lasso on the map becomes a filter of the points', async () => {
    const page = await open('/collections/places?tab=map');
    await page.getByRole('button', { name: 'Draw the map' }).click();
    const map = page.getByRole('application', { name: 'Map of the vectors' });
    await map.waitFor();
    const { x, y, width, height } = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.keyboard.down('Shift');
    await page.mouse.move(x + 4, y + 4);
    await page.mouse.down();
    for (const [dx, dy] of [
      [width - 4, 4],
      [width - 4, height - 4],
      [4, height - 4],
    ] as const)
      await page.mouse.move(x + dx, y + dy, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.getByRole('button', { name: `Show the ${POINTS} chosen points` }).click();
    await page.getByText(`of those that pass`).waitFor();
    expect(decodeURIComponent(page.url())).toContain('has_id');
    await page.close();
  });

  test('first admin, a token that is made, used, and deleted', async () => {
    const page = await open('/access');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the admin' }).click();
    const statusOf = async (headers: Record<string, string>) => (await fetch(`${vector.address}/collections`, { headers })).status;
    await page.getByRole('switch', { name: 'Ask every request for a credential' }).click();
    await page.getByRole('button', { name: 'New token' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('reader');
    await page.getByRole('button', { name: 'Make the token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Secret of reader' });
    const secret = ((await dialog.locator('pre').textContent()) ?? '').trim();
    await page.getByRole('button', { name: 'I have it' }).click();
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ 'api-key': secret })).toBe(200);
    const reader = await open('/access');
    await reader.getByRole('textbox', { name: 'Token' }).fill(secret);
    await reader.getByRole('button', { name: 'Use it' }).click();
    await reader.getByRole('link', { name: 'Collections' }).click();
    await reader.getByRole('link', { name: 'places' }).waitFor();
    await reader.close();
    await page.getByRole('button', { name: 'Delete reader' }).click();
    await page.getByText('No token yet').waitFor();
    expect(await statusOf({ 'api-key': secret })).toBe(401);
    await page.getByRole('switch', { name: 'Ask every request for a credential' }).click();
    await expect.poll(() => statusOf({})).toBe(200);
    await page.close();
  });

  test('a file is uploaded and scanned; the overview and the incidents are there', async () => {
    const page = await open('/assets');
    const complaints = complaintsOf(page);
    await page.getByRole('textbox', { name: 'Email' }).fill(ADMIN.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Upload a file' }).first().click();
    const rows = Array.from({ length: 50 }, (_, i) => `${i},${i % 5 === 0 ? '' : `name ${i}`}`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(['id,name', ...rows, ''].join('\n')) });
    await page.getByRole('button', { name: 'Upload and scan' }).click();
    await page.getByRole('heading', { level: 1, name: 'people' }).waitFor();
    await page.getByText('50 records scanned').waitFor();
    await page.getByRole('heading', { name: 'Metrics over time' }).waitFor();
    await page.getByRole('row', { name: /^name/ }).getByText('80.0 %').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    for (const [link, heading] of [
      ['Overview', 'Overview'],
      ['Incidents', 'Incidents'],
    ] as const) {
      await page.getByRole('link', { name: link }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await seriousFindings(page), link).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
});

async function fillCollection(address: string): Promise<void> {
  const send = async (path: string, body: unknown) => {
    const response = await fetch(`${address}${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status, await response.text()).toBe(200);
  };
  const cities = ['Rome', 'Bonn', 'Oslo'];
  await send('/collections/places', { vectors: { size: 4, distance: 'Cosine' } });
  await send('/collections/places/index', { field_name: 'city', field_schema: 'keyword' });
  await send('/collections/places/points?wait=true', {
    points: Array.from({ length: POINTS }, (_, id) => ({
      id,
      vector: [Math.sin(id), Math.cos(id), Math.sin(id / 7), 0.5],
      payload: { city: cities[id % 3], population: id * 1000 },
    })),
  });
}

type Violation = { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly target: unknown }[] };

/** What axe calls serious or critical, each with where it is. */
async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  // The page's own types are not known here, so what runs there is a text.
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(', ')}`);
}
