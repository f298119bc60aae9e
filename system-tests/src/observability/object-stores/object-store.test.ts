// SPDX-License-Identifier: Apache-2.0
/** An S3-compatible store from end to end: its objects are scanned where they are, and reports may be written to a path that is there. */
import { temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, describe, expect, test } from 'vitest';
import { sharedServiceUnderTest } from '../contract/service-under-test.ts';
import { assertRefused } from '../contract/wire.ts';
import { readDataSet } from '../demo/data-sets.ts';
import { createAsset, DEFAULT_PROJECT, scanned } from '../scanning.ts';
import { BUCKET, KEYS, startS3Store } from './s3-store.ts';

const REPORTING = '/default/configuration/dq_reporting';

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
const store = stack.use(await startS3Store(stack.use(await temporaryDirectory())));
const { api, admin } = stack.use(await sharedServiceUnderTest());
const lake = {
  name: 'lake',
  type: 'S3',
  payload: { bucket: BUCKET, endpoint: store.endpoint },
  credential: { type: 'AWS', payload: KEYS },
} as const;
await store.put('raw/2026/weather.csv', await readDataSet({ file: 'weather.csv' }));
await store.put('reports/ready', Buffer.from('yes'));
const { id } = await api.call('create_connection', {}, { body: lake });

test('objects are listed and scanned where they are', async () => {
  expect(await api.call('test_connection', { connection_id: id })).toMatchObject({ success: true });
  const items = await api.call('list_connection_items', { connection_id: id });
  expect(items.map(({ name }) => name)).toContain('raw/2026/weather.csv');
  const source = { type: 'S3', connection_id: id, payload: { path: 'raw/2026/weather.csv' } } as const;
  const asset = await createAsset(api, { name: 'weather', ...source });
  const { found } = await scanned(api, asset.id);
  expect(found.value('RECORD_COUNT')).toBe(2922);
  expect(found.value('MAX', { attribute: 'temp_max' })).toBe(37.8);
  await api.call('delete_asset', { project_id: DEFAULT_PROJECT, asset_id: asset.id });
});

describe('DQ reporting', () => {
  const reporting = { enabled: true, path: 'reports', connection_id: id };

  test('takes a global connection with a path that is there, which then stays', async () => {
    expect(await admin.put(REPORTING, reporting)).toMatchObject({ status: 200, body: reporting });
    expect((await admin.get(REPORTING)).body).toEqual(reporting);
    assertRefused(await admin.delete(`/api/backend/default/configuration/connections/${id}`), 409, /reporting.* uses? /i);
  });

  test('refuses a connection of a project', async () => {
    const project = await api.call('create_project', {}, { body: { name: 'Shop' } });
    const own = await api.call('create_project_connection', { project_id: project.id }, { body: { ...lake, name: 'own lake' } });
    assertRefused(await admin.put(REPORTING, { ...reporting, connection_id: own.id }), 400, /global/);
  });

  test('refuses a path that is not in the bucket', async () => {
    assertRefused(await admin.put(REPORTING, { ...reporting, path: 'nowhere' }), 400, /nowhere/);
  });
});
