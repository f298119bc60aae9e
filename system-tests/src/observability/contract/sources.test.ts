// SPDX-License-Identifier: Apache-2.0
/** What the specified resources stand on: projects, connections, assets, lineage, schedules. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_PROJECT, uploadAsset } from '../scanning.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import { assertRefused, bodyOf } from './wire.ts';

const directory = await temporaryDirectory();
const service = await startServiceUnderTest({ OBSERVABILITY_ALLOWED_DIRECTORIES: directory.path });
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});
const { admin, api } = service;

const CONFIGURATION = '/api/backend/default/configuration';
/** The same words whether the path is there or not. */
const NOT_ALLOWED = /not a directory that the operator allows/;
const csv = (text: string) => Buffer.from(text);

describe('projects', () => {
  test('the project Default is there, has the id 0 and stays', async () => {
    expect(await api.call('list_projects', {})).toMatchObject([{ id: 0, name: 'Default' }]);
    assertRefused(await admin.delete(`${CONFIGURATION}/projects/0`), 409, /cannot be deleted/);
  });

  test('are created, changed and deleted when they are empty', async () => {
    const { id } = await api.call('create_project', {}, { body: { name: 'Shop', description: 'what the shop sells' } });
    assertRefused(await admin.post(`${CONFIGURATION}/projects`, { name: 'Shop' }), 409, /Shop/);
    expect(await api.call('update_project', { project_id: id }, { body: { name: 'The shop' } })).toMatchObject({
      name: 'The shop',
      description: 'what the shop sells',
    });
    const upload = await api.call('create_upload', {}, { query: { name: 'a.csv' }, body: csv('a\n1\n') });
    const asset = await api.call('create_asset', { project_id: id }, { body: { name: 'a', type: 'UPLOAD', payload: upload.payload } });
    assertRefused(await admin.delete(`${CONFIGURATION}/projects/${id}`), 409, /holds/);
    await api.call('delete_asset', { project_id: id, asset_id: asset.id });
    await api.call('delete_project', { project_id: id });
    assertRefused(await admin.get(`${CONFIGURATION}/projects/${id}`), 404, new RegExp(String(id)));
  });
});

describe('connections', () => {
  const warehouse = {
    name: 'warehouse',
    type: 'SNOWFLAKE',
    payload: { account: 'acme', warehouse: 'wh', role: 'reader' },
    credential: { type: 'SIMPLE', payload: { username: 'u', password: 'top-secret-password' } },
  } as const;

  test('of a kind that is not served yet are stored, and refused where they would be used', async () => {
    const created = await api.call('create_connection', {}, { body: warehouse });
    expect(created).toMatchObject({ name: 'warehouse', scope: 'GLOBAL', project_id: 0, type: 'SNOWFLAKE', payload: warehouse.payload });
    assertRefused(await admin.post(`${CONFIGURATION}/connections/${created.id}/test`), 400, /SNOWFLAKE.*not supported/);
    await api.call('delete_connection', { connection_id: created.id });
  });

  test('never show their secrets', async () => {
    const { id } = await api.call('create_connection', {}, { body: warehouse });
    const renamed = await api.call('update_connection', { connection_id: id }, { body: { name: 'renamed' } });
    expect(renamed).toMatchObject({ name: 'renamed', payload: warehouse.payload });
    const seen = [
      renamed,
      await api.call('get_connection', { connection_id: id }),
      await api.call('list_connections', {}),
      await api.call('list_background_errors', {}),
    ];
    expect(JSON.stringify(seen)).not.toMatch(/top-secret|credential/);
    expect(service.server.log.join('\n')).not.toContain('top-secret');
    await api.call('delete_connection', { connection_id: id });
  });

  test('of a project are seen in that project alone', async () => {
    const project = await api.call('create_project', {}, { body: { name: 'With a connection' } });
    const { id } = await api.call('create_project_connection', { project_id: project.id }, { body: { ...warehouse, name: 'its own' } });
    expect(await api.call('list_project_connections', { project_id: project.id })).toMatchObject([
      { id, scope: 'PROJECT', project_id: project.id },
    ]);
    assertRefused(await admin.get(`${CONFIGURATION}/projects/${DEFAULT_PROJECT}/connections/${id}`), 404, new RegExp(String(id)));
  });

  test.each([
    ['an unknown kind', { ...warehouse, type: 'PAPER' }, /type/],
    [
      'a credential of the wrong kind',
      { name: 'a', type: 'S3', payload: { bucket: 'bucket' }, credential: { type: 'SIMPLE', payload: {} } },
      /credential/,
    ],
    [
      'a bucket that is missing',
      { name: 'a', type: 'S3', payload: {}, credential: { type: 'AWS', payload: { access_key: 'a', secret_key: 'b' } } },
      /bucket/,
    ],
    ['no name', { ...warehouse, name: undefined }, /name/],
  ])('are refused with %s', async (_, body, sentence) => {
    assertRefused(await admin.post(`${CONFIGURATION}/connections`, body), 400, sentence);
  });

  test('to local directories that the operator did not allow are refused in the same words, whether there are such or not', async () => {
    for (const directory of ['/', '/etc', '/nowhere'])
      assertRefused(
        await admin.post(`${CONFIGURATION}/connections`, { name: 'everything', type: 'FILE', payload: { directory } }),
        400,
        NOT_ALLOWED,
      );
  });
});

