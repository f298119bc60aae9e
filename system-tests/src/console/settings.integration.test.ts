// SPDX-License-Identifier: Apache-2.0
/** The settings of data health: keys, users, configurations, what was sent, what failed, who did what; and what somebody may not. */
import { temporaryDirectory } from '@sextant/foundation-testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Peer, startPeer } from '../observability/incidents/peer.ts';
import { BUCKET, KEYS, startS3Store } from '../observability/object-stores/s3-store.ts';
import { DEFAULT_PROJECT, scan, uploadAsset } from '../observability/scanning.ts';
import { hasBrowser } from './browser.ts';
import { type ConsoleFixture, sharedConsoleFixture } from './console-fixture.ts';
import { seriousFindings } from './inspection.ts';

const VIEWER = { email: 'vera@example.org', password: 'Viewing-Horse-42' };
const TABS = ['API keys', 'Users', 'Spark jobs', 'Reports', 'Deliveries', 'Background errors', 'Audit trail'];

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const part = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const secretIn = async (page: Page, title: string) =>
  ((await page.getByRole('dialog', { name: title }).locator('pre').textContent()) ?? '').trim();

describe.skipIf(!hasBrowser)('the settings', () => {
  let fixture: ConsoleFixture;
  let page: Page;

  beforeAll(async () => {
    fixture = await sharedConsoleFixture();
    page = await fixture.openAsMember('/settings');
  });

  afterAll(() => fixture?.[Symbol.asyncDispose]());

  /** On the page of strangers, where nobody else may be left signed in. */
  const signInAs = async (user: { readonly email: string; readonly password: string }, screen: string) => {
    const own = await fixture.open(screen);
    await own.getByRole('textbox', { name: 'Tenant' }).fill(fixture.api.tenant);
    await own.getByRole('textbox', { name: 'Email' }).fill(user.email);
    await own.getByRole('textbox', { name: 'Password' }).fill(user.password);
    await button(own, 'Sign in').click();
    return own;
  };
  const signOut = async (own: Page) => {
    await own.getByRole('button', { name: fixture.api.tenant }).click();
    await own.getByRole('menuitem', { name: 'Sign out' }).click();
    await own.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  };
  const login = async (username: string, password: string) => {
    const body = JSON.stringify({ grant_type: 'password', username, password, tenant: fixture.api.tenant });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${fixture.observability.address}/auth/token`, { method: 'POST', headers, body })).status;
  };

  test('are walked by keyboard, on a telephone too', async () => {
    const before = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await part(page, 'API keys').waitFor();
    await page.getByRole('tab', { name: 'API keys' }).focus();
    await page.keyboard.press('End');
    const last = page.getByRole('tab').last();
    await expect.poll(() => page.locator(':focus').textContent()).toBe(await last.textContent());
    await page.keyboard.press('Enter');
    await expect.poll(() => last.getAttribute('aria-selected')).toBe('true');
    const isInSight = async () => {
      const box = await last.boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= 390;
    };
    await expect.poll(isInSight).toBe(true);
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(expect.arrayContaining(TABS));
    if (before !== null) await page.setViewportSize(before);
  });

  test('an API key is made, shown once, used and deleted', async () => {
    await fixture.show(page, '/settings/api-keys');
    await button(page, 'New API key').first().click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('   ');
    expect(await button(page, 'Create key').isDisabled()).toBe(true);
    await name.fill('x'.repeat(256));
    await button(page, 'Create key').click();
    await page.getByText(/expected 1 to 255 characters/).waitFor();
    await name.fill('nightly');
    await button(page, 'Create key').click();
    const secret = await secretIn(page, 'Secret of nightly');
    const statusOf = async () =>
      (await fetch(`${fixture.observability.address}/auth/${fixture.api.tenant}/apiKeys`, { headers: { 'x-tlm-key': secret } })).status;
    expect(await statusOf()).toBe(200);
    await button(page, 'Done').click();
    await button(page, 'Delete nightly').click();
    await page.getByText(/refused from their next request/).waitFor();
    await button(page, 'Delete').click();
    await page.getByText('No API key yet').waitFor();
    expect(await statusOf()).toBe(401);
  });

  test('a user is made with a password of the service, changed, given another one, and deleted', async () => {
    await fixture.show(page, '/settings/users');
    await button(page, 'New user').click();
    const dialog = page.getByRole('dialog', { name: 'New user' });
    await dialog.getByRole('textbox', { name: 'Email' }).fill('ola@example.org');
    await dialog.getByRole('textbox', { name: 'Password' }).fill('weak');
    await button(page, 'Create the user').click();
    await page.getByText(/must have at least 12 characters/).waitFor();
    await dialog.getByRole('textbox', { name: 'Password' }).fill('');
    await button(page, 'Create the user').click();
    const first = await secretIn(page, 'Password of ola@example.org');
    await button(page, 'Done').click();
    expect(await login('ola@example.org', first)).toBe(200);

    const menu = button(page, 'Actions for ola@example.org');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Name and roles' }).click();
    await page.getByRole('textbox', { name: 'First name' }).fill('Ola');
    await page.getByRole('combobox', { name: 'Role in Default' }).click();
    await page.getByRole('option', { name: 'editor' }).click();
    await button(page, 'Save').click();
    await page.getByRole('row', { name: /Ola.*viewer.*a role in 1/ }).waitFor();
    expect(await fixture.api.call('get_user', { user_email: 'ola@example.org' })).toMatchObject({
      first_name: 'Ola',
      role: 'viewer',
      project_roles: { [DEFAULT_PROJECT]: 'editor' },
    });

    await menu.click();
    await page.getByRole('menuitem', { name: 'New password' }).click();
    await button(page, 'Generate password').click();
    const second = await secretIn(page, 'Password of ola@example.org');
    await button(page, 'Done').click();
    expect([await login('ola@example.org', first), await login('ola@example.org', second)]).toEqual([401, 200]);

    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await button(page, 'Delete').click();
    await page.getByRole('row', { name: /Ola/ }).waitFor({ state: 'detached' });
    expect(await login('ola@example.org', second)).toBe(401);
  });

  test('blocks of the spark configuration are saved and cleared one by one', async () => {
    await fixture.show(page, '/settings/spark');
    const block = (name: string) => page.getByRole('region', { name, exact: true });
    const a = block('Cluster A');
    await a.getByRole('textbox', { name: 'Machine type of workers' }).fill('n2-standard-8');
    await a.getByRole('textbox', { name: 'Boot disk of workers, GB' }).fill('5');
    await a.getByRole('button', { name: 'Save' }).click();
    await a.getByText(/expected an integer from 10 to 65536/).waitFor();
    await a.getByRole('textbox', { name: 'Boot disk of workers, GB' }).fill('200');
    await a.getByRole('button', { name: 'Save' }).click();
    await a.getByText('set', { exact: true }).waitFor();
    const b = block('Cluster B');
    await b.getByRole('textbox', { name: 'Minimum number of workers' }).fill('9');
    await b.getByRole('textbox', { name: 'Maximum number of workers' }).fill('4');
    await b.getByRole('button', { name: 'Save' }).click();
    await b.getByText(/must not be above/).waitFor();
    await b.getByRole('button', { name: 'Discard the changes' }).click();
    const properties = block('Spark properties');
    await properties.getByRole('textbox', { name: 'Name of property 1' }).fill('spark.driver.memory');
    await properties.getByRole('textbox', { name: 'Value of property 1' }).fill('4g');
    await properties.getByRole('button', { name: 'Add a property' }).click();
    await properties.getByRole('textbox', { name: 'Name of property 2' }).fill('spark.driver.memory');
    await properties.getByText('already exists').waitFor();
    expect(await properties.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await properties.getByRole('button', { name: 'Remove property 2' }).click();
    await properties.getByRole('button', { name: 'Save' }).click();
    await properties.getByText('set', { exact: true }).waitFor();
    const config = () => fixture.api.call('get_spark_job_config', {});
    const cluster = { worker_node_type: 'n2-standard-8', spark_worker_disk_size_in_gb: 200 };
    expect(await config()).toEqual({ spark_properties: { 'spark.driver.memory': '4g' }, cluster_a_config: cluster });
    await properties.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('dialog', { name: 'Clear Spark properties?' }).getByRole('button', { name: 'Clear' }).click();
    await properties.getByText('not set').waitFor();
    expect(await config()).toEqual({ cluster_a_config: cluster });
    await button(page, 'Delete everything').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete everything' }).click();
    await a.getByText('not set').waitFor();
    expect(await config()).toEqual({});
  });

  test('reports need a store with a folder that is there, and say so at the field', async () => {
    await fixture.show(page, '/settings/reporting');
    await page.getByText('There is no object store to write to').waitFor();
    await using directory = await temporaryDirectory();
    await using store = await startS3Store(directory);
    await store.put('reports/ready', Buffer.from('yes'));
    const lake = { name: 'lake', type: 'S3', payload: { bucket: BUCKET, endpoint: store.endpoint } } as const;
    const { id } = await fixture.api.call('create_connection', {}, { body: { ...lake, credential: { type: 'AWS', payload: KEYS } } });
    await page.reload();
    await page.getByRole('combobox', { name: 'Connection' }).click();
    await page.getByRole('option', { name: 'lake (S3)' }).click();
    const folder = page.getByRole('textbox', { name: 'Folder' });
    await folder.fill('nowhere');
    await button(page, 'Save').click();
    await expect.poll(() => folder.getAttribute('aria-invalid')).toBe('true');
    await page.getByText(/nowhere/).waitFor();
    await folder.fill('reports');
    await button(page, 'Save').click();
    await button(page, 'Delete').waitFor();
    const config = () => fixture.api.call('get_dq_reporting', {});
    expect(await config()).toEqual({ enabled: true, path: 'reports', connection_id: id });
    await button(page, 'Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button(page, 'Delete').waitFor({ state: 'detached' });
    expect(await config()).toEqual({});
  });

  describe('with something that was sent', () => {
    let peer: Peer;
    let isRefusing = true;

    beforeAll(async () => {
      peer = await startPeer(() => ({ status: isRefusing ? 410 : 200, body: {} }));
      const asset = await uploadAsset(fixture.api, { file: 'told.csv', bytes: Buffer.from('a\n1\n') });
      const { name } = asset;
      await fixture.api.call(
        'update_asset',
        { project_id: DEFAULT_PROJECT, asset_id: asset.id },
        { body: { name, webhook_url: peer.url } },
      );
      await scan(fixture.api, asset.id);
    });

    afterAll(() => peer?.[Symbol.asyncDispose]());

    test('what was given up is sent once more from the list of deliveries, and is a background error', async () => {
      await fixture.show(page, '/settings/deliveries?status=FAILED');
      const row = page.getByRole('row', { name: /job webhook.*given up/ }).last();
      await row.getByText(/answered 410/).waitFor();
      isRefusing = false;
      const before = peer.requests.length;
      await row.getByRole('button', { name: / again$/ }).click();
      await expect.poll(() => peer.requests.length).toBeGreaterThan(before);
      // The page asks again only after a while.
      await expect
        .poll(async () => (await fixture.api.call('list_deliveries', {}, { query: { status: 'DELIVERED' } })).length)
        .toBeGreaterThan(0);
      await page.getByRole('combobox', { name: 'Status' }).click();
      await page.getByRole('option', { name: 'delivered' }).click();
      await page
        .getByRole('row', { name: /job webhook.*delivered/ })
        .first()
        .waitFor();
      await fixture.show(page, '/settings/errors');
      await page
        .getByText(/answered 410/)
        .first()
        .waitFor();
    });
  });

  test('the audit trail goes on for as long as one asks', async () => {
    for (let change = 0; change < 60; change += 1) {
      await fixture.api.call('put_spark_job_config', {}, { body: { spark_properties: { a: String(change) } } });
    }
    await fixture.show(page, '/settings/audit?subject_type=CONFIGURATION');
    await page.getByRole('row').nth(50).waitFor();
    await button(page, 'Show more').click();
    await page.getByRole('row').nth(60).waitFor();
    await page.getByText(/All \d+ shown/).waitFor();
  });

  test('a viewer reads why each part is not offered, and changes an own password', async () => {
    await fixture.api.call('create_user', {}, { body: { ...VIEWER, first_name: 'Vera', last_name: 'Lind', role: 'viewer' } });
    const viewer = await signInAs(VIEWER, '/settings/api-keys');
    const needsAdmin = viewer.getByText('Needs the role admin; yours is viewer.');
    for (const [screen, tab] of [
      ['/settings/api-keys', 'API keys'],
      ['/settings/spark', 'Spark jobs'],
      ['/settings/reporting', 'Reports'],
      ['/settings/errors', 'Background errors'],
      ['/settings/audit', 'Audit trail'],
    ] as const) {
      await fixture.show(viewer, screen);
      await viewer.getByRole('tab', { name: tab, selected: true }).waitFor();
      await needsAdmin.waitFor();
    }
    expect(await seriousFindings(viewer)).toEqual([]);
    await fixture.show(viewer, '/settings/deliveries');
    const replay = viewer.getByRole('button', { name: / again: Needs the role editor/ }).first();
    await replay.waitFor();
    expect(await replay.getAttribute('aria-disabled')).toBe('true');
    await fixture.show(viewer, '/settings/users');
    await viewer.getByRole('textbox', { name: 'Current password' }).fill('Wrong-Horse-42');
    await viewer.getByRole('textbox', { name: 'New password' }).fill('weak');
    await button(viewer, 'Change the password').click();
    await viewer.getByText(/password is wrong/).waitFor();
    await viewer.getByRole('textbox', { name: 'Current password' }).fill(VIEWER.password);
    await button(viewer, 'Change the password').click();
    await viewer.getByText(/must have at least 12 characters/).waitFor();
    await viewer.getByRole('textbox', { name: 'New password' }).fill('Seeing-Horse-43');
    await button(viewer, 'Change the password').click();
    await viewer.getByText('Your password is changed').waitFor();
    await viewer.reload();
    await part(viewer, 'Your password').waitFor();
    expect([await login(VIEWER.email, VIEWER.password), await login(VIEWER.email, 'Seeing-Horse-43')]).toEqual([401, 200]);
    await signOut(viewer);
  });

  test('an admin who becomes a viewer learns it at the next refusal', async () => {
    const second = { email: 'second@example.org', password: 'Second-Horse-42', first_name: 'S', last_name: 'A' };
    await fixture.api.call('create_user', {}, { body: { ...second, role: 'admin' } });
    const own = await signInAs(second, '/settings/api-keys');
    await button(own, 'New API key').first().click();
    await own.getByRole('textbox', { name: 'Name' }).fill('late');
    await fixture.api.call('assign_role', { user_email: second.email }, { body: { role: 'viewer' } });
    await button(own, 'Create key').click();
    await own.getByText('Needs the role admin; yours is viewer.').waitFor();
    expect((await fixture.api.call('list_api_keys', {})).keys.map(({ name }) => name)).not.toContain('late');
    await signOut(own);
  });
});
