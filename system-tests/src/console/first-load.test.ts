/** What has to come over the wire before something is to be seen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { type ConsoleWorld, PATIENCE_MS, startConsoleWorld } from './console-world.ts';
import { loadedDuring } from './loading.ts';

const FIRST_LOAD_BYTES_MAX = 300_000;

describe.skipIf(!hasBrowser)('what a page loads', () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    world = await startConsoleWorld();
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  test('the first screen is there after less than 300 kB; another one brings files of its own, charts and maps come when they are shown', async () => {
    const page = await world.browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const first = await loadedDuring(page, async () => {
      await world.show(page, '/collections');
      await page.getByText('No collection yet').waitFor();
    });
    expect(first.bytes).toBeGreaterThan(100_000);
    expect(first.bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX);
    expect(first.files.filter((file) => /chart|map|access/.test(file))).toEqual([]);
    const second = await loadedDuring(page, async () => {
      await world.show(page, '/access');
      await page.getByRole('heading', { level: 1, name: 'Access' }).waitFor();
    });
    expect(second.files).toContainEqual(expect.stringMatching(/access.*\.js$/));
    expect(first.files.filter((file) => second.files.includes(file) && file.endsWith('.js'))).toEqual([]);
    await page.close();
  });
});
