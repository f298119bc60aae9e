// SPDX-License-Identifier: Apache-2.0
/** Aliases over HTTP. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ capabilities: ['aliases'] });
});
beforeEach(async () => {
  await server.reset();
  for (const name of ['one', 'two']) {
    await server.call('PUT', `/collections/${name}`, { vectors: { size: 1, distance: 'Dot' } });
    await server.call('PUT', `/collections/${name}/points`, { points: [{ id: name === 'one' ? 1 : 2, vector: [1] }] });
  }
});
afterAll(() => server[Symbol.asyncDispose]());

const create = (alias_name: string, collection_name: string) => ({ create_alias: { alias_name, collection_name } });
const remove = (alias_name: string) => ({ delete_alias: { alias_name } });
const rename = (old_alias_name: string, new_alias_name: string) => ({ rename_alias: { old_alias_name, new_alias_name } });
const change = (...actions: object[]) => server.call('POST', '/collections/aliases', { actions });
const resultOf = async (method: string, path: string, body?: unknown) =>
  ((await server.call(method, path, body)).body as { result: unknown }).result;
const aliases = async (path = '/aliases') => {
  const { aliases: all } = (await resultOf('GET', path)) as { aliases: { alias_name: string; collection_name: string }[] };
  return Object.fromEntries(all.map(({ alias_name, collection_name }) => [alias_name, collection_name]));
};
const refusalOf = (reply: { status: number; body: unknown }) => [reply.status, (reply.body as { status: { error: string } }).status.error];

test('every read and write of a collection may name it by an alias', async () => {
  expect((await change(create('first', 'one'))).body).toMatchObject({ result: true, status: 'ok' });
  expect(await resultOf('PUT', '/collections/first/points', { points: [{ id: 7, vector: [2] }] })).toMatchObject({ status: 'Completed' });
  expect(await resultOf('POST', '/collections/one/points/count', {})).toEqual({ count: 2 });
  expect(await resultOf('POST', '/collections/first/points/search', { vector: [1], limit: 1 })).toMatchObject([{ id: 7 }]);
  expect(await resultOf('GET', '/collections/first/points/7')).toMatchObject({ id: 7 });
  expect(await resultOf('GET', '/collections/first')).toMatchObject({ points_count: 2 });
  expect(await resultOf('GET', '/collections/first/exists')).toEqual({ exists: true });
  expect(await resultOf('PUT', '/collections/first/index', { field_name: 'a', field_schema: 'keyword' })).toMatchObject({
    status: 'Completed',
  });
  expect(await resultOf('PATCH', '/collections/first', { metadata: { a: 1 } })).toBe(true);
  expect(await resultOf('GET', '/collections/one')).toMatchObject({ payload_schema: { a: {} }, config: { metadata: { a: 1 } } });
  expect(await resultOf('GET', '/collections')).toEqual({ collections: [{ name: 'one' }, { name: 'two' }] });
});

test('are listed by alias, of all collections or of one', async () => {
  await change(create('b', 'one'), create('a', 'one'), create('c', 'two'));
  expect(await aliases()).toEqual({ a: 'one', b: 'one', c: 'two' });
  expect(await aliases('/collections/one/aliases')).toEqual({ a: 'one', b: 'one' });
  expect(await aliases('/collections/b/aliases')).toEqual({ a: 'one', b: 'one' });
  expect(refusalOf(await server.call('GET', '/collections/none/aliases'))).toEqual([404, 'Collection not found: none']);
});

test('actions are done in order', async () => {
  await change(create('now', 'one'));
  await change(remove('now'), create('now', 'two'), create('before', 'one'), rename('before', 'former'));
  expect(await aliases()).toEqual({ now: 'two', former: 'one' });
  await change(create('now', 'one'), remove('nothing'));
  expect(await aliases()).toEqual({ now: 'one', former: 'one' });
  expect(await resultOf('POST', '/aliases', { actions: [remove('former')] })).toBe(true);
  expect(await aliases()).toEqual({ now: 'one' });
});

test('all actions are done, or none', async () => {
  await change(create('kept', 'one'));
  const refused: readonly [object, number, string][] = [
    [create('a', 'nowhere'), 404, 'Collection not found: nowhere'],
    [create('a', 'kept'), 404, 'Collection not found: kept'],
    [create('two', 'one'), 409, 'Collection already exists: two'],
    [rename('other', 'two'), 409, 'Collection already exists: two'],
    [rename('none', 'b'), 404, 'Alias not found: none'],
    [{ create_alias: { alias_name: 'a/b', collection_name: 'one' } }, 400, expect.stringContaining('alias_name')],
    [{ swap_alias: {} }, 400, expect.stringContaining('actions[2]')],
  ];
  for (const [action, status, reason] of refused) {
    expect(refusalOf(await change(create('other', 'two'), remove('kept'), action))).toEqual([status, reason]);
    expect(await aliases()).toEqual({ kept: 'one' });
  }
  expect(refusalOf(await server.call('PUT', '/collections/kept', { vectors: { size: 1, distance: 'Dot' } }))).toEqual([
    400,
    'An alias is already named kept; a collection cannot have the same name',
  ]);
});

test('go with their collection, which is deleted by its own name alone', async () => {
  await change(create('first', 'one'), create('second', 'two'));
  expect(await resultOf('DELETE', '/collections/first')).toBe(false);
  expect(await resultOf('DELETE', '/collections/one')).toBe(true);
  expect(await aliases()).toEqual({ second: 'two' });
  expect((await server.call('POST', '/collections/first/points/count', {})).status).toBe(404);
});
