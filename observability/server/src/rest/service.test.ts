// SPDX-License-Identifier: Apache-2.0
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

let service: TestService;
let admin: { readonly [name: string]: string };
beforeAll(async () => {
  service = await testService({ environment: { OBSERVABILITY_BODY_LIMIT_BYTES: '4096' } });
  admin = await service.login();
});
afterAll(async () => service[Symbol.asyncDispose]());

const PROJECTS = '/api/backend/default/configuration/projects';

describe('the service says of itself', () => {
  test.each([
    ['/healthz', 'application/json', 'ok'],
    ['/readyz', 'application/json', 'ok'],
    ['/metrics', 'text/plain', 'scans_running'],
    ['/openapi.json', 'application/json', '"openapi":"3.1.0"'],
    ['/docs', 'text/html', '<h1>'],
  ])('%s', async (path, type, text) => {
    const reply = await service.call('GET', path);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toContain(type);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.text).toContain(text);
  });
});

describe('what is wrong with a request is said in one body', () => {
  test.each([
    ['GET', '/nowhere', undefined, 404, 'No such path'],
    ['GET', '/api/backend/default', undefined, 404, 'No such path'],
    ['PUT', PROJECTS, {}, 405, 'allowed: GET, POST'],
    ['PATCH', PROJECTS, {}, 405, 'allowed: GET, POST'],
    ['DELETE', '/healthz', undefined, 405, 'allowed: GET'],
    ['GET', '/auth/token', undefined, 405, 'allowed: POST'],
    ['POST', PROJECTS, undefined, 400, 'body'],
    ['POST', PROJECTS, '{"name": "a"', 400, 'not valid JSON'],
    ['POST', PROJECTS, '[]', 400, 'body'],
    ['POST', PROJECTS, 'null', 400, 'body'],
    ['POST', PROJECTS, '['.repeat(4000), 400, ''],
    ['POST', PROJECTS, new Uint8Array([0xff, 0xfe]), 400, 'UTF-8'],
    ['POST', PROJECTS, { name: 'a\u0000b' }, 400, 'name'],
    ['POST', PROJECTS, { name: 'x'.repeat(300) }, 400, 'name'],
    ['POST', PROJECTS, { name: 'x', colour: 'red' }, 400, 'colour'],
    ['POST', PROJECTS, { name: 'x'.repeat(5000) }, 413, '4096 bytes'],
    ['GET', `${PROJECTS}/%ff`, undefined, 400, ''],
    ['GET', `${PROJECTS}/1e3`, undefined, 404, 'Project not found'],
    ['GET', `${PROJECTS}/99999999999999999999`, undefined, 404, 'Project not found'],
    ['GET', '/api/backend/default/configuration/assets?with_lineage=maybe', undefined, 400, 'with_lineage'],
    ['GET', "/api/backend/default/jobs/a'%20OR%201=1--", undefined, 404, 'not found'],
  ])('%s %s %j', async (method, path, body, status, words) => {
    const reply = await service.call(method, path, body, admin);
    expect(reply).toMatchObject({ status, body: { message: expect.stringContaining(words), description: expect.any(String) } });
    if (status === 405) expect(reply.headers.get('allow')).toBe(words.replace('allowed: ', ''));
  });

  test.each([
    [PROJECTS, 'GET, OPTIONS, POST'],
    [`${PROJECTS}/1`, 'DELETE, GET, OPTIONS, PUT'],
    ['/auth/token', 'OPTIONS, POST'],
    ['/healthz', 'GET, OPTIONS'],
  ])('OPTIONS %s is answered with the methods of the path', async (path, allowed) => {
    const reply = await service.call('OPTIONS', path);
    expect([reply.status, reply.headers.get('allow')]).toEqual([204, allowed]);
  });

  test('a body of another type than JSON', async () => {
    for (const type of ['application/xml', 'text/plain', 'text/plain; application/json', '']) {
      const reply = await service.call('POST', PROJECTS, '{"name":"a"}', { ...admin, 'content-type': type });
      expect(reply).toMatchObject({ status: 415, body: { message: expect.stringContaining('application/json') } });
    }
    // Bytes have no type of their own that `fetch` would send.
    const reply = await service.call('POST', PROJECTS, Buffer.from('{"name":"a"}'), { ...admin, 'content-type': '' });
    expect(reply).toMatchObject({ status: 415 });
  });

  test('bytes that are no HTTP', async () => {
    const { port, hostname } = new URL(service.url);
    const reply = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'));
      socket.on('data', (chunk) => resolve(chunk.toString()));
    });
    expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request[\s\S]*"description":"Bad Request"/);
  });
});

