// SPDX-License-Identifier: Apache-2.0
/** Monitors, channels and tickets as a person sets them, in a real browser against the service and receivers of ours. */
import { roundsOf } from '@sextant/foundation-testing';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Peer, type PeerReply, type PeerRequest, startPeer } from '../observability/incidents/peer.ts';
import { scan, uploadAsset } from '../observability/scanning.ts';
import { complaintsOf, hasBrowser } from './browser.ts';
import { type ConsoleFixture, sharedConsoleFixture } from './console-fixture.ts';

const TRACKER_TOKEN = 'tracker-token';
/** Of four, one left more than three hours late. */
const FLIGHTS = `id,date,origin,delay\n${Array.from({ length: 40 }, (_, id) => `${id},2026-05-01,${id % 2 === 0 ? 'JFK' : 'LAX'},${id % 4 === 0 ? 200 : 5}`).join('\n')}\n`;
/** Of the examples of a kind, the first one is always asked. */
const EVERY = roundsOf({ quick: 3, long: 1 });
/** More monitors than the list has rows on the screen. */
const OTHERS = 50;

/** As far as the service asks a tracker who it is. */
function answerOfTracker({ path, headers }: PeerRequest): PeerReply {
  if (headers.authorization !== `Bearer ${TRACKER_TOKEN}`) {
    return { status: 401, body: { errorMessages: ['Client must be authenticated.'], errors: {} } };
  }
  return path === '/rest/api/2/myself' ? { status: 200, body: { displayName: 'Ada' } } : { status: 404, body: {} };
}

/** Which rule, expression or statement a preview was asked for. */
function expressionOf(preview: Request): string {
  const { monitor }: { readonly monitor: { readonly expression: string } } = preview.postDataJSON();
  return monitor.expression;
}

