// SPDX-License-Identifier: Apache-2.0
/**
 * What has to come over the wire before something is to be seen; then from an empty service to an answer, as the console leads one: the
 * first admin, a token, a collection, the points of a file, a search.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasOnnx, MINILM_FOLDER, ONNX_PACKAGES } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentOf, sextant } from '../clients/sextant.ts';
import { readMnist } from '../data/mnist.ts';
import { complaintsOf, hasBrowser } from './browser.ts';
import { type ConsoleFixture, startConsoleFixture } from './console-fixture.ts';
import { sharedPage } from './console-pages.ts';
import { loadedDuring } from './loading.ts';

const PASSWORD = 'Correct-Horse-42';
const COUNT = 200;
const FIRST_LOAD_BYTES_MAX = 300_000;

describe.skipIf(!hasBrowser)('an empty service', () => {
  let fixture: ConsoleFixture;

  beforeAll(async () => {
    const embedding = { SERVICE_EMBEDDING_ONNX_FOLDERS: MINILM_FOLDER, NODE_PATH: ONNX_PACKAGES };
    fixture = await startConsoleFixture({ vectorEnvironment: hasOnnx ? embedding : {} });
  });

  afterAll(() => fixture?.[Symbol.asyncDispose]());

  // The first one, for it needs a service without a collection.
  test('the first screen is there after less than 300 kB; another one brings files of its own, charts and maps come when they are shown', async () => {
    const page = await sharedPage();
    await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
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
  });

  test('has its first admin, a collection that the command on the screen fills, answers a search; a token is made, used and deleted', async () => {
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

    await fixture.show(page, '/access');
    const statusOf = async (headers: Record<string, string>) => (await fetch(`${fixture.vector.address}/collections`, { headers })).status;
    const enforcement = page.getByRole('switch', { name: 'Require a credential for every request' });
    await enforcement.click();
    await page.getByRole('button', { name: 'New token' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('reader');
    await page.getByRole('dialog').getByLabel('Collections').fill('handwriting');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create token' }).click();
    const made = page.getByRole('dialog', { name: 'Secret of reader' });
    const secret = ((await made.locator('pre').textContent()) ?? '').trim();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => statusOf({})).toBe(401);
    expect(await statusOf({ 'api-key': secret })).toBe(200);
    // The page forgets who was at it.
    await page.reload();
    await page.getByRole('textbox', { name: 'Token' }).fill(secret);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('link', { name: 'Collections' }).click();
    await page.getByRole('link', { name: 'handwriting' }).waitFor();
    await fixture.show(page, '/access');
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Delete reader' }).click();
    await page.getByText('No token yet').waitFor();
    expect(await statusOf({ 'api-key': secret })).toBe(401);
    await enforcement.click();
    await expect.poll(() => statusOf({})).toBe(200);
  });

  test.skipIf(!hasOnnx)('points are written as texts, which a model in a folder makes vectors of, and found by a text', async () => {
    await fixture.vector.client.request('PUT', '/collections/notes', { vectors: { size: 384, distance: 'Cosine' } });
    const page = await fixture.open('/collections/notes?tab=points');
    await page.getByText('No point yet').waitFor();
    await page.getByRole('button', { name: 'Upsert points' }).click();
    const dialog = page.getByRole('dialog', { name: 'Upsert points of notes' });
    const editor = dialog.getByRole('textbox', { name: 'Points' });
    expect(await editor.inputValue()).toContain('"vector": []');
    await dialog.getByRole('button', { name: 'Upsert', exact: true }).click();
    await dialog.getByText(/expected 384/i).waitFor();
    await editor.fill('[1]');
    await dialog.getByText('Write a point, or a list of points').waitFor();
    expect(await dialog.getByRole('button', { name: 'Upsert', exact: true }).isDisabled()).toBe(true);
    const point = (id: number, text: string) => ({ id, vector: { text, model: 'all-MiniLM-L6-v2' }, payload: { text } });
    await editor.fill(JSON.stringify([point(1, 'The luggage arrived a day late'), point(2, 'Rain is expected in the mountains')]));
    await dialog.getByRole('button', { name: 'Upsert', exact: true }).click();
    await page.getByText('1 to 2 of 2').waitFor();

    await page.getByRole('tab', { name: 'Search' }).click();
    await page.getByRole('combobox', { name: 'Nearest to' }).click();
    await page.getByRole('option', { name: 'this text' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('lost suitcase');
    await page.getByRole('textbox', { name: 'Model' }).fill('all-MiniLM-L6-v2');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const hits = page.getByRole('region', { name: 'Exact: hits' });
    await hits.getByRole('row').nth(2).waitFor();
    expect(await hits.getByRole('row').nth(1).textContent()).toContain('luggage');
  });
});