describe('assets', () => {
  test('know their columns and types; nothing is monitored until it is chosen', async () => {
    const { payload } = await api.call(
      'create_upload',
      {},
      { query: { name: 'people.csv' }, body: csv('id,name,born,score\n1,Ann,1990-01-02,1.5\n2,Bo,,2\n') },
    );
    const { id } = await api.call('create_asset', { project_id: DEFAULT_PROJECT }, { body: { name: 'people', type: 'UPLOAD', payload } });
    const attributes = await api.call('list_attributes', { asset_id: id });
    expect(attributes.map(({ name, data_type, monitored }) => [name, data_type, monitored])).toEqual([
      ['id', 'INTEGER', false],
      ['name', 'STRING', false],
      ['born', 'DATE', false],
      ['score', 'DECIMAL', false],
    ]);
    const chosen = await api.call('put_attributes', { asset_id: id }, { body: { monitored: ['name'] } });
    expect(chosen.filter(({ monitored }) => monitored).map(({ name }) => name)).toEqual(['name']);
    assertRefused(await admin.put(`${CONFIGURATION}/assets/${id}/attributes`, { monitored: ['nothing'] }), 400, /nothing/);
  });

  describe('whose source cannot be opened are refused when they are made, and when they are changed, to', async () => {
    const assets = `${CONFIGURATION}/projects/${DEFAULT_PROJECT}/assets`;
    await writeFile(join(directory.path, 'there.csv'), 'id\n1\n');
    await mkdir(join(directory.path, 'folder'));
    const body = { name: 'local', type: 'FILE', payload: { directory: directory.path } } as const;
    const { id: connection_id } = await api.call('create_connection', {}, { body });
    const upload = await api.call('create_upload', {}, { query: { name: 'there.csv' }, body: csv('id\n1\n') });
    const local = (path: string) => ({ type: 'FILE', connection_id, payload: { path } });
    const sent = (payload: object) => ({ type: 'UPLOAD', payload });
    const noFile = /there is no readable file .* below the directory of the connection/;

    test.each([
      ['a file that is missing', local('missing.csv'), local('there.csv'), noFile],
      ['a file in a folder that is missing', local('nowhere/there.csv'), local('there.csv'), noFile],
      ['a folder', local('folder'), local('there.csv'), noFile],
      ['an upload that is missing', sent({ upload_id: '00000000-0000-4000-8000-000000000000.csv' }), sent(upload.payload), noFile],
      ['what is no upload', sent({ upload_id: 'missing.csv' }), sent(upload.payload), /payload.upload_id is not the id of an upload/],
    ])('%s', async (name, missing, there, sentence) => {
      assertRefused(await admin.post(assets, { name, ...missing }), 400, sentence);
      const { id } = bodyOf<{ readonly id: string }>(await admin.post(assets, { name, ...there }));
      assertRefused(await admin.put(`${assets}/${id}`, { payload: missing.payload }), 400, sentence);
      expect(await admin.get(`${assets}/${id}`)).toMatchObject({ body: { payload: there.payload } });
      await admin.delete(`${assets}/${id}`);
    });
  });

  test('merge options key by key; lists carry what their flags ask for', async () => {
    const asset = await uploadAsset(api, {
      file: 'options.csv',
      bytes: csv('id,at\n1,2026-01-01\n'),
      options: { id_attributes: ['id'], limit: 10 },
    });
    const place = { project_id: DEFAULT_PROJECT, asset_id: asset.id };
    const updated = await api.call('update_asset', place, {
      body: { options: { timestamp_attribute: 'at', limit: null }, tags: ['gold'] },
    });
    expect(updated.options).toEqual({
      id_attributes: ['id'],
      timestamp_attribute: 'at',
      reading: expect.objectContaining({ separator: ',' }),
    });
    expect(updated.tags).toEqual(['gold']);
    const bare = (await api.call('list_assets', {})).find(({ id }) => id === asset.id) ?? {};
    expect(Object.keys(bare)).not.toEqual(expect.arrayContaining(['attributes']));
    const flags = { with_attributes: 'true', with_schedules: 'true', with_lineage: 'true' } as const;
    const full = await api.call('list_project_assets', { project_id: DEFAULT_PROJECT }, { query: flags });
    expect(full.find(({ id }) => id === asset.id)).toMatchObject({
      attributes: [{ name: 'id' }, { name: 'at' }],
      scheduled_upload: null,
      parents: [],
      children: [],
    });
  });

  test('whose next version renames a column and whose version after that takes it back are watched as before', async () => {
    const place = {
      project_id: DEFAULT_PROJECT,
      asset_id: (await uploadAsset(api, { file: 'versions.csv', bytes: csv('id,name\n1,a\n') })).id,
    };
    const monitored = async (text: string) => {
      const { payload } = await api.call('create_upload', {}, { query: { name: 'versions.csv' }, body: csv(text) });
      const { attributes = [] } = await api.call('update_asset', place, { body: { payload } });
      return attributes.filter((attribute) => attribute.monitored).map(({ name }) => name);
    };
    expect(await monitored('id,label\n1,a\n')).toEqual(['id', 'label']);
    expect(await monitored('id,name\n1,a\n')).toEqual(['id', 'name']);
    await api.call('put_attributes', { asset_id: place.asset_id }, { body: { all: false } });
    expect(await monitored('id,label\n1,a\n')).toEqual([]);
  });

  test('are 404 in a project that is not theirs, and gone when they are deleted', async () => {
    const asset = await uploadAsset(api, { file: 'gone.csv', bytes: csv('a\n1\n') });
    const other = await api.call('create_project', {}, { body: { name: 'Another' } });
    assertRefused(await admin.get(`${CONFIGURATION}/projects/${other.id}/assets/${asset.id}`), 404, new RegExp(asset.id));
    expect(await api.call('delete_asset', { project_id: DEFAULT_PROJECT, asset_id: asset.id })).toHaveProperty('message');
    for (const path of [`projects/0/assets/${asset.id}`, `assets/${asset.id}/attributes`, `assets/${asset.id}/dq_score`]) {
      assertRefused(await admin.get(`${CONFIGURATION}/${path}`), 404, new RegExp(asset.id));
    }
  });
});

describe('uploads', () => {
  test('are listed, and deleted when no asset uses them', async () => {
    const upload = await api.call('create_upload', {}, { query: { name: 'ünïcode name.csv' }, body: csv('a\n1\n') });
    expect(upload).toMatchObject({ name: 'ünïcode name.csv', bytes: 4, created_by: 'admin@localhost' });
    expect(await api.call('list_uploads', {})).toContainEqual(upload);
    const asset = await api.call(
      'create_asset',
      { project_id: DEFAULT_PROJECT },
      { body: { name: 'used', type: 'UPLOAD', payload: upload.payload } },
    );
    assertRefused(await admin.delete(`/default/uploads/${upload.id}`), 409, /in use/);
    await api.call('delete_asset', { project_id: DEFAULT_PROJECT, asset_id: asset.id });
    await api.call('delete_upload', { upload_id: upload.id });
    expect(await api.call('list_uploads', {})).not.toContainEqual(upload);
  });
});
