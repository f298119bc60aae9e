/** Looking into a collection: a search with its filter, the map and its lasso. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { type ConsoleWorld, PATIENCE_MS, startConsoleWorld, VECTORS } from './console-world.ts';
import { DIGITS, fillDigits } from './world/digits-collection.ts';

describe.skipIf(!hasBrowser)('the screens of a collection', () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    world = await startConsoleWorld();
    await fillDigits(world.vector.client, VECTORS);
  }, PATIENCE_MS);

  afterAll(() => world?.[Symbol.asyncDispose]());

  test('a search by a point’s id, with a filter from the form, compared with the exact one', async () => {
    const page = await world.open(`/collections/${DIGITS}?tab=search`);
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
    await page.close();
  });

  test('a lasso on the map becomes a filter of the points', async () => {
    const page = await world.open(`/collections/${DIGITS}?tab=map`);
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
    await page.getByRole('button', { name: `Show the ${VECTORS} chosen points` }).click();
    await page.getByText(`of those that pass`).waitFor();
    expect(decodeURIComponent(page.url())).toContain('has_id');
    await page.close();
  });
});
