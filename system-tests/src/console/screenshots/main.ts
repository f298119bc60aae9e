// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run screenshots`: pictures of the main screens for docs/images, taken of the demo's data in both colours. With `--all folder`, every screen in both
 * colours and both widths instead, to be looked at; with `--only pattern`, those whose names fit it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFlags } from '@sextant/foundation-testing';
import type { Page } from 'playwright-core';
import { startSeededFixture } from '../console-fixture.ts';
import { PATIENCE_MS, signIn } from '../console-pages.ts';
import { MNIST } from '../fixture/mnist-collection.ts';
import { settled } from '../inspection.ts';
import { addressOf, SCREENS, type Screen } from '../screens.ts';
import { type FoundFaults, foundFaults } from './found-faults.ts';

type Picture = Pick<Screen, 'at'> & {
  /** What is to be seen before the picture is taken, or what has to be done for it. */
  readonly until: (page: Page) => Promise<void>;
  readonly height?: number;
};

const DOCS = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const COLOURS = ['light', 'dark'] as const;
const WIDTHS = [1280, 390] as const;
const HEIGHT = 800;
/** Three weeks of deliveries make a chart. */
const DAYS = 20;
const VECTORS = 3000;
const LOOK_MS = 200;
/** Above it letters stay clean; a picture is 50 to 150 kB. */
const QUALITY = 82;

const PICTURES: { readonly [file: string]: Picture } = {
  overview: { at: '/overview', until: (page) => page.getByRole('img').first().waitFor() },
  asset: {
    at: ({ assetIds }) => `/assets/0/${assetIds.flights}`,
    until: charted,
    height: 1000,
  },
  incident: { at: ({ openIncidentId }) => `/incidents/${openIncidentId}`, until: (page) => page.getByRole('img').first().waitFor() },
  lineage: {
    at: ({ assetIds }) => `/lineage?asset=${assetIds.flights}`,
    until: async (page) => {
      await page.getByRole('table', { name: 'Columns whose sources are known' }).waitFor();
    },
    height: 900,
  },
  map: { at: `/collections/${MNIST}?tab=map&colour=digit`, until: drawn },
};

/** What scans found inside the data. */
function picturesOf({ searchedId, watchedId, jobId }: FoundFaults): { readonly [file: string]: Picture } {
  return {
    suggestions: {
      at: `/assets/0/${searchedId}?tab=suggestions`,
      until: async (page) => {
        await page.getByRole('region', { name: 'Cells that look wrong' }).getByRole('cell').first().waitFor();
      },
      height: 1000,
    },
    recall: {
      at: `/assets/0/${watchedId}?of=the+unnamed+vector`,
      until: async (page) => {
        await charted(page);
        await page.getByText('Search recall').first().scrollIntoViewIfNeeded();
      },
      height: 1000,
    },
    'faults-map': {
      at: `/collections/${MNIST}?tab=map&highlight=${jobId}`,
      until: async (page) => {
        await drawn(page);
        await page.getByRole('region', { name: 'Faulty points of the scan' }).waitFor();
      },
      height: 1000,
    },
  };
}

async function charted(page: Page): Promise<void> {
  await page.getByText('Metrics over time').waitFor();
  await page.getByRole('img').first().waitFor();
}

async function drawn(page: Page): Promise<void> {
  await page.getByText('laid out by their neighbours (UMAP)').waitFor();
}

const { values } = readFlags({ options: { all: { type: 'string' }, only: { type: 'string' } } });
const folder = values.all ?? DOCS;
await mkdir(folder, { recursive: true });
const { fixture, tenant } = await startSeededFixture(values.all === undefined ? { vectors: VECTORS, days: DAYS } : {});
await using _browser = fixture.browser;
await using _ = fixture;
const page = await fixture.browser.newPage({ reducedMotion: 'reduce', deviceScaleFactor: values.all === undefined ? 2 : 1 });
page.setDefaultTimeout(PATIENCE_MS);
await fixture.show(page, '/overview');
await signIn(page);
if (values.all === undefined) await takePictures();
else await takeAll();

function isWanted([name]: readonly [string, unknown]): boolean {
  return new RegExp(values.only ?? '').test(name);
}

async function takePictures(): Promise<void> {
  const pictures = { ...PICTURES, ...picturesOf(await foundFaults(fixture)) };
  for (const [file, picture] of Object.entries(pictures).filter(isWanted)) {
    await page.setViewportSize({ width: 1280, height: picture.height ?? HEIGHT });
    await page.emulateMedia({ colorScheme: 'light' });
    // Nothing is pointed at.
    await page.mouse.move(0, 0);
    await fixture.show(page, addressOf(picture, tenant));
    await picture.until(page);
    await page.mouse.move(0, 0);
    await page.waitForLoadState('networkidle');
    // On a busy machine, parts of a page arrive after the network has been idle for a while.
    while (await isLoading(page)) await page.waitForTimeout(LOOK_MS);
    for (const colorScheme of COLOURS) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      await takeWebp(join(folder, `${file}-${colorScheme}.webp`));
    }
  }
}

/** What is out of sight is not loaded before it is scrolled to. */
async function isLoading(page: Page): Promise<boolean> {
  const skeletons = await page.locator('.mantine-Skeleton-root').all();
  // One that has gone since has no place.
  const places = await Promise.all(skeletons.map((skeleton) => skeleton.boundingBox({ timeout: LOOK_MS }).catch(() => null)));
  return places.some((place) => place !== null && place.y < (page.viewportSize()?.height ?? HEIGHT));
}

async function takeAll(): Promise<void> {
  for (const [name, screen] of Object.entries({ ...SCREENS, ...PICTURES }).filter(isWanted)) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.mouse.move(0, 0);
    await fixture.show(page, addressOf(screen, tenant));
    if ('until' in screen) await screen.until(page);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : HEIGHT });
      for (const colorScheme of COLOURS) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        await page.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png`), fullPage: true });
      }
    }
    await page.setViewportSize({ width: 1280, height: HEIGHT });
  }
}

/** Playwright has no WebP; the browser has. */
async function takeWebp(path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  await writeFile(path, Buffer.from(data, 'base64'));
}