describe.skipIf(!hasBrowser)('monitors and what they set off', () => {
  let fixture: ConsoleFixture;
  let flights: string;
  let late: string;
  let openIncidentId: number;
  let templateId: number;
  let page: Page;
  let receiver: Peer;
  let tracker: Peer;

  beforeAll(async () => {
    [receiver, tracker, fixture] = await Promise.all([
      startPeer(() => ({ status: 200, body: {} })),
      startPeer(answerOfTracker),
      sharedConsoleFixture(),
    ]);
    const { api } = fixture;
    flights = (await uploadAsset(api, { file: 'flights.csv', name: 'flights', bytes: Buffer.from(FLIGHTS) })).id;
    const threshold = { threshold_type: 'STATIC', threshold1: 100, threshold2: null } as const;
    const monitor = { expression: 'VALIDATE delay EXPECT NUMERIC_VALUE <= 180' };
    const rule = { type: 'RULE', name: 'no flight is late', enabled: true, threshold, monitor } as const;
    late = (await api.call('create_monitor', { asset_id: flights }, { body: rule })).id;
    await scan(api, flights);
    await scan(api, flights);
    openIncidentId = (await api.call('list_incidents', {}))[0]?.id ?? 0;
    const other = await uploadAsset(api, { file: 'other.csv', bytes: Buffer.from('n\n1\n') });
    for (let number = 0; number < OTHERS; number += 1) {
      const body = { type: 'METRIC', name: `Other ${number}`, enabled: true, threshold, monitor: { expression: 'max(`n`)' } } as const;
      await api.call('create_monitor', { asset_id: other.id }, { body });
    }
    const props = { tracker_project_id: '10000', tracker_issue_type_id: '10001', custom_fields: {} };
    templateId = (await api.call('create_ticket_template', {}, { body: { name: 'Data defect', type: 'TRACKER', props } })).id;
    page = await fixture.openAsMember('/settings/channels');
  });

  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
    await tracker?.[Symbol.asyncDispose]();
  });

  const monitors = () => fixture.api.call('list_monitors', { asset_id: flights });
  const monitorNamed = async (name: string) => (await monitors()).find((each) => each.name === name);
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  test('a channel is made, its secret shown once, tested address by address, and changed', async () => {
    await fixture.show(page, '/settings/channels');
    await page.getByRole('button', { name: 'New channel' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('hooks');
    await page.getByText('Webhook', { exact: true }).click();
    const addresses = page.getByRole('textbox', { name: 'Addresses, one per line' });
    await addresses.fill('mailbox@example.com');
    await page.getByRole('button', { name: 'Create the channel' }).click();
    await page.getByText('[0]: expected an http or https address, got "mailbox@example.com"').waitFor();
    await addresses.fill(`${receiver.url}/hook\nhttp://127.0.0.1:1/nobody`);
    await page.getByRole('button', { name: 'Create the channel' }).click();
    const secret = page.getByRole('dialog', { name: 'Secret of hooks' });
    expect(await secret.locator('pre').textContent()).toMatch(/^\s*whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Test hooks' }).click();
    const answers = page.getByRole('list', { name: 'Answers' });
    await answers.getByText('The message arrived.').waitFor();
    expect(await answers.getByRole('listitem').nth(1).textContent()).toMatch(/nobody.*refused/i);
    expect(receiver.requests.at(-1)?.body).toMatchObject({ type: 'incident.test' });
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Edit hooks' }).click();
    await addresses.fill(`${receiver.url}/hook`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await fixture.api.call('get_channel', { channel_name: 'hooks' })).addresses).toEqual([`${receiver.url}/hook`]);

    await page.getByRole('button', { name: 'New secret for hooks' }).click();
    await page.getByRole('button', { name: 'Create secret' }).click();
    await secret.waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
  });

  test('a metric is tried on the history while it is written, and made', async () => {
    await fixture.show(page, `/assets/0/${flights}?tab=monitors`);
    await page.getByRole('link', { name: 'New monitor' }).click();
    await choose('Metric', 'Record count');
    await page.getByText(/^The history is too short: this band needs \d+ scans, but there are only 2/).waitFor();
    await choose('Band', 'Fixed bounds');
    await page.getByText('Enter a bound').waitFor();
    await page.getByRole('textbox', { name: 'Not below' }).fill('40');
    await page.getByText('Would have raised no alert in 2 scans').waitFor();
    await page.getByRole('textbox', { name: 'Not below' }).fill('1000000');
    await page.getByText('Would have raised 2 alerts in 2 scans').waitFor();
    await page.getByRole('table', { name: 'Alerts that it would have raised' }).waitFor();
    await page.getByRole('textbox', { name: 'Not above' }).fill('5');
    await page.getByText('must not be above').first().waitFor();
    await page.getByRole('textbox', { name: 'Not above' }).fill('');
    await page.getByText('High', { exact: true }).click();
    await page.getByRole('switch', { name: /^Notify channels/ }).click();
    await choose('Channels', 'hooks');
    await page.keyboard.press('Escape');
    await page.getByRole('switch', { name: /^Create a ticket/ }).click();
    await choose('Ticket template', 'Data defect');
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByRole('link', { name: 'Record count', exact: true }).waitFor();
    expect(await monitorNamed('Record count')).toMatchObject({
      type: 'PREDEFINED_METRIC',
      impact: 'HIGH',
      monitor: { predefined_metric: 'RECORD_COUNT', attributes: [] },
      threshold: { threshold_type: 'STATIC', threshold1: 1_000_000, threshold2: null },
      notification: { send_notifications: true, notification_channel_names: ['hooks'] },
      ticketing: { type: 'TRACKER', create_ticket: true, ticket_template_id: templateId },
    });
  });

  test('a channel or a template that a monitor uses is not deleted; it says which', async () => {
    for (const [screen, button] of [
      ['/settings/channels', 'Delete hooks'],
      ['/settings/ticket-templates', 'Delete Data defect'],
    ] as const) {
      await fixture.show(page, screen);
      await page.getByRole('button', { name: button }).click();
      const dialog = page.getByRole('dialog', { name: /is in use$/ });
      await dialog.getByRole('link', { name: 'Record count' }).waitFor();
      await page.keyboard.press('Escape');
    }
  });

  test('every example of a rule, an expression and a statement is of the language', async () => {
    await fixture.show(page, `/assets/0/${flights}/monitors/new`);
    const begin = page.getByRole('button', { name: 'Start with an example' });
    for (const [kind, form, field] of [
      ['Rule', undefined, 'Rule'],
      ['Expression', 'Expression', 'Expression'],
      ['Expression', 'SQL', 'Statement'],
    ] as const) {
      await page.getByRole('radiogroup', { name: 'Kind' }).getByText(kind, { exact: true }).click();
      if (form !== undefined) await page.getByRole('radiogroup', { name: 'Written as' }).getByText(form, { exact: true }).click();
      const written = page.getByRole('textbox', { name: field });
      await begin.click();
      await page.getByRole('menuitem').first().waitFor();
      const examples = await page.getByRole('menuitem').allInnerTexts();
      // The menu hears Escape once it has the focus.
      await page.locator('[role=menu]:focus-within').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      expect(examples.length).toBeGreaterThan(1);
      for (const example of examples.filter((_, index) => index % EVERY === 0)) {
        const before = await written.inputValue();
        // The answer to what was written before may come late.
        const answer = page.waitForResponse(async (response) => {
          const asked = response.url().endsWith('/monitors/preview') ? expressionOf(response.request()) : before;
          return asked !== before && asked === (await written.inputValue());
        });
        await begin.click();
        await page.getByRole('menuitem', { name: example, exact: true }).click();
        expect(await (await answer).json(), `${kind}, ${example}`).toMatchObject({ history: expect.any(Array) });
        await page.getByText('The syntax is valid.').waitFor();
        // A click on the button of a menu that is about to close opens nothing.
        await page.getByRole('menu').waitFor({ state: 'detached' });
      }
    }
  });

  test('a rule says where it cannot be read, then is made with its variables, switched off and deleted', async () => {
    await fixture.show(page, '/assets');
    await fixture.show(page, `/assets/0/${flights}/monitors/new`);
    await page.getByRole('radiogroup', { name: 'Kind' }).getByText('Rule', { exact: true }).click();
    const rule = page.getByRole('textbox', { name: 'Rule' });
    await rule.fill('VALIDATE origin');
    await page.getByText('(line 1, column 16)').waitFor();
    await rule.fill('VALIDATE origin EXPECT VALUE IN known');
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await page.getByRole('textbox', { name: 'Name of the variable' }).fill('known');
    await choose('Kind of the variable', 'a list');
    const values = page.getByRole('combobox', { name: 'Values', exact: true });
    await values.fill('JFK');
    await values.press('Enter');
    await values.fill('LAX');
    await values.press('Enter');
    await page.getByText('The syntax is valid.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Completeness drifts');
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByText('already has a monitor "Completeness drifts"').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('known airports');
    await page.getByRole('button', { name: 'Create the monitor' }).click();
    await page.getByRole('heading', { level: 1, name: 'flights' }).waitFor();
    const made = await monitorNamed('known airports');
    expect(made).toMatchObject({ monitor: { variables: [{ name: 'known', type: 'LIST', value: ['JFK', 'LAX'] }] } });

    await page.getByRole('switch', { name: 'known airports is on' }).press('Space');
    await page.getByRole('button', { name: 'Switch off' }).click();
    await expect.poll(async () => (await monitorNamed('known airports'))?.enabled).toBe(false);
    await page.getByRole('link', { name: 'known airports' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'flights' }).waitFor();
    expect(await monitorNamed('known airports')).toBeUndefined();
  });

  test('a monitor that is opened and saved is what it was', async () => {
    const body = {
      type: 'RULE',
      name: 'kept whole',
      enabled: true,
      description: 'why',
      tags: ['sales'],
      monitor: {
        expression: 'VALIDATE delay EXPECT NUMERIC_VALUE IN_RANGE usual',
        options: { ignore_nulls: true, empty_values: ['n/a'] },
        variables: [{ name: 'usual', type: 'RANGE', value: [-60, 180] }],
      },
      threshold: { threshold_type: 'ML', threshold1: 90, threshold2: 100, extrapolation_strategy: 'AVERAGE', history_limit: 15 },
      notification: { send_notifications: false, notification_channel_names: ['hooks'] },
    } as const;
    const before = await fixture.api.call('create_monitor', { asset_id: flights }, { body });
    await fixture.show(page, `/assets/0/${flights}/monitors/${before.id}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'flights' }).waitFor();
    const {
      modified_at: _then,
      modified_by: _who,
      ...after
    } = await fixture.api.call('get_monitor', {
      asset_id: flights,
      monitor_id: before.id,
    });
    const { modified_at: _now, modified_by: _maker, ...expected } = before;
    expect(after).toEqual(expected);
  });

  test('the monitors of all assets are found by asset, kind and state, by keys, and lead to the monitor and its open incident', async () => {
    await fixture.show(page, '/overview');
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Monitors' }).click();
    const table = page.getByRole('table', { name: 'Monitors' });
    await table.getByRole('row').nth(5).waitFor();
    const total = (await fixture.api.call('list_tenant_monitors', {})).length;
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(total + 1));
    expect(await table.getByRole('row').count()).toBeLessThan(total);

    await choose('Asset', 'flights');
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String((await monitors()).length + 1));
    await choose('Kind', 'rule');
    await expect
      .poll(() => table.getAttribute('aria-rowcount'))
      .toBe(String(1 + (await monitors()).filter(({ type }) => type === 'RULE').length));
    await page.reload();
    const rule = (await monitors()).find(({ id }) => id === late)?.name ?? '';
    await table.getByRole('link', { name: rule }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: rule }).waitFor();
    await page.goBack();

    await fixture.show(page, `/monitors?asset=${flights}&state=open`);
    await table.getByRole('link', { name: 'open' }).first().click();
    await page.getByText(/^1 of \d+ incidents/).waitFor();
    expect(page.url()).toContain('alert_policy_ids=');
    await fixture.show(page, '/monitors?q=no+such+monitor');
    await page.getByRole('button', { name: 'Show all' }).click();
    await table.getByRole('row').nth(5).waitFor();
  });

  test('the tracker is connected, refuses a wrong token in its words, and is disconnected', async () => {
    await fixture.show(page, '/settings/ticket-templates');
    const form = page.getByRole('form', { name: 'Tracker' });
    await form.getByRole('textbox', { name: 'Address' }).fill(tracker.url);
    await form.getByRole('textbox', { name: 'Token' }).fill('wrong');
    await form.getByRole('button', { name: /^(Connect|Save)$/ }).click();
    await form.getByRole('button', { name: 'Test' }).click();
    await form.getByText('Client must be authenticated').waitFor();
    await form.getByRole('textbox', { name: 'Token' }).fill(TRACKER_TOKEN);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('button', { name: 'Test' }).click();
    await form.getByText('the credential belongs to Ada').waitFor();
    await form.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await form.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    const complaints = complaintsOf(page);
    await page.reload();
    await form.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a ticket template is written with variables that are offered, previewed of an incident, and made', async () => {
    await fixture.show(page, '/settings/ticket-templates/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Urgent');
    await page.getByRole('textbox', { name: 'Project id' }).fill('10000');
    await page.getByRole('textbox', { name: 'Issue type id' }).fill('10001');
    const summary = page.getByLabel('Value of summary');
    await summary.fill('');
    await summary.pressSequentially(`At ${'$'}{asset.na`);
    await page.getByRole('option', { name: 'asset.name' }).waitFor();
    await summary.press('Enter');
    await expect.poll(() => summary.inputValue()).toBe(`At ${'$'}{asset.name}`);
    const ticket = page.locator('dl');
    await ticket.getByText('At Orders').waitFor();
    await page.getByRole('combobox', { name: 'Of', exact: true }).click();
    await page.getByRole('option', { name: new RegExp(`^${openIncidentId}:`) }).click();
    await ticket.getByText('At flights').waitFor();
    await summary.fill(`${'$'}{nothing}`);
    await page.getByText('is not a known variable and stays unchanged').waitFor();
    await summary.fill('A summary');
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByRole('menuitem', { name: 'priority' }).click();
    await page.getByLabel('Value of priority').fill('{');
    await page.getByText('This is not valid JSON').waitFor();
    await page.getByLabel('Value of priority').fill('{"name": "Highest"}');
    await page.getByRole('button', { name: 'Create the template' }).click();
    await page.getByRole('link', { name: 'Urgent' }).waitFor();
    const [made] = await fixture.api.call('list_ticket_templates', {});
    expect(made).toMatchObject({ name: 'Urgent', props: { custom_fields: { summary: 'A summary', priority: { name: 'Highest' } } } });
    await page.getByRole('button', { name: 'Delete Urgent' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Urgent' }).waitFor({ state: 'detached' });
  });
});
