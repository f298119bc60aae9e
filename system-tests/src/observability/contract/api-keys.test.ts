import { afterAll, describe, expect, test } from 'vitest';
import { startServiceUnderTest } from './service-under-test.ts';
import { assertRefused, bodyOf } from './wire.ts';

const service = await startServiceUnderTest();
afterAll(() => service[Symbol.asyncDispose]());
const { admin, anonymous } = service;

describe.each(['/auth/default/apiKeys', '/api/auth/auth/default/apiKeys'])('%s', (path) => {
  test('creates, lists, reads and deletes keys; the secret is in the answer to creation alone', async () => {
    const created = await admin.post(path, { name: `of ${path}` });
    expect(created).toMatchObject({ status: 200, body: { id: expect.any(String), name: `of ${path}`, key: expect.any(String) } });
    const { id, name, key } = bodyOf<{ readonly id: string; readonly name: string; readonly key: string }>(created);
    const listed = await admin.get(path);
    expect(Object.keys(bodyOf<object>(listed))).toEqual(['keys']);
    expect(bodyOf<{ readonly keys: readonly object[] }>(listed).keys).toContainEqual({ id, name });
    expect(await admin.get(`${path}/${id}`)).toMatchObject({ status: 200, body: { id, name } });
    expect(JSON.stringify([listed.body, (await admin.get(`${path}/${id}`)).body])).not.toContain(key);
    expect(await admin.delete(`${path}/${id}`)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    assertRefused(await admin.get(`${path}/${id}`), 404, new RegExp(id));
    assertRefused(await admin.delete(`${path}/${id}`), 404, new RegExp(id));
  });

  test.each([
    ['no body', undefined],
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name that is no text', { name: 7 }],
    ['an unknown member', { name: 'a', role: 'admin' }],
  ])('refuses to create one with %s', async (_, body) => {
    assertRefused(await admin.post(path, body), 400, /name|body|role/);
  });

  test('asks for a credential', async () => {
    for (const reply of [await anonymous.get(path), await anonymous.post(path, { name: 'a' }), await anonymous.delete(`${path}/x`)]) {
      assertRefused(reply, 401, /credential/);
    }
  });
});
