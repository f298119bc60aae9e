// SPDX-License-Identifier: Apache-2.0
/**
 * What has to come over the wire before something is to be seen; then from an empty service to an answer, as the console leads one: the
 * first admin, a collection, the points of a file, a search.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentOf, sextant } from '../clients/sextant.ts';
import { readMnist } from '../data/mnist.ts';
import { complaintsOf, hasBrowser } from './browser.ts';
import { type ConsoleFixture, PATIENCE_MS, startConsoleFixture } from './console-fixture.ts';
import { loadedDuring } from './loading.ts';

const PASSWORD = 'Correct-Horse-42';
const COUNT = 200;
const FIRST_LOAD_BYTES_MAX = 300_000;

describe.skipIf(!hasBrowser)('an empty service', () => {
  let fixture: ConsoleFixture;

  beforeAll(async () => {
    fixture = await startConsoleFixture();
  });

  afterAll(() => fixture?.[Symbol.asyncDispose]());

  // The first one, for it needs a service without a collection.
  test('the first screen is there after less than 300 kB; another one brings files of its own, charts and maps come when they are shown', async () => {
    const page = await fixture.browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const first = await loadedDuring(page, async () => {
      await fixture.show(page, '/collections');
      await page.getByText('No collection yet').waitFor();
    });
    expect(first.bytes).toBeGreaterThan(100_000);
    expect(first.bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX);
    expect(first.files.filter((file) => /chart|map|access/.test(file))).toEqual([]);
    const second = await loadedDuring(page, async () => {
      await fixture.show(page, '/access');
      await page.getByRole('heading', { level: 1, name: 'Access' }).waitFor();
    });
    expect(second.files).toContainEqual(expect.stringMatching(/access.*\.js$/));
    expect(first.files.filter((file) => second.files.includes(file) && file.endsWith('.js'))).toEqual([]);
    await page.close();
  });

  test('has its first admin, a collection that the command on the screen fills, and answers a search', async () => {
    const { pixels, labels, dimension } = await readMnist('train', COUNT);
    const lines = Array.from({ length: COUNT }, (_, id) =>
      JSON.stringify({
        id,
        vector: Array.from(pixels.subarray(id * dimension, (id + 1) * dimension)),
        payload: { label: labels[id] ?? 0 },
      }),
    );
    await writeFile(join(fixture.directory, 'points.ndjson'), `${lines.join('\n')}\n`);

    const page = await fixture.open('/access');
    const complaints = complaintsOf(page);
    await page.getByRole('textbox', { name: 'Setup code' }).fill(await fixture.setupCode());
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the admin' }).click();
    await page.getByRole('switch', { name: 'Require a credential for every request' }).waitFor();

    await page.getByRole('link', { name: 'Collections' }).click();
    await page.getByRole('button', { name: 'New collection' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New collection' });
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('handwriting');
    await dialog.getByRole('textbox', { name: 'Size' }).fill(String(dimension));
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'handwriting' }).waitFor();

    await page.getByRole('tab', { name: 'Points' }).click();
    const command = (await page.getByText(/^sextant import /).textContent()) ?? '';
    const [program, ...args] = command.replace('points.ndjson', join(fixture.directory, 'points.ndjson')).split(/\s+/);
    expect(program).toBe('sextant');
    const run = await sextant(args, environmentOf(fixture.directory, { SEXTANT_URL: fixture.vector.address }));
    expect(run.stderr + run.stdout, command).toContain(`${COUNT}`);
    expect(run.code, run.stderr).toBe(0);

    await page.getByRole('tab', { name: 'Search' }).click();
    await page.getByLabel('Id').fill('5');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('region', { name: 'Exact: hits' }).getByRole('row').nth(10).waitFor();
    await page.getByText('recall 1.00').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
