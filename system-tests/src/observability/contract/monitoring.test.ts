// SPDX-License-Identifier: Apache-2.0
/** What watches assets and who hears of it: monitors, notification channels, background errors, users. */
import { afterAll, describe, expect, test } from 'vitest';
import { uploadAsset } from '../scanning.ts';
import { sharedServiceUnderTest } from './service-under-test.ts';
import { assertRefused } from './wire.ts';

const service = await sharedServiceUnderTest();
afterAll(() => service[Symbol.asyncDispose]());
const { admin, api } = service;

const PREBUILT = [
  'RECORD_COUNT_DRIFTS',
  'FRESHNESS_DRIFTS',
  'COMPLETENESS_DRIFTS',
  'UNIQUENESS_DRIFTS',
  'SCHEMA_DRIFTS',
  'TOP_VALUES_DRIFTS',
  'VALUE_DISTRIBUTION_DRIFTS',
  'PII_EXPOSURE',
  'REJECTED_ROWS_VIOLATION',
  'TYPE_MISMATCH_VIOLATION',
];

describe('monitors', async () => {
  const asset = await uploadAsset(api, { file: 'monitored.csv', bytes: Buffer.from('id,total\n1,10\n2,20\n') });
  const path = `/default/configuration/assets/${asset.id}/monitors`;
  const threshold = { threshold_type: 'STATIC', threshold1: 95, threshold2: 100 } as const;
  const rule = {
    type: 'RULE',
    name: 'positive',
    enabled: true,
    threshold,
    monitor: { expression: 'VALIDATE total EXPECT NUMERIC_VALUE > 0' },
  } as const;

  test('every new asset has the pre-built ones, with names for ids, which can be disabled but not deleted', async () => {
    const monitors = await api.call('list_monitors', { asset_id: asset.id });
    expect(monitors.map(({ id }) => id)).toEqual(expect.arrayContaining(PREBUILT));
    expect(monitors.find(({ id }) => id === 'PII_EXPOSURE')).toMatchObject({ enabled: false });
    assertRefused(await admin.delete(`${path}/SCHEMA_DRIFTS`), 409, /pre-built/);
    const { type: _, name, threshold, monitor } = await api.call('get_monitor', { asset_id: asset.id, monitor_id: 'SCHEMA_DRIFTS' });
    const disabled = await admin.put(`${path}/SCHEMA_DRIFTS`, { name, enabled: false, threshold, monitor });
    expect(disabled).toMatchObject({ status: 200, body: { id: 'SCHEMA_DRIFTS', enabled: false } });
  });

  test('have names of their own on one asset', async () => {
    const { id } = await api.call('create_monitor', { asset_id: asset.id }, { body: rule });
    assertRefused(await admin.post(path, rule), 409, /positive/);
    await api.call('delete_monitor', { asset_id: asset.id, monitor_id: id });
  });

  test('need the ticket template that they name', async () => {
    const ticketing = { type: 'TRACKER', create_ticket: true, ticket_template_id: 4711 };
    assertRefused(await admin.post(path, { ...rule, ticketing }), 404, /4711/);
  });

  test('of an unknown asset are 404', async () => {
    for (const reply of [
      await admin.get('/default/configuration/assets/nothing/monitors'),
      await admin.post('/default/configuration/assets/nothing/monitors', rule),
    ]) {
      assertRefused(reply, 404, /nothing/);
    }
  });
});

describe('notification channels', () => {
  const path = '/api/backend/default/configuration/alert_channels';

  test('are created, replaced, listed and deleted by name', async () => {
    const channel = { name: 'data team', type: 'EMAIL', addresses: ['data@example.com'] } as const;
    expect(await api.call('create_channel', {}, { body: channel })).toEqual(channel);
    assertRefused(await admin.post(path, channel), 409, /data team/);
    const changed = { type: 'WEBHOOK', addresses: ['https://example.com/hook'] } as const;
    const secret = expect.stringMatching(/^whsec_/);
    expect(await api.call('update_channel', { channel_name: 'data team' }, { body: changed })).toEqual({
      name: 'data team',
      ...changed,
      secret,
    });
    expect(await api.call('list_channels', {})).toEqual([{ name: 'data team', ...changed }]);
    await api.call('delete_channel', { channel_name: 'data team' });
    assertRefused(await admin.get(`${path}/data%20team`), 404, /data team/);
  });

  test.each([
    [{ name: 'a', type: 'PAGER', addresses: ['x'] }, /type/],
    [{ name: 'a', type: 'EMAIL', addresses: ['not an address'] }, /addresses\[0\]/],
    [{ name: 'a', type: 'WEBHOOK', addresses: ['ftp://example.com'] }, /addresses\[0\]/],
    [{ name: 'a', type: 'EMAIL', addresses: [] }, /addresses/],
  ])('refuses %j', async (body, sentence) => {
    assertRefused(await admin.post(path, body), 400, sentence);
  });
});

test('background errors are a list for admins', async () => {
  expect(await api.call('list_background_errors', {}, { query: { limit: '10' } })).toEqual([]);
});

describe('users', () => {
  const path = '/api/auth/auth/default/users';

  test('are created, changed, given roles and deleted', async () => {
    const query = new URLSearchParams({ email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee', role: 'viewer' });
    const created = await admin.post(`${path}?${query}`);
    expect(created).toMatchObject({ status: 200, body: { password: expect.any(String) } });
    expect((await admin.get(`${path}/ann@example.com`)).body).toMatchObject({
      email: 'ann@example.com',
      first_name: 'Ann',
      role: 'viewer',
    });
    const change = new URLSearchParams({ first_name: 'Anna', last_name: 'Lee', role: 'editor' });
    expect((await admin.put(`/api/auth/auth/default/user/ann@example.com?${change}`)).status).toBe(200);
    expect((await admin.put(`${path}/ann@example.com/assign`, { role: 'operator' })).status).toBe(200);
    expect((await admin.get(path)).body).toContainEqual(
      expect.objectContaining({ email: 'ann@example.com', first_name: 'Anna', role: 'operator' }),
    );
    assertRefused(await admin.post(`${path}?${query}`), 409, /ann@example.com/);
    expect((await admin.delete(`${path}/ann@example.com`)).status).toBe(200);
    assertRefused(await admin.get(`${path}/ann@example.com`), 404, /ann@example.com/);
  });
});
