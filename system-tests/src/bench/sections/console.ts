// SPDX-License-Identifier: Apache-2.0
/** How fluid the console is with much to show, beside a page that shows nothing but text. */
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { freePort, temporaryDirectory } from '@sextant/foundation-testing';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../console/browser.ts';
import { signIn } from '../../console/console-pages.ts';
import { loadedDuring } from '../../console/loading.ts';
import { lowRankMixture } from '../../data/low-rank-mixture.ts';
import { startObservabilityServer } from '../../observability/observability-server.ts';
import { vectorApi } from '../../vector-api.ts';
import { startVectorServer } from '../../vector-server.ts';
import { type Frames, framesDuring, middleOf } from '../console/frames.ts';
import { growTenant } from '../console/large-tenant.ts';
import { fixed, table, whole } from '../markdown.ts';
import { median } from '../statistics.ts';
import type { Section } from './section.ts';

const ASSETS = 1000;
const LINKED = 300;
const INCIDENTS = 10_000;
const POINTS = 50_000;
const DIMENSION = 16;
const BATCH = 2000;
const WINDOW = { width: 1280, height: 800 };
const WHEEL_STEPS = 150;
const WHEEL_PX = 240;
const DRAG_STEPS = 150;
const PATIENCE_MS = 60_000;

type ListFigures = Frames & {
  readonly name: string;
  readonly rows: number;
  /** From the change of the address until the first row is there. */
  readonly firstRowMs?: number;
  readonly rowsInPage?: number;
};

type ConsoleFigures = { readonly rounds: number; readonly firstLoadBytes: number; readonly lists: readonly ListFigures[] };

type List = { readonly name: string; readonly rows: number; readonly screen: string; readonly row: string };

const LISTS: readonly List[] = [
  { name: 'incidents', rows: INCIDENTS, screen: '/incidents', row: '[aria-label=Incidents] li a' },
  { name: 'assets', rows: ASSETS, screen: '/assets', row: '[aria-label=Assets] tbody tr a' },
];

export const consoleSection: Section<ConsoleFigures> = {
  title: 'The console',
  measure: async ({ rounds }) => {
    await using stack = new AsyncDisposableStack();
    const { path } = stack.use(await temporaryDirectory());
    const directory = join(path, 'observability');
    const first = await startObservabilityServer({ directory });
    await first.stop();
    await growTenant(directory, { assets: ASSETS, linked: LINKED, incidents: INCIDENTS });
    const port = await freePort();
    const services = { SERVICE_OBSERVABILITY_URL: `http://{host}:${port}` };
    const vector = stack.use(await startVectorServer({ directory: join(path, 'vector'), environment: services }));
    const environment = { OBSERVABILITY_PORT: String(port), OBSERVABILITY_VECTOR_URL: vector.address };
    const observability = stack.use(await startObservabilityServer({ directory, environment }));
    await fillCollection(vector.client);
    const browser = await launchBrowser();
    stack.defer(() => browser.close());
    const address = observability.address;

    const firstLoadBytes = await measureFirstLoad(browser, address);
    const empty: Frames[] = [];
    const figures: ListFigures[] = [];
    for (const list of LISTS) {
      const measured = await measureList(browser, address, list, rounds);
      empty.push(...measured.empty);
      figures.push(measured.figures);
    }
    const lineage = await measureLineage(browser, address, rounds);
    const map = await measureMap(browser, address, rounds);
    const page: ListFigures = { name: 'a page of 10,000 lines of text', rows: INCIDENTS, ...middleOf(empty) };
    return { rounds, firstLoadBytes, lists: [page, ...figures, lineage, map] };
  },
  render: ({ rounds, firstLoadBytes, lists }) => {
    const header = ['', 'rows or points', 'first one ms', 'rows in the page', 'frame ms, median', 'p95', 'dropped %', 'longest task ms'];
    const rows = lists.map((each) => [
      each.name,
      whole(each.rows),
      whole(each.firstRowMs),
      whole(each.rowsInPage),
      fixed(each.medianMs, 1),
      fixed(each.p95Ms, 1),
      fixed(100 * each.droppedShare, 1),
      whole(each.longestTaskMs),
    ]);
    return [
      `Measured in headless Chromium at ${WINDOW.width} x ${WINDOW.height}, over HTTP from both services. Lists are scrolled by ${WHEEL_STEPS} steps of the mouse wheel, ${WHEEL_PX} pixels each; the lineage graph and the map are dragged.`,
      `The processor draws everything, because there is no graphics card (SwiftShader). Each figure is the median of ${rounds} rounds. The page of plain text was scrolled in the same minutes and`,
      'shows the limit of browser and machine. A display of 60 Hz has 16.7 ms for a frame. “Longest task” is the longest task that blocked the page',
      'for 50 ms or more; 0 if there was none.',
      '',
      table(header, rows),
      '',
      `The first screen loads ${whole(firstLoadBytes / 1000)} kB, compressed, including fonts and headers.`,
    ].join('\n');
  },
};

