// SPDX-License-Identifier: Apache-2.0
/** From a damaged file to an incident that people looked after: the overview, the list, and what is done about one. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN } from '../observability/observability-server.ts';
import { scan, uploadAsset } from '../observability/scanning.ts';
import { complaintsOf, hasBrowser } from './browser.ts';
import { type ConsoleFixture, sharedConsoleFixture } from './console-fixture.ts';
import { cutOff, seriousFindings } from './inspection.ts';

/** Two of five totals are missing, one is negative. */
const ORDERS = 'id,mail,total\n1,ada@example.org,10\n2,ben@example.org,\n3,cyd@example.org,-30\n4,dee@example.org,\n5,eve@example.org,50\n';
const COLLEAGUE = 'cleo@example.org';
/** More than a screen of incidents, all of one scan. */
const MONITORS = 50;

describe.skipIf(!hasBrowser)('incidents', () => {
  let fixture: ConsoleFixture;

  beforeAll(async () => {
    fixture = await sharedConsoleFixture();
    const user = { email: COLLEAGUE, first_name: 'Cleo', last_name: 'Example', role: 'operator', password: 'Correct-Horse-42' } as const;
    await fixture.api.call('create_user', {}, { body: user });
  });

  afterAll(() => fixture?.[Symbol.asyncDispose]());

  test('alerts without an incident are looked for, and what became of them is said', async () => {
    const page = await fixture.openAsMember('/incidents');
    await page.getByRole('button', { name: 'Incidents from past alerts' }).click();
    const answer = page.waitForResponse(/incidents\/historical$/);
    await page.getByRole('button', { name: 'Create the incidents' }).click();
    expect(await (await answer).json()).toEqual({ alerts: 0, incidents_created: 0, incidents_continued: 0 });
    await page.getByText('Every alert of the last 30 days already belongs to an incident.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a new tenant is shown what to do first; a damaged file becomes an incident, which is commented, assigned, closed and reopened', async () => {
    await uploadOrders(fixture);
    await watchOrders(fixture);

    const page = await fixture.openAsMember('/overview');
    const complaints = complaintsOf(page);
    await page.getByRole('link', { name: 'High impact: 1' }).click();
    await page.getByText('1 of 2 incidents').waitFor();
    await page.getByRole('button', { name: 'Remove Impact: high' }).click();
    await page.getByRole('link', { name: 'Totals are positive' }).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(() => page.url()).not.toContain('impacts');
    await page.getByRole('link', { name: 'Totals are positive' }).click();

    await page.getByRole('heading', { level: 1, name: 'Totals are positive' }).waitFor();
    const rows = page.getByRole('region', { name: 'Failed rows' });
    await rows.getByText('-30').waitFor();
    expect(await rows.textContent(), 'personal data is masked').not.toContain('cyd@example.org');
    await page.getByRole('region', { name: 'Alerts (1)' }).getByText('nobody: notification is off in the monitor').waitFor();
    await page.getByRole('region', { name: 'Related incidents' }).getByText('of the same asset').waitFor();
    await page.getByRole('region', { name: 'Similar incidents' }).getByText('% similar: ').waitFor();

    const history = page.getByRole('region', { name: 'History' });
    const text = page.getByRole('textbox', { name: 'Comment' });
    await text.fill('The supplier was informed.');
    await text.press('Control+Enter');
    await history.getByText('The supplier was informed.').waitFor();
    await page.getByRole('combobox', { name: 'Assignee' }).click();
    await page.getByRole('option', { name: COLLEAGUE }).click();
    await history.getByText(`Assigned to ${COLLEAGUE}`).waitFor();
    await text.fill('Delivered again.');
    await page.getByRole('button', { name: 'Close the incident with this comment' }).click();
    await page.getByRole('button', { name: 'Open it again' }).waitFor();
    await history.getByText('Delivered again.').waitFor();
    await page.getByRole('button', { name: 'Open it again' }).click();
    await history.getByText('Opened again').waitFor();
    await page.getByRole('button', { name: 'Close the incident' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await cutOff(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create a ticket' }).click();
    await page.getByText('No tracker is connected to this tenant.').waitFor();
    await page.keyboard.press('Escape');

    const [incident] = await fixture.api.call('list_incidents', {}, { query: { assignees: COLLEAGUE } });
    expect(incident).toMatchObject({ alert_policy_name: 'Totals are positive', status: 'OPEN' });
    const { comments, steps } = await fixture.api.call('incident_activity', { incident_id: incident?.id ?? 0 });
    expect(comments.map((each) => each.text)).toEqual(['The supplier was informed.', 'Delivered again.']);
    expect(steps.map(({ state, actor }) => [state, actor])).toEqual([
      ['NEW', 'system'],
      ['RESOLVED', ADMIN.email],
      ['REOPENED', ADMIN.email],
    ]);
    expect(complaints).toEqual([]);
  });

  test('a point is excluded from learning where its incident is looked at, and that closes it', async () => {
    const page = await fixture.openAsMember('/incidents?text=totals+are+filled');
    await page.getByRole('link', { name: 'Totals are filled' }).click();
    await page.getByRole('button', { name: 'Exclude' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Exclude the point from learning?' });
    await dialog.getByRole('textbox', { name: 'Why' }).fill('A holiday');
    await dialog.getByRole('button', { name: 'Exclude' }).click();
    await page.getByRole('button', { name: 'Include' }).first().waitFor();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('A point was excluded from learning').waitFor();
    await page.getByRole('button', { name: 'Open it again' }).waitFor();
  });

  test('the incidents whose monitors say no impact are counted, and listed by that', async () => {
    await fillList(fixture);
    const page = await fixture.openAsMember('/overview');
    await page.getByRole('link', { name: `Not rated: ${MONITORS}` }).click();
    await page.getByText(`${MONITORS} of ${MONITORS + 2} incidents`).waitFor();
    await page.getByRole('button', { name: 'Remove Impact: not rated' }).click();
    await page.getByText(`${MONITORS + 1} of ${MONITORS + 2} incidents`).waitFor();
  });

  test('keys walk a list that is longer than the screen, and the way back leads to the same place', async () => {
    const page = await fixture.openAsMember('/incidents?tags=many');
    // The place in a list belongs to a step of the application, and an address that is typed on an open page is none.
    await page.reload();
    await page.getByText(`${MONITORS} of ${MONITORS + 2} incidents`).waitFor();
    await page.locator('li[data-row="0"] a').waitFor();
    expect(await page.getByRole('listitem').count()).toBeLessThan(MONITORS);
    const search = page.getByRole('textbox', { name: /^Find in/ });
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toMatch(/^Find in/);
    await page.keyboard.press('ArrowDown');
    for (let step = 0; step < 25; step += 1) await page.keyboard.press('j');
    await expect.poll(() => focusedRow(page)).toBe('25');
    await page.keyboard.press('k');
    await expect.poll(() => focusedRow(page)).toBe('24');
    const offset = await scrollOffset(page);
    expect(offset).toBeGreaterThan(500);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Watch \d+/ }).waitFor();
    await page.goBack();
    await page.locator('li[data-row="24"] a').waitFor();
    await expect.poll(() => scrollOffset(page)).toBe(offset);
    await page.keyboard.press('j');
    await expect.poll(() => focusedRow(page)).toBe('25');
    await search.fill('Watch 37');
    await page.getByText(`1 of ${MONITORS + 2} incidents`).waitFor();
    await expect.poll(() => new URLSearchParams(page.url().split('?')[1]).get('text')).toBe('Watch 37');
  });

  test('an incident of rows that could not be read, and one of values that do not fit, shows them', async () => {
    const bytes = Buffer.from('id,total,city\n1,10,Rome\n2\n3,thirty,Oslo\n4,40,Bern\n');
    const reading = { types: { total: 'INTEGER' } } as const;
    const { id } = await uploadAsset(fixture.api, { file: 'lossy.csv', bytes, options: { reading } });
    expect(await scan(fixture.api, id)).toMatchObject({ status: 'FINISHED' });
    const [rejected, misfit] = ['line 3: 2', 'thirty'];
    for (const [name, shown, hidden] of [
      ['Rejected rows violation', rejected, misfit],
      ['Type mismatch violation', misfit, rejected],
    ] as const) {
      const page = await fixture.openAsMember(`/incidents?text=${name.replaceAll(' ', '+')}`);
      await page.getByRole('link', { name }).click();
      const rows = page.getByRole('region', { name: 'Failed rows' });
      await rows.getByText(shown).waitFor();
      expect(await rows.textContent()).not.toContain(hidden);
    }
  });

  test('a viewer reads all of it and is offered nothing that would be refused', async () => {
    const email = 'vera@example.org';
    const user = { email, first_name: 'Vera', last_name: 'Example', role: 'viewer', password: ADMIN.password } as const;
    await fixture.api.call('create_user', {}, { body: user });
    const page = await fixture.open('/incidents?statuses=OPEN&text=totals+are+positive');
    const complaints = complaintsOf(page);
    await page.getByRole('textbox', { name: 'Tenant' }).fill(fixture.api.tenant);
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Totals are positive' }).click();
    await page.getByText('To comment on it, close it or open it again: Needs the role operator').waitFor();
    await page.getByText('The supplier was informed.').waitFor();
    expect(await page.getByRole('button', { name: /Close the incident|Create a ticket|Exclude|Assign to me/ }).count()).toBe(0);
    await expect.poll(() => page.getByRole('combobox', { name: 'Assignee' }).isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
  });
});

/** As somebody who has just signed in for the first time. */
async function uploadOrders(fixture: ConsoleFixture): Promise<void> {
  const page = await fixture.openAsMember('/overview');
  await page.getByText('Nothing is watched yet').waitFor();
  await page.getByRole('button', { name: 'Upload a file' }).click();
  await page.locator('input[type=file]').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(ORDERS) });
  await page.getByRole('button', { name: 'Upload and scan' }).click();
  await page.getByRole('heading', { level: 1, name: 'orders' }).waitFor();
  await page.getByText('5 records scanned').first().waitFor();
}

/** Two monitors with stated bands, which the next scan asks. */
async function watchOrders({ api }: ConsoleFixture): Promise<void> {
  const [asset] = await api.call('list_assets', {});
  const asset_id = asset?.id ?? '';
  const rule = { expression: 'VALIDATE total EXPECT NUMERIC_VALUE > 0', options: { ignore_nulls: true } };
  const filled = { predefined_metric: 'COMPLETENESS', attributes: ['total'] } as const;
  const stated = (threshold1: number, threshold2: number | null) => ({ threshold_type: 'STATIC', threshold1, threshold2 }) as const;
  const monitors = [
    { type: 'RULE', name: 'Totals are positive', enabled: true, impact: 'HIGH', threshold: stated(100, null), monitor: rule },
    { type: 'PREDEFINED_METRIC', name: 'Totals are filled', enabled: true, impact: 'LOW', threshold: stated(90, 100), monitor: filled },
  ] as const;
  for (const body of monitors) await api.call('create_monitor', { asset_id }, { body });
  await scan(api, asset_id);
}

async function fillList({ api }: ConsoleFixture): Promise<void> {
  const { id: asset_id } = await uploadAsset(api, { file: 'many.csv', bytes: Buffer.from('n\n1\n2\n') });
  for (let number = 0; number < MONITORS; number += 1) {
    const threshold = { threshold_type: 'STATIC', threshold1: 100, threshold2: null } as const;
    const body = {
      type: 'METRIC',
      name: `Watch ${number}`,
      enabled: true,
      tags: ['many'],
      threshold,
      monitor: { expression: 'max(`n`)' },
    } as const;
    await api.call('create_monitor', { asset_id }, { body });
  }
  await scan(api, asset_id);
}

function focusedRow(page: Page): Promise<string | null> {
  return page.evaluate<string | null>("document.activeElement?.closest('[data-row]')?.dataset.row ?? null");
}

function scrollOffset(page: Page): Promise<number> {
  return page.evaluate<number>("document.querySelector('ol').parentElement.scrollTop");
}
