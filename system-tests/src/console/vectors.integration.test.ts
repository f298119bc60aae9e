// SPDX-License-Identifier: Apache-2.0
/** Looking into a collection: a search with its filter, the map and its lasso. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAsset, scanned } from '../observability/scanning.ts';
import { vectorApi } from '../vector-api.ts';
import { hasBrowser } from './browser.ts';
import { type ConsoleFixture, sharedConsoleFixture, VECTORS } from './console-fixture.ts';
import { signIn } from './console-pages.ts';
import { fillMnist, MNIST } from './fixture/mnist-collection.ts';
import { seriousFindings } from './inspection.ts';

describe.skipIf(!hasBrowser)('the screens of a collection', () => {
  let fixture: ConsoleFixture;

  beforeAll(async () => {
    fixture = await sharedConsoleFixture();
    await fillMnist(fixture.vector.client, VECTORS);
  });

  afterAll(() => fixture?.[Symbol.asyncDispose]());

  /** A map in the window of a telephone, where there is the least to draw. */
  async function narrowMap(choices: string, collection = MNIST) {
    const page = await fixture.open('/collections');
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
    const before = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await fixture.show(page, `/collections/${collection}?tab=map${choices}`);
    return {
      page,
      map: page.getByRole('application', { name: 'Map of the vectors' }),
      [Symbol.asyncDispose]: async () => (before === null ? undefined : page.setViewportSize(before)),
    };
  }

  test('a collection of several vectors is made, what is wrong is reported at its field; it gets an alias and other settings, and goes', async () => {
    const page = await fixture.open('/collections');
    await page.getByRole('button', { name: 'New collection' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New collection' });
    await dialog.getByRole('button', { name: 'Another vector' }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('A collection needs a name.').waitFor();
    await expect.poll(() => dialog.getByText('If there are several vectors, each needs a name.').count()).toBe(2);
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('mixed');
    const second = dialog.getByRole('group', { name: 'Vector 2' });
    await second.getByRole('textbox', { name: 'Vector' }).fill('words');
    await second.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'sparse' }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'mixed' }).waitFor();
    const mixed = vectorApi(fixture.vector.client).collection('mixed');
    expect((await mixed.info()).config.params).toMatchObject({ vectors: { size: 384 }, sparse_vectors: { words: {} } });

    await page.getByRole('textbox', { name: 'Name' }).fill('other');
    await page.getByRole('button', { name: 'Add this alias' }).click();
    await page.getByRole('button', { name: 'Delete the alias other' }).waitFor();
    await page.getByRole('button', { name: 'Change the settings' }).click();
    await page.getByRole('textbox', { name: 'Links (m)' }).fill('24');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('"m": 24').waitFor();
    expect((await vectorApi(fixture.vector.client).collection('other').info()).config.hnsw_config).toMatchObject({ m: 24 });

    await page.getByRole('button', { name: 'Create snapshot' }).click();
    const row = page.getByRole('row', { name: /^mixed-/ });
    const [download] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: /^Download/ }).click()]);
    expect(download.suggestedFilename()).toMatch(/^mixed-.*\.snapshot$/);
    await mixed.upsert([{ id: 1, vector: { words: { indices: [1], values: [1] } }, payload: {} }]);
    await row.getByRole('button', { name: /^Restore/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await expect.poll(async () => (await mixed.info()).points_count).toBe(0);
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Delete the collection' }).click();
    await page.getByRole('textbox', { name: 'Name of the collection' }).fill('mixed');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
    expect(await mixed.exists()).toBe(false);
  });

  test('a collection of sparse vectors alone is shown with its points', async () => {
    const alone = vectorApi(fixture.vector.client).collection('texts');
    await alone.create({ vectors: {}, sparse_vectors: { words: {} } });
    await alone.upsert([{ id: 41, vector: { words: { indices: [5], values: [2] } }, payload: { title: 'Emma' } }]);
    const page = await fixture.open('/collections/texts');
    await page.getByRole('heading', { level: 1, name: 'texts' }).waitFor();
    await page.getByText('words').first().waitFor();
    for (const [tab, shown] of [
      ['Points', '{"title":"Emma"}'],
      ['Search', 'Nearest to'],
      ['Map', 'No vector that a map can show'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').getByText(shown).first().waitFor();
    }
    expect(await seriousFindings(page)).toEqual([]);
    await alone.remove();
  });

  test('a search by a point’s id, with a filter from the form, compared with the exact one', async () => {
    const page = await fixture.open(`/collections/${MNIST}?tab=search`);
    await page.getByLabel('Id').fill('7');
    await page.getByRole('combobox', { name: 'Where' }).fill('digit');
    await page.getByRole('textbox', { name: 'Value' }).fill('seven');
    await page.getByRole('button', { name: 'Add to the filter' }).click();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const exact = page.getByRole('region', { name: 'Exact: hits' });
    await exact.getByRole('row').nth(10).waitFor();
    const payloads = await exact.getByRole('row').allInnerTexts();
    expect(payloads.slice(1).every((row) => row.includes('seven'))).toBe(true);
    await page.getByText('recall 1.00').waitFor();
    await page.getByText('in the service').first().waitFor();
  });

  test('a search by an example payload finds points like those that have its values, and is remembered', async () => {
    const page = await fixture.open(`/collections/${MNIST}?tab=search`);
    await page.getByRole('combobox', { name: 'Nearest to' }).click();
    await page.getByRole('option', { name: 'points like an example' }).click();
    await page.getByRole('textbox', { name: 'Like points with', exact: true }).fill('{"digit": "eleven"}');
    // The form begins as the latest search left it.
    await page.getByRole('textbox', { name: 'Filter', exact: true }).fill('');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('No point has these values.').waitFor();
    await page.getByRole('textbox', { name: 'Like points with', exact: true }).fill('{"digit": "one"}');
    await page.getByRole('textbox', { name: 'Unlike points with' }).fill('{"digit": "zero"}');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const exact = page.getByRole('region', { name: 'Exact: hits' });
    // The examples themselves, of 22 ones most, are no hits.
    await exact.getByRole('row', { name: /one/ }).nth(3).waitFor();
    await page.getByRole('button', { name: 'Latest searches' }).click();
    await page.getByRole('menuitem', { name: /like \{"digit": "one"\}, unlike/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('pages of points, a payload with a fault that is named, and points that are deleted together', async () => {
    const points = vectorApi(fixture.vector.client).collection(MNIST);
    const vector = Array.from({ length: 784 }, () => 7);
    await points.upsert([6001, 6002, 6003].map((id) => ({ id, vector, payload: { digit: 'none', ink: 7 } })));
    const page = await fixture.open(`/collections/${MNIST}?tab=points`);
    await page.getByText('1 to 100 of').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText(`101 to ${VECTORS + 3} of`).waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByText('1 to 100 of').waitFor();
    await page.getByLabel('Filter').fill('{"must": [{"key": "digit", "match": {"value": "none"}}]}');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1 to 3 of 3 that match').waitFor();

    await page.getByRole('button', { name: 'Show the vectors of 6001' }).click();
    await page.getByText('784 numbers').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit the payload of 6001' }).click();
    const editor = page.getByRole('textbox', { name: 'Payload' });
    await editor.fill('{\n  "digit": "none",\n  "ink" 8\n}');
    await page.getByText('Line 3, column 9').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await editor.fill('{\n  "digit": "none",\n  "ink": 8\n}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('{"digit":"none","ink":8}').waitFor();

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Delete the 3 selected' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No point matches this filter').waitFor();
    expect((await points.info()).points_count).toBe(VECTORS);
  });

  test('a count that fails is reported, and asked for again where the browser takes itself for offline', async () => {
    const two = JSON.stringify(JSON.stringify({ must: [{ has_id: [1, 2] }] }));
    const page = await fixture.open(`/collections/${MNIST}?tab=points&filter=${encodeURIComponent(two)}`);
    await page.getByText('1 to 2 of 2 that match').waitFor();
    await page.route('**/points/count', (route) => route.continue({ url: route.request().url().replace(MNIST, 'nowhere') }));
    await page.getByLabel('Filter').fill('{"must": [{"key": "ink", "range": {"gte": 0}}]}');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1 to 100 of those that match').waitFor();
    await page.unroute('**/points/count');
    await page.evaluate("window.dispatchEvent(new Event('offline'))");
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByText(`1 to 100 of ${VECTORS} that match`).waitFor();
    await page.evaluate("window.dispatchEvent(new Event('online'))");
  });

  test('points chosen on the map with a lasso, by its tool, Shift or a finger, or with keys become a filter of the points', async () => {
    await using narrow = await narrowMap('&projection=pca');
    const { page, map } = narrow;
    await map.and(page.locator('[aria-busy=false]')).scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const around = [
      [width - 3, 3],
      [width - 3, height / 2],
      [width - 3, height - 3],
      [width / 2, height - 3],
      [3, height - 3],
      [3, height / 2],
      [3, 3],
    ].map(([dx = 0, dy = 0]) => ({ x: x + dx, y: y + dy }));
    const [start = { x, y }] = around;
    const drag = async () => {
      await page.mouse.move(start.x, start.y);
      await page.mouse.down();
      for (const corner of around) await page.mouse.move(corner.x, corner.y);
      await page.mouse.up();
    };
    const touch = async () => {
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start] });
      for (const corner of around) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [corner] });
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
      await session.detach();
    };
    const tool = page.getByRole('button', { name: 'Choose points with a lasso' });
    const show = page.getByRole('button', { name: `Show the ${VECTORS} chosen points` });
    const none = page.getByRole('button', { name: 'Clear the selection' });
    await tool.click();
    await drag();
    await show.waitFor();
    await none.click();
    await show.waitFor({ state: 'detached' });
    await page.keyboard.down('Shift');
    await drag();
    await page.keyboard.up('Shift');
    await show.waitFor();
    await none.click();
    await show.waitFor({ state: 'detached' });
    await tool.click();
    await touch();
    await show.waitFor();
    await none.click();

    // By keys alone, in a rectangle that they move and size.
    await map.focus();
    await page.keyboard.press('r');
    const status = map.getByRole('status');
    const counted = async () => Number.parseInt((await status.textContent())?.replace('No', '0') ?? '', 10);
    const middle = await counted();
    expect(middle).toBeGreaterThan(0);
    expect(await seriousFindings(page)).toEqual([]);
    const press = async (key: string, times: number) => {
      for (let time = 0; time < times; time++) await page.keyboard.press(key);
    };
    await press('Shift+ArrowRight', 3);
    await press('Shift+ArrowDown', 3);
    await expect.poll(counted).toBeGreaterThan(middle);
    const grown = await counted();
    await press('ArrowLeft', 5);
    await press('ArrowUp', 5);
    await expect.poll(counted).not.toBe(grown);
    const chosen = await counted();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Show the ${chosen} chosen points` }).press('Enter');
    await page.getByText(`of ${chosen} that match`).waitFor();
    await expect.poll(() => decodeURIComponent(page.url())).toContain('has_id');
  });

  test('the map goes on from PCA to UMAP, with its choices in the address, and finds a point with its neighbours', async () => {
    await using narrow = await narrowMap('');
    const { page } = narrow;
    await page.getByText('laid out by their neighbours (UMAP)').waitFor();
    await page.getByRole('combobox', { name: 'Colour by' }).click();
    await page.getByRole('option', { name: 'digit' }).click();
    const seven = page.getByRole('button', { name: /^seven \d+$/ });
    await seven.click();
    await expect.poll(() => seven.getAttribute('aria-pressed')).toBe('true');
    await page.getByText('PCA', { exact: true }).click();
    await page.getByText('projected onto the plane in which they vary most (PCA)').waitFor();
    await expect.poll(() => page.url()).toMatch(/projection=pca/);
    expect(page.url()).toContain('colour=digit');

    // A point is found by its id, and its neighbours are listed with their scores.
    await page.getByRole('textbox', { name: 'Find a point' }).fill('7');
    await page.keyboard.press('Enter');
    const neighbours = page.getByRole('region', { name: 'Neighbours of 7' });
    await neighbours.getByRole('row').nth(9).waitFor();
    const asked = { query: 7, limit: 1 };
    const { points } = await vectorApi(fixture.vector.client).call<{ readonly points: readonly { readonly id: number }[] }>(
      'POST',
      `/collections/${MNIST}/points/query`,
      asked,
    );
    expect(await neighbours.getByRole('row').first().textContent()).toContain(String(points[0]?.id));
    await page.getByRole('textbox', { name: 'Find a point' }).fill('999999');
    await page.keyboard.press('Enter');
    await page.getByText('The map does not show a point with this id.').waitFor();
  });

  test('a map of more points than one answer may hold with their vectors is drawn', async () => {
    const count = 10_001;
    const many = vectorApi(fixture.vector.client).collection('many');
    await many.create({ vectors: { size: 2, distance: 'Cosine' } });
    await many.upsert(Array.from({ length: count }, (_, id) => ({ id, vector: [Math.cos(id), Math.sin(id)], payload: {} })));
    await using narrow = await narrowMap('&projection=pca', 'many');
    const { page } = narrow;
    await page.getByText(/5,000 points projected onto the plane/).waitFor();
    await page.getByRole('textbox', { name: 'Points', exact: true }).fill(String(count));
    await page.getByRole('button', { name: 'Draw again' }).click();
    await page.getByText(/10,001 points projected onto the plane/).waitFor();
  });

  test('what a scan of the collection found fault with is highlighted on the map, with the reasons', async () => {
    const points = vectorApi(fixture.vector.client).collection(MNIST);
    await points.upsert([{ id: 5000, vector: Array.from({ length: 784 }, () => 0), payload: { digit: 'zero', ink: 0 } }]);
    const connection = await fixture.api.call(
      'create_connection',
      {},
      { body: { name: 'vectors', type: 'VECTOR_COLLECTION', payload: { url: fixture.vector.address } } },
    );
    const source = { type: 'VECTOR_COLLECTION', connection_id: connection.id, payload: { collection: MNIST } } as const;
    const asset = await createAsset(fixture.api, { name: MNIST, ...source });
    const { job } = await scanned(fixture.api, asset.id);
    await using narrow = await narrowMap(`&projection=pca&highlight=${job.id}`);
    const { page } = narrow;
    await page.getByText('Only members of the tenant can see the faulty points of its scans').waitFor();
    await signIn(page, fixture.api.tenant);
    const found = page.getByRole('region', { name: 'Faulty points of the scan' }).getByRole('button', { name: /^5000/ });
    await found.getByText('The vector is zero').waitFor();
    await found.click();
    await page.getByRole('region', { name: 'Neighbours of 5000' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Points' }).click();
    await page.getByText('that the scan found faulty and that still exist').waitFor();
    await page.getByRole('row', { name: /5000.*The vector is zero/ }).waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select 1', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show all points' }).click();
    await page.getByRole('checkbox', { name: 'Select 1', exact: true }).waitFor();
    expect(page.url()).not.toContain('highlight=');
    await points.deletePoints({ points: [5000] });

    await fixture.show(page, `/assets/${asset.project_id}/${asset.id}`);
    // It leads to the map alone until the page knows of the scan.
    const leading = async () => (await page.getByRole('link', { name: 'map of the vectors' }).getAttribute('href'))?.split('?')[1];
    await expect.poll(async () => Object.fromEntries(new URLSearchParams(await leading()))).toEqual({ tab: 'map', highlight: job.id });

    // The text of a vector is set in the settings of its asset, and a member that holds none is refused there.
    await fixture.show(page, `/assets/${asset.project_id}/${asset.id}?tab=settings`);
    const options = page.getByRole('region', { name: 'Scan options' });
    const save = options.getByRole('button', { name: 'Save' });
    const text = options.getByRole('combobox', { name: 'Text of the unnamed vector' });
    await text.fill('ink');
    await save.click();
    await options.getByText('ink holds no text; it is of type INTEGER', { exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await text.fill('dig');
    await page.getByRole('option', { name: 'digit' }).click();
    await save.click();
    await options.getByText('Saved').waitFor();
    const set = async () => (await fixture.api.call('get_asset', { project_id: asset.project_id, asset_id: asset.id })).options;
    expect(await set()).toMatchObject({ text_members: { '': 'digit' } });
    await text.fill('');
    await save.click();
    await expect.poll(async () => (await set()).text_members).toBeUndefined();
  });
});