async function fillCollection(client: Parameters<typeof vectorApi>[0]): Promise<void> {
  const collection = vectorApi(client).collection('cloud');
  await collection.create({ vectors: { size: DIMENSION, distance: 'Cosine' } });
  const { values } = lowRankMixture({ dimension: DIMENSION, random: seededRandom(1) })(POINTS);
  for (let first = 0; first < POINTS; first += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, POINTS - first) }, (_, index) => first + index);
    await collection.upsert(
      ids.map((id) => ({
        id,
        vector: Array.from(values.subarray(id * DIMENSION, (id + 1) * DIMENSION)),
        payload: { part: `part ${id % 10}` },
      })),
    );
  }
}

async function measureFirstLoad(browser: Browser, address: string): Promise<number> {
  const page = await browser.newPage({ viewport: WINDOW });
  const { bytes } = await loadedDuring(page, async () => {
    await page.goto(`${address}/#/collections`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
  await page.close();
  return bytes;
}

async function measureList(browser: Browser, address: string, { name, rows, screen, row }: List, rounds: number) {
  const empty: Frames[] = [];
  const found: Frames[] = [];
  const firstRowMs: number[] = [];
  let rowsInPage = 0;
  for (let round = 0; round < rounds; round += 1) {
    empty.push(await scrollEmptyPage(browser));
    const page = await signedInPage(browser, address);
    const startedMs = performance.now();
    await page.goto(`${address}/#${screen}`);
    const first = page.locator(row).first();
    await first.waitFor();
    firstRowMs.push(performance.now() - startedMs);
    await page.waitForLoadState('networkidle');
    found.push(await framesDuring(page, () => scrollOver(page, first)));
    rowsInPage = await page.locator(row).count();
    await page.close();
  }
  return { empty, figures: { name, rows, firstRowMs: median(firstRowMs), rowsInPage, ...middleOf(found) } };
}

async function signedInPage(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: WINDOW });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${address}/#/overview`);
  await signIn(page);
  await page.waitForLoadState('networkidle');
  return page;
}

async function scrollEmptyPage(browser: Browser): Promise<Frames> {
  const page = await browser.newPage({ viewport: WINDOW });
  const lines = Array.from({ length: INCIDENTS }, (_, index) => `line ${index}`).join('\n');
  await page.setContent(`<pre>${lines}</pre>`);
  const frames = await framesDuring(page, () => scrollOver(page, page.locator('pre')));
  await page.close();
  return frames;
}

async function scrollOver(page: Page, element: ReturnType<Page['locator']>): Promise<void> {
  const { x, y } = (await element.boundingBox()) ?? { x: 600, y: 400 };
  await page.mouse.move(x + 20, y + 10);
  for (let step = 0; step < WHEEL_STEPS; step += 1) await page.mouse.wheel(0, WHEEL_PX);
}

/** From the change of the address until the first asset is drawn; then the whole graph is dragged. */
async function measureLineage(browser: Browser, address: string, rounds: number): Promise<ListFigures> {
  const found: Frames[] = [];
  const firstMs: number[] = [];
  let rowsInPage = 0;
  for (let round = 0; round < rounds; round += 1) {
    const page = await signedInPage(browser, address);
    const startedMs = performance.now();
    await page.goto(`${address}/#/lineage`);
    const graph = page.getByRole('region', { name: 'Lineage graph' });
    await graph.getByRole('link').first().waitFor();
    firstMs.push(performance.now() - startedMs);
    await page.waitForLoadState('networkidle');
    rowsInPage = await graph.getByRole('link').count();
    found.push(await framesDuring(page, () => drag(page, graph)));
    await page.close();
  }
  return { name: 'lineage, dragged', rows: LINKED, firstRowMs: median(firstMs), rowsInPage, ...middleOf(found) };
}

async function measureMap(browser: Browser, address: string, rounds: number): Promise<ListFigures> {
  const found: Frames[] = [];
  const firstMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await browser.newPage({ viewport: WINDOW });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${address}/#/collections/cloud?tab=map&projection=pca`);
    await page.getByText(/points.*onto the plane/).waitFor();
    await page.getByRole('textbox', { name: 'Points', exact: true }).fill(String(POINTS));
    const startedMs = performance.now();
    await page.getByRole('button', { name: 'Draw again' }).click();
    await page.getByText(/50,000.*onto the plane/).waitFor();
    firstMs.push(performance.now() - startedMs);
    const map = page.getByRole('application', { name: 'Map of the vectors' });
    found.push(await framesDuring(page, () => drag(page, map)));
    await page.close();
  }
  return { name: 'the map, dragged', rows: POINTS, firstRowMs: median(firstMs), ...middleOf(found) };
}

/** Round and round, about its middle. */
async function drag(page: Page, element: ReturnType<Page['locator']>): Promise<void> {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  for (let step = 0; step < DRAG_STEPS; step += 1)
    await page.mouse.move(x + width / 2 + 100 * Math.sin(step / 10), y + height / 2 + 80 * Math.cos(step / 10));
  await page.mouse.up();
}
