// SPDX-License-Identifier: Apache-2.0
/**
 * Each screen: it is there, nothing complains, nobody is kept out, nothing is cut off, axe finds nothing; keys lead through them. In the long run each in both
 * widths and both colours; in the quick one in one of the four, a quarter of the screens in each: the page is laid out and painted again for each change.
 */
import { isLongRun } from '@sextant/foundation-testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complaintsOf, hasBrowser } from './browser.ts';
import { type ConsoleFixture, startSeededFixture } from './console-fixture.ts';
import type { SeededTenant } from './fixture/seeded-tenant.ts';
import { cutOff, paint, seriousFindings } from './inspection.ts';
import { watchRequests } from './loading.ts';
import { addressOf, SCREENS, type Screen } from './screens.ts';

const WINDOWS = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const;
/** Few rows on the screen of points. */
const VECTORS = 40;
/** More than any screen has in front of what is looked for. */
const STEPS_MAX = 80;
/** The rules of axe that depend on the colours; everything else is as it was in light ones. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

describe.skipIf(!hasBrowser)('every screen', () => {
  let fixture: ConsoleFixture;
  let tenant: SeededTenant;
  let page: Page;
  let complaints: readonly string[];
  let requests: ReturnType<typeof watchRequests>;

  beforeAll(async () => {
    ({ fixture, tenant } = await startSeededFixture({ vectors: VECTORS }));
    page = await fixture.openAsMember('/overview');
    complaints = complaintsOf(page);
    requests = watchRequests(page);
  });

  afterAll(() => fixture?.[Symbol.asyncDispose]());

  test.each(inQuarters(Object.entries(SCREENS)))('%s', async (_, screen, quarter) => {
    const heard = complaints.length;
    const [first, second] = quarter === 0 || quarter === 3 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
    const [width, other] = quarter < 2 ? (['wide', 'narrow'] as const) : (['narrow', 'wide'] as const);
    const look = async (width: keyof typeof WINDOWS) => {
      // Charts follow the width of the window some frames later.
      await expect.poll(() => cutOff(page), { message: width }).toEqual([]);
      expect(await seriousFindings(page), `${first}, ${width}`).toEqual([]);
      if (!isLongRun()) return;
      await paint(page, second);
      expect(await seriousFindings(page, OF_COLOURS), `${second}, ${width}`).toEqual([]);
      await paint(page, first);
    };
    await page.setViewportSize(WINDOWS[width]);
    await paint(page, first);
    await fixture.show(page, addressOf(screen, tenant));
    await page.getByRole('heading', { level: 1, name: screen.heading }).waitFor();
    for (const text of screen.shows ?? []) await page.getByText(text).first().waitFor();
    await requests.answered();
    await look(width);
    if (isLongRun()) {
      await page.setViewportSize(WINDOWS[other]);
      await look(other);
    }
    expect(complaints.slice(heard)).toEqual([]);
  });

  // The last one, for it closes an incident.
  test('by keys alone, an incident is reached from the overview, and closed', async () => {
    await page.setViewportSize(WINDOWS.wide);
    await fixture.show(page, '/overview');
    await page.reload();
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
    const { status } = await fixture.api.call('get_incident', { incident_id: tenant.openIncidentId });
    expect(status).toBe('CLOSED');
  });
});

/** Every fourth screen in the same quarter, so that screens of a kind are in all of them; quarter by quarter. */
function inQuarters(screens: readonly (readonly [string, Screen])[]) {
  return [0, 1, 2, 3].flatMap((quarter) =>
    screens.filter((_, index) => index % 4 === quarter).map(([name, screen]) => [name, screen, quarter] as const),
  );
}

/** Presses Tab until the focus is on it. */
async function tabTo(page: Page, role: 'link' | 'button', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name }).first().and(page.locator(':focus'));
  for (let step = 0; step < STEPS_MAX; step++) {
    if ((await wanted.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${STEPS_MAX} tabs do not lead to the ${role} “${name}”`);
}
