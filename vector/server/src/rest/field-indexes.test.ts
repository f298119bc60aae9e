// SPDX-License-Identifier: Apache-2.0
/** Every parameter of a field index, by what it changes for who asks. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

const BASE = '/collections/things';
const UUID = '550e8400-e29b-41d4-a716-446655440000';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
beforeEach(async () => {
  await server.call('PUT', BASE, { vectors: { size: 1, distance: 'Dot' } });
  const payloads = [
    { text: 'The quick brown foxes', tag: 'Red wine', n: 1, id: UUID, ok: true },
    { text: 'Brown quick crème brûlée', tag: 'red', n: 2.5, ok: false },
    { text: '私は東京が好き', tag: ['Red wine', 'white'], n: [2, 2], id: UUID.toUpperCase() },
  ];
  await server.call('PUT', `${BASE}/points`, { points: payloads.map((payload, id) => ({ id, vector: [1], payload })) });
});
afterEach(() => server.reset());
afterAll(() => server[Symbol.asyncDispose]());

async function indexed(field: string, schema: object | string) {
  const reply = await server.call('PUT', `${BASE}/index`, { field_name: field, field_schema: schema });
  expect(reply.body).toMatchObject({ status: 'ok', result: { status: 'Completed' } });
}

async function matching(key: string, match: object): Promise<readonly unknown[]> {
  const { body } = await server.call('POST', `${BASE}/points/scroll`, { filter: { must: { key, match } }, with_payload: false });
  return (body as { result: { points: { id: unknown }[] } }).result.points.map(({ id }) => id);
}

const english = { type: 'snowball', language: 'english' };

describe('a text index', () => {
  test.each<[object, object, readonly number[]]>([
    [{}, { text: 'BROWN quick' }, [0, 1]],
    [{ tokenizer: 'word' }, { text_any: 'foxes brûlée' }, [0, 1]],
    [{ tokenizer: 'whitespace' }, { text: 'quick' }, [0, 1]],
    [{ tokenizer: 'prefix' }, { text: 'bro' }, [0, 1]],
    [{ tokenizer: 'prefix', min_token_len: 3, max_token_len: 4 }, { text: 'qu' }, []],
    [{ tokenizer: 'multilingual' }, { text: '東京' }, [2]],
    [{ lowercase: false }, { text: 'brown' }, [0]],
    [{ lowercase: true }, { text: 'brown' }, [0, 1]],
    [{ ascii_folding: true }, { text: 'creme brulee' }, [1]],
    [{ ascii_folding: false }, { text: 'creme' }, []],
    [{ min_token_len: 6 }, { text: 'quick' }, []],
    [{ max_token_len: 4 }, { text: 'brown' }, []],
    [{ stemmer: english }, { text: 'fox' }, [0]],
    [{}, { text: 'fox' }, []],
    [{ stopwords: 'english' }, { text: 'the fox' }, []],
    [{ stopwords: 'english', stemmer: english }, { text: 'the fox' }, [0]],
    [{ stopwords: { languages: ['english'], custom: ['quick'] } }, { text: 'the quick' }, []],
    [{ phrase_matching: true }, { phrase: 'quick brown' }, [0]],
    [{ phrase_matching: true }, { phrase: 'brown quick' }, [1]],
  ])('with %j answers %j', async (options, match, expected) => {
    await indexed('text', { type: 'text', ...options });
    expect(await matching('text', match)).toEqual(expected);
  });
});

describe('a keyword index', () => {
  test.each([[{}], [{ prefix: true }], [{ is_tenant: true }]])('with %j answers values, prefixes and facets', async (options) => {
    await indexed('tag', { type: 'keyword', ...options });
    expect(await matching('tag', { value: 'Red wine' })).toEqual([0, 2]);
    expect(await matching('tag', { prefix: 'Red' })).toEqual([0, 2]);
    expect((await server.call('POST', `${BASE}/facet`, { key: 'tag' })).body).toMatchObject({
      result: {
        hits: [
          { value: 'Red wine', count: 2 },
          { value: 'red', count: 1 },
          { value: 'white', count: 1 },
        ],
      },
    });
  });
});

describe('an integer index', () => {
  const facet = () => server.call('POST', `${BASE}/facet`, { key: 'n' });
  const ordered = () => server.call('POST', `${BASE}/points/scroll`, { order_by: 'n' });

  test.each<[object, number, number]>([
    [{}, 200, 200],
    [{ lookup: true, range: false }, 200, 400],
    [{ lookup: false, range: true }, 400, 200],
    [{ is_principal: true }, 200, 200],
  ])('with %j', async (options, facets, orders) => {
    await indexed('n', { type: 'integer', ...options });
    expect([(await facet()).status, (await ordered()).status]).toEqual([facets, orders]);
    expect(await matching('n', { value: 2 })).toEqual([2]);
  });

  test('counts a point once for each of its values', async () => {
    await indexed('n', 'integer');
    expect((await facet()).body).toMatchObject({
      result: {
        hits: [
          { value: 1, count: 1 },
          { value: 2, count: 1 },
        ],
      },
    });
  });
});

test.each([
  ['id', { type: 'uuid', is_tenant: true }, [{ value: UUID, count: 2 }]],
  [
    'ok',
    { type: 'bool' },
    [
      { value: false, count: 1 },
      { value: true, count: 1 },
    ],
  ],
])('values of %s under %j are counted', async (key, schema, hits) => {
  await indexed(key, schema);
  expect((await server.call('POST', `${BASE}/facet`, { key })).body).toMatchObject({ result: { hits } });
});

test.each(['float', 'datetime', 'geo', 'text'])('facets of a %s index are refused', async (type) => {
  await indexed('n', { type });
  const reply = await server.call('POST', `${BASE}/facet`, { key: 'n' });
  expect(reply).toMatchObject({
    status: 400,
    body: { status: { error: expect.stringContaining('Index required but not found for "n"') } },
  });
});

test('facets keep to a filter and a limit', async () => {
  await indexed('tag', 'keyword');
  const body = { key: 'tag', limit: 1, filter: { must_not: [{ has_id: [0] }] } };
  expect((await server.call('POST', `${BASE}/facet`, body)).body).toMatchObject({ result: { hits: [{ value: 'Red wine', count: 1 }] } });
});

test('parameters are shown as they were given, with the defaults', async () => {
  await indexed('text', { type: 'text', tokenizer: 'prefix', min_token_len: 2, on_disk: true, stemmer: english, phrase_matching: true });
  await indexed('n', { type: 'integer', is_principal: true, enable_hnsw: false });
  expect((await server.call('GET', BASE)).body).toMatchObject({
    result: {
      payload_schema: {
        text: { data_type: 'text', params: { tokenizer: 'prefix', min_token_len: 2, lowercase: true, on_disk: true, stemmer: english } },
        n: { data_type: 'integer', params: { lookup: true, range: true, is_principal: true, enable_hnsw: false }, points: 2 },
      },
    },
  });
});

test.each([
  [{ type: 'integer', lookup: false, range: false }, 'an integer index needs lookup or range'],
  [{ type: 'text', min_token_len: 5, max_token_len: 4 }, 'min_token_len'],
  [{ type: 'text', stemmer: { type: 'snowball', language: 'klingon' } }, 'no Snowball stemmer for "klingon"'],
  [{ type: 'text', stopwords: 'klingon' }, 'no list for the language "klingon"'],
  [{ type: 'keyword', lookup: true }, 'lookup'],
])('%j is refused with its reason', async (schema, reason) => {
  const reply = await server.call('PUT', `${BASE}/index`, { field_name: 'n', field_schema: schema });
  expect(reply).toMatchObject({ status: 400, body: { status: { error: expect.stringContaining(reason) } } });
});