test('a slash at the end of a path changes nothing', async () => {
  expect(await service.call('GET', `${PROJECTS}/`, undefined, admin)).toMatchObject({ status: 200 });
});

describe('secrets of connections', () => {
  const SECRET = 'do-not-tell-anybody';
  const body = {
    name: 'store',
    type: 'S3',
    payload: { bucket: 'bucket', endpoint: 'https://one.example.com' },
    credential: { type: 'AWS', payload: { access_key: 'a', secret_key: SECRET } },
  };

  test('go in and never come out', async () => {
    const path = '/api/backend/default/configuration/connections';
    const created = await service.call('POST', path, body, admin);
    expect(created).toMatchObject({ status: 200, body: { scope: 'GLOBAL', project_id: 0, type: 'S3', payload: body.payload } });
    const { id } = created.body as { id: number };
    const replies = [
      created,
      await service.call('GET', path, undefined, admin),
      await service.call('GET', `${path}/${id}`, undefined, admin),
      await service.call('PUT', `${path}/${id}`, { name: 'renamed' }, admin),
      await service.call('POST', `${path}/${id}/test`, undefined, admin),
    ];
    for (const { text, status } of replies) {
      expect(status).toBe(200);
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('credential');
    }
  });

  test('are not sent to another address by somebody who does not know them', async () => {
    const path = '/api/backend/default/configuration/projects/0/connections';
    const { id } = (await service.call('POST', path, body, admin)).body as { id: number };
    const editor = await service.loginAs('editor');
    const elsewhere = { payload: { ...body.payload, endpoint: 'https://evil.example.com' } };
    expect(await service.call('PUT', `${path}/${id}`, elsewhere, editor)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('credential') },
    });
    expect(await service.call('PUT', `${path}/${id}`, { ...elsewhere, credential: body.credential }, editor)).toMatchObject({
      status: 200,
    });
  });

  test('a connection that cannot be reached is an answer of its test', async () => {
    const path = '/api/backend/default/configuration/connections';
    const postgres = {
      name: 'db',
      type: 'POSTGRESQL',
      payload: { host: '127.0.0.1', port: 1, database: 'x' },
      credential: { type: 'SIMPLE', payload: { username: 'u', password: SECRET } },
    };
    const created = await service.call('POST', path, postgres, admin);
    expect(created).toMatchObject({ status: 200, body: { db_type: 'postgresql' } });
    const tested = await service.call('POST', `${path}/${(created.body as { id: number }).id}/test`, undefined, admin);
    expect(tested).toMatchObject({ status: 200, body: { success: false, message: expect.stringContaining('not allowed') } });
  });

  test('nobody makes a connection to the uploads of another tenant', async () => {
    const upload = { name: 'u', type: 'UPLOAD', payload: { owner: 'other' } };
    expect(await service.call('POST', '/api/backend/default/configuration/connections', upload, admin)).toMatchObject({ status: 400 });
  });
});

