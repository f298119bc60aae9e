/** From a file on one's own disk to what is known of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complaintsOf, hasBrowser } from './browser.ts';
import { type ConsoleWorld, signIn, startConsoleWorld } from './console-world.ts';
import { seriousFindings } from './inspection.ts';

describe.skipIf(!hasBrowser)('an upload', () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    world = await startConsoleWorld();
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  test('a file is uploaded and scanned', async () => {
    const page = await world.open('/assets');
    const complaints = complaintsOf(page);
    await signIn(page);
    await page.getByRole('button', { name: 'Upload a file' }).first().click();
    const rows = Array.from({ length: 50 }, (_, i) => `${i},${i % 5 === 0 ? '' : `name ${i}`}`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(['id,name', ...rows, ''].join('\n')) });
    await page.getByRole('button', { name: 'Upload and scan' }).click();
    await page.getByRole('heading', { level: 1, name: 'people' }).waitFor();
    await page.getByText('50 records scanned').first().waitFor();
    await page.getByRole('heading', { name: 'Metrics over time' }).waitFor();
    await page.getByRole('tab', { name: 'Attributes' }).click();
    await page.getByRole('row', { name: /name/ }).getByText('80.0 %').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
