/** Without a mouse: what is done all day can be reached and done by keys. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { type ConsoleWorld, signIn, startFurnishedWorld } from './console-world.ts';
import type { FurnishedTenant } from './world/furnished-tenant.ts';

/** More than any screen has in front of what is looked for. */
const STEPS_MAX = 80;

describe.skipIf(!hasBrowser)('by keys alone', () => {
  let world: ConsoleWorld;
  let tenant: FurnishedTenant;

  beforeAll(async () => {
    ({ world, tenant } = await startFurnishedWorld());
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  test('an incident is reached from the overview, and closed', async () => {
    const page = await world.open('/overview');
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await tabTo(page, 'link', 'Incidents');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    const incident = page.getByRole('link', { name: 'Numeric value drifts' }).first();
    await incident.waitFor();
    await tabTo(page, 'link', 'Numeric value drifts');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /Numeric value drifts/ }).waitFor();
    await page.getByRole('button', { name: 'Close the incident' }).waitFor();
    await tabTo(page, 'button', 'Close the incident');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Reopen|Open .*again/ }).waitFor();
    const { status } = await world.api.call('get_incident', { incident_id: tenant.openIncidentId });
    expect(status).toBe('CLOSED');
    await page.close();
  });
});

/** Presses Tab until the focus is on it. */
async function tabTo(page: Page, role: 'link' | 'button', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name }).first().and(page.locator(':focus'));
  for (let step = 0; step < STEPS_MAX; step++) {
    if ((await wanted.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${STEPS_MAX} tabs do not lead to the ${role} “${name}”`);
}
