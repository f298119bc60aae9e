// SPDX-License-Identifier: Apache-2.0
/** Who may ask the vector service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { type ConsoleFixture, startConsoleFixture, VECTORS } from './console-fixture.ts';
import { fillMnist, MNIST } from './fixture/mnist-collection.ts';

const PASSWORD = 'Correct-Horse-42';

describe.skipIf(!hasBrowser)('access', () => {
  let fixture: ConsoleFixture;

  beforeAll(async () => {
    fixture = await startConsoleFixture();
    await fillMnist(fixture.vector.client, VECTORS);
  });

  afterAll(() => fixture?.[Symbol.asyncDispose]());

  test('first admin, a token that is made, used, and deleted', async () => {
    const page = await fixture.openApart('/access');
    await page.getByRole('textbox', { name: 'Setup code' }).fill(await fixture.setupCode());
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the admin' }).click();
    const statusOf = async (headers: Record<string, string>) => (await fetch(`${fixture.vector.address}/collections`, { headers })).status;
    await page.getByRole('switch', { name: 'Require a credential for every request' }).click();
    await page.getByRole('button', { name: 'New token' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('reader');
    await page.getByRole('dialog').getByLabel('Collections').fill(MNIST);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Secret of reader' });
    const secret = ((await dialog.locator('pre').textContent()) ?? '').trim();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => statusOf({})).toBe(401);
    expect(await statusOf({ 'api-key': secret })).toBe(200);
    const reader = await fixture.openApart('/access');
    await reader.getByRole('textbox', { name: 'Token' }).fill(secret);
    await reader.getByRole('button', { name: 'Use it' }).click();
    await reader.getByRole('link', { name: 'Collections' }).click();
    await reader.getByRole('link', { name: MNIST }).waitFor();
    await reader.close();
    await page.getByRole('button', { name: 'Delete reader' }).click();
    await page.getByText('No token yet').waitFor();
    expect(await statusOf({ 'api-key': secret })).toBe(401);
    await page.getByRole('switch', { name: 'Require a credential for every request' }).click();
    await expect.poll(() => statusOf({})).toBe(200);
    await page.close();
  });
});