describe('assets', () => {
  const path = `${PROJECTS}/0/assets`;
  const make = async (fields: object) => {
    const reply = await service.call('POST', path, { name: 'a', type: 'UPLOAD', payload: {}, ...fields }, admin);
    expect(reply).toMatchObject({ status: 200 });
    return reply.body as { id: string };
  };

  test('have every field of their shape', async () => {
    const { id } = await make({
      name: 'orders',
      description: 'd',
      tags: ['finance'],
      webhook_url: 'https://example.com/hook',
      options: { limit: 10 },
    });
    const { body } = await service.call('GET', `${path}/${id}`, undefined, admin);
    expect(body).toEqual({
      id,
      project_id: 0,
      name: 'orders',
      description: 'd',
      type: 'UPLOAD',
      options: { limit: 10 },
      payload: {},
      connection_id: null,
      db_type: null,
      tags: ['finance'],
      webhook_url: 'https://example.com/hook',
      created_by: 'admin@localhost',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      attributes: [],
      scheduled_upload: null,
      parents: [],
      children: [],
    });
  });

  test('options are merged key by key, and null removes a key', async () => {
    const { id } = await make({ options: { limit: 10, separator: ';' } });
    const changed = await service.call('PUT', `${path}/${id}`, { options: { limit: null, sample_fraction: 25 } }, admin);
    expect((changed.body as { options: object }).options).toEqual({ separator: ';', sample_fraction: 25 });
  });

  test('lineage has no cycles', async () => {
    const [a, b, c] = [await make({}), await make({}), await make({})];
    const put = (child: { id: string }, parents: string[]) =>
      service.call('PUT', `/api/backend/default/configuration/assets/${child.id}/lineage`, { parents }, admin);
    expect(await put(b, [a.id])).toMatchObject({ status: 200, body: { parents: [a.id], children: [] } });
    expect(await put(c, [b.id])).toMatchObject({ status: 200 });
    for (const parents of [[c.id], [a.id], [b.id]]) expect([400, 409]).toContain((await put(a, parents)).status);
    expect(await put(a, ['unknown'])).toMatchObject({ status: 404 });
    const list = await service.call('GET', '/api/backend/default/configuration/assets?with_lineage=true', undefined, admin);
    expect(list.body).toEqual(expect.arrayContaining([expect.objectContaining({ id: b.id, parents: [a.id], children: [c.id] })]));
  });

  test('move between projects', async () => {
    const project = (await service.call('POST', PROJECTS, { name: 'target' }, admin)).body as { id: number };
    const { id } = await make({});
    const move = { source_project_id: 0, source_asset_ids: [id] };
    expect(await service.call('POST', `${PROJECTS}/${project.id}/assets/move`, move, admin)).toMatchObject({ status: 200 });
    expect(await service.call('GET', `${PROJECTS}/${project.id}/assets/${id}`, undefined, admin)).toMatchObject({ status: 200 });
    expect(await service.call('GET', `${path}/${id}`, undefined, admin)).toMatchObject({ status: 404 });
    expect(await service.call('DELETE', `${PROJECTS}/${project.id}`, undefined, admin)).toMatchObject({ status: 409 });
  });

  test.each([
    [{ type: 'POSTGRESQL', payload: { schema: 'public', table: 't' } }, 'connection_id'],
    [{ type: 'UPLOAD', payload: { upload_id: '../../etc/passwd' } }, 'upload_id'],
    [{ options: { sample_fraction: 0 } }, 'sample_fraction'],
    [{ webhook_url: 'file:///etc/passwd' }, 'webhook_url'],
    [{ type: 'ORACLE' }, 'type'],
  ])('refuse %j', async (fields, place) => {
    const reply = await service.call('POST', path, { name: 'a', type: 'UPLOAD', payload: {}, ...fields }, admin);
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining(place) } });
  });

  test('schedules are checked, kept and removed', async () => {
    const { id } = await make({});
    const schedule = `${path}/${id}/schedule`;
    expect(await service.call('GET', schedule, undefined, admin)).toMatchObject({ status: 404 });
    expect(await service.call('PUT', schedule, { schedule: '99 6 * * *' }, admin)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('schedule') },
    });
    const kept = {
      schedule: '0 6 * * 1',
      enabled: true,
      delta_only: false,
      sample_fraction: null,
      skip_investigator: false,
      timestamp_attribute: null,
    };
    expect((await service.call('PUT', schedule, { schedule: '0 6 * * 1' }, admin)).body).toEqual(kept);
    expect((await service.call('GET', `${path}/${id}`, undefined, admin)).body).toMatchObject({ scheduled_upload: kept });
    expect(await service.call('DELETE', schedule, undefined, admin)).toMatchObject({ status: 200 });
    expect(await service.call('GET', schedule, undefined, admin)).toMatchObject({ status: 404 });
  });
});
