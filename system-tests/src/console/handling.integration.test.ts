// SPDX-License-Identifier: Apache-2.0
/** Why an incident is there, and what people say of it: alone, with a note, and of all that a filter leaves. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN } from '../observability/observability-server.ts';
import { scan, uploadAsset } from '../observability/scanning.ts';
import { complaintsOf, hasBrowser } from './browser.ts';
import { type ConsoleFixture, sharedConsoleFixture } from './console-fixture.ts';
import { cutOff, seriousFindings } from './inspection.ts';

const ROWS = 400;
/** Every fourth order is from Italy, and every total from there is negative. */
const ORDERS = `id,country,total\n${Array.from({ length: ROWS }, (_, id) => (id % 4 === 0 ? `${id},IT,-5` : `${id},${id % 3 === 0 ? 'FR' : 'DE'},${10 + (id % 7)}`)).join('\n')}\n`;
const RULE = 'Totals are positive';
const LEAST = 'Least total';
const MANY = 3;

describe.skipIf(!hasBrowser)('an incident', () => {
  let fixture: ConsoleFixture;

  beforeAll(async () => {
    fixture = await sharedConsoleFixture();
    const { api } = fixture;
    const { id: asset_id } = await uploadAsset(api, { file: 'orders.csv', bytes: Buffer.from(ORDERS), options: { id_attributes: ['id'] } });
    const stated = (threshold1: number, threshold2: number | null) => ({ threshold_type: 'STATIC', threshold1, threshold2 }) as const;
    const rule = { expression: 'VALIDATE total EXPECT NUMERIC_VALUE > 0' };
    await api.call('create_monitor', { asset_id }, { body: { type: 'RULE', name: RULE, enabled: true, monitor: rule } });
    const least = { predefined_metric: 'MIN', attributes: ['total'] } as const;
    const body = { type: 'PREDEFINED_METRIC', name: LEAST, enabled: true, threshold: stated(0, null), monitor: least } as const;
    await api.call('create_monitor', { asset_id }, { body });
    for (let number = 0; number < MANY; number += 1) {
      const monitor = { expression: 'max(`id`)' };
      const high = {
        type: 'METRIC',
        name: `High ${number}`,
        enabled: true,
        tags: ['bulk'],
        threshold: stated(1000, null),
        monitor,
      } as const;
      await api.call('create_monitor', { asset_id }, { body: high });
    }
    await scan(api, asset_id);
  });

  afterAll(() => fixture?.[Symbol.asyncDispose]());

  async function incidentPage(name: string) {
    const page = await fixture.openAsMember('/incidents?statuses=OPEN');
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    return page;
  }

  async function activityOf(name: string) {
    const incidents = await fixture.api.call('list_incidents', {});
    const incident = incidents.find(({ alert_policy_name }) => alert_policy_name === name);
    const activity = await fixture.api.call('incident_activity', { incident_id: incident?.id ?? 0 });
    return { status: incident?.status, ...activity };
  }

  test('says why: what its failed rows have in common with exact counts, and the incident that is its cause', async () => {
    const page = await incidentPage(RULE);
    const complaints = complaintsOf(page);
    const why = page.getByRole('region', { name: 'Why' });
    await why.getByText('100 of 400 rows fail the rule').waitFor();
    await why.getByText('All 100 failing rows have country = IT, which 25 % of all rows have.').waitFor();
    const table = why.getByRole('table', { name: `What the rows that fail ${RULE} have in common` });
    const cells = table.getByRole('row', { name: 'country = IT' }).getByRole('cell');
    expect(await cells.allTextContents()).toEqual(['country = IT', '100 of 100', '100 %', '25 %', '4×']);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await cutOff(page)).toEqual([]);
    await why.getByText('This incident and others have the same cause').waitFor();
    await why.getByRole('link', { name: LEAST }).click();
    await page.getByRole('heading', { level: 1, name: LEAST }).waitFor();
    await page.getByRole('region', { name: 'Why' }).getByText('This incident is the cause of other incidents').waitFor();
    expect(complaints).toEqual([]);
  });

  test('is acknowledged, snoozed, and expected with a note, which closes it', async () => {
    const page = await incidentPage(RULE);
    const complaints = complaintsOf(page);
    const handling = page.getByRole('region', { name: 'Handling' });
    const said = handling.getByRole('status');
    await handling.getByRole('button', { name: 'Acknowledge' }).click();
    await said.filter({ hasText: `Acknowledged by ${ADMIN.email}` }).waitFor();
    await handling.getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: '7 days' }).click();
    await said.filter({ hasText: /Snoozed by .*, until / }).waitFor();
    expect((await activityOf(RULE)).handling).toMatchObject({ state: 'SNOOZED', until: expect.any(String), note: null });
    await handling.getByRole('button', { name: 'Clear' }).click();
    await said.waitFor({ state: 'detached' });
    await handling.getByRole('textbox', { name: 'Note' }).fill('Returns come with a minus.');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await cutOff(page)).toEqual([]);
    await handling.getByRole('button', { name: 'Expected' }).click();
    await said.filter({ hasText: /^Expected by .*: Returns come with a minus\.$/ }).waitFor();
    await page.getByRole('button', { name: 'Open it again' }).waitFor();
    expect(await handling.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('');
    const history = page.getByRole('region', { name: 'History' });
    for (const happened of ['Acknowledged', 'Snoozed', 'Handling cleared', 'Expected', 'Closed']) {
      await history.getByText(happened, { exact: true }).waitFor();
    }
    expect(await activityOf(RULE)).toMatchObject({ status: 'CLOSED', handling: { state: 'EXPECTED', note: 'Returns come with a minus.' } });
    expect(complaints).toEqual([]);
  });

  test('that is a false positive, with a note, is closed and its point excluded from learning', async () => {
    const page = await incidentPage(LEAST);
    const handling = page.getByRole('region', { name: 'Handling' });
    await handling.getByRole('textbox', { name: 'Note' }).fill('A test delivery');
    await handling.getByRole('button', { name: 'False positive' }).click();
    await handling
      .getByRole('status')
      .filter({ hasText: /^False positive by .*: A test delivery$/ })
      .waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('A point was excluded from learning').waitFor();
    await page.getByRole('button', { name: 'Open it again' }).waitFor();
    expect(await activityOf(LEAST)).toMatchObject({ status: 'CLOSED', handling: { state: 'FALSE_POSITIVE', note: 'A test delivery' } });
  });

  test('is handled with all others that pass the filter', async () => {
    const page = await fixture.openAsMember('/incidents?tags=bulk');
    const complaints = complaintsOf(page);
    const handle = page.getByRole('button', { name: 'Handle all of these' });
    const dialog = page.getByRole('dialog', { name: `Handle ${MANY} incidents` });
    await handle.click();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Known since Monday');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Handle them' }).click();
    await dialog.getByText(`Done for ${MANY}.`).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const each = () => Promise.all(Array.from({ length: MANY }, (_, number) => activityOf(`High ${number}`)));
    for (const { status, handling } of await each()) {
      expect({ status, handling }).toMatchObject({ status: 'OPEN', handling: { state: 'ACKNOWLEDGED', note: 'Known since Monday' } });
    }
    await handle.click();
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Close', exact: true }).click();
    await dialog.getByRole('button', { name: 'Handle them' }).click();
    await dialog.getByText(`Done for ${MANY}.`).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect((await each()).map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 'CLOSED'));
    expect((await activityOf(RULE)).comments).toEqual([]);
    expect((await activityOf(RULE)).handling?.note).not.toBe('Known since Monday');
    expect(complaints).toEqual([]);
  });
});
