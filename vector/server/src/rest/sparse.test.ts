// SPDX-License-Identifier: Apache-2.0
/** Sparse vectors, texts in place of them, and both beside dense vectors, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

let server: TestServer;
const call = (method: string, path: string, body?: unknown) => server.call(method, `/collections/books${path}`, body);
const resultOf = async (method: string, path: string, body?: unknown) => {
  const reply = await call(method, path, body);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return (reply.body as { result: unknown }).result;
};
const idsOf = (hits: unknown) => (hits as { id: unknown }[]).map(({ id }) => id);
const queryIds = async (body: unknown) => idsOf(((await resultOf('POST', '/points/query', body)) as { points: unknown }).points);

const bm25 = (text: string, options?: object) => ({ text, model: 'Qdrant/bm25', ...(options && { options }) });
const title = (text: string) => ({ query: bm25(text), using: 'title' });

beforeAll(async () => {
  server = await testServer();
  await call('PUT', '', {
    vectors: { size: 20, distance: 'Cosine' },
    sparse_vectors: { title: { modifier: 'idf' }, tags: { index: { full_scan_threshold: 5_000, on_disk: true, datatype: 'float16' } } },
  });
  const points = [
    { id: 1, vector: { '': basis(0), title: bm25('The Left Hand of Darkness'), tags: { indices: [9, 4], values: [1, 0.5] } } },
    { id: 2, vector: { '': basis(1), title: bm25('Heart of darkness'), tags: { indices: [4_294_967_295], values: [2] } } },
    { id: 3, vector: { title: bm25('A wizard of Earthsea') }, payload: { series: true } },
    { id: 4, vector: basis(2) },
  ];
  await resultOf('PUT', '/points', { points });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Long enough to be read from the bytes of the body. */
function basis(at: number): number[] {
  return Array.from({ length: 20 }, (_, index) => (index === at ? 1 : 0.125));
}

test('a collection says how its sparse vectors are', async () => {
  expect(await resultOf('GET', '')).toMatchObject({
    indexed_vectors_count: 5,
    config: {
      params: {
        sparse_vectors: { title: { modifier: 'idf' }, tags: { index: { full_scan_threshold: 5_000, on_disk: true, datatype: 'float16' } } },
      },
    },
  });
  await resultOf('PATCH', '', { sparse_vectors: { tags: { index: { on_disk: false } } } });
  expect(await resultOf('GET', '')).toMatchObject({
    config: { params: { sparse_vectors: { title: { modifier: 'idf' }, tags: { index: { full_scan_threshold: 5_000, on_disk: false } } } } },
  });
  expect((await call('PATCH', '', { sparse_vectors: { words: {} } })).status).toBe(400);
});

test('sparse vectors come back by ascending index, beside dense ones', async () => {
  expect(await resultOf('POST', '/points', { ids: [1, 2], with_vector: ['tags'], with_payload: false })).toEqual([
    { id: 1, vector: { tags: { indices: [4, 9], values: [0.5, 1] } } },
    { id: 2, vector: { tags: { indices: [4_294_967_295], values: [2] } } },
  ]);
  const [point] = (await resultOf('POST', '/points', { ids: [1], with_vector: true })) as [{ vector: object }];
  expect(Object.keys(point.vector)).toEqual(['', 'title', 'tags']);
  expect(await resultOf('GET', '/points/4')).toMatchObject({ vector: expect.any(Array) });
});

describe('searches', () => {
  test('find points that share an index, by the dot product', async () => {
    const search = { vector: { name: 'tags', vector: { indices: [9, 4, 5], values: [1, 2, 7] } }, limit: 9 };
    expect(await resultOf('POST', '/points/search', search)).toEqual([{ id: 1, version: expect.any(Number), score: 2 }]);
    expect(await resultOf('POST', '/points/search', { ...search, score_threshold: 2 })).toEqual([]);
    expect(await queryIds({ query: { indices: [4_294_967_295], values: [-1] }, using: 'tags' })).toEqual([2]);
  });

  test('find texts by their words, rare ones first', async () => {
    expect(await queryIds(title('left DARKNESS'))).toEqual([1, 2]);
    expect(await queryIds(title('wizards'))).toEqual([3]);
    expect(await queryIds({ ...title('of the'), limit: 1 })).toEqual([]);
    expect(await queryIds({ query: 1, using: 'title' })).toEqual([2]);
    expect(await queryIds({ ...title('hand heart wizard'), filter: { must: { key: 'series', match: { value: true } } } })).toEqual([3]);
    expect(await queryIds({ ...title('darkness'), offset: 1 })).toHaveLength(1);
  });

  test('count what is rare in the corpus that is asked for', async () => {
    const scores = async (params: object) => {
      const { points } = (await resultOf('POST', '/points/query', { ...title('wizard'), params })) as { points: { score: number }[] };
      return points.map(({ score }) => score);
    };
    const weight = ([score]: number[]) => score ?? 0;
    // ln(1 + (3 - 1 + 0.5) / 1.5) and ln(1 + (1 - 1 + 0.5) / 1.5)
    const [all, series] = [weight(await scores({ idf: 'global' })), weight(await scores({ idf: { corpus: { must: { has_id: [3] } } } }))];
    expect(all / series).toBeCloseTo(Math.log(1 + 2.5 / 1.5) / Math.log(1 + 0.5 / 1.5), 5);
  });

  test('are fused with those by dense vectors', async () => {
    const prefetch = [{ query: basis(2) }, { ...title('darkness heart'), limit: 5 }];
    expect(await queryIds({ prefetch, query: { fusion: 'rrf' } })).toEqual([2, 1, 4]);
    expect(await queryIds({ prefetch, query: { fusion: 'dbsf' } })).toHaveLength(3);
    expect(
      await queryIds({ prefetch: { prefetch, query: { fusion: 'rrf' } }, query: { indices: [4], values: [1] }, using: 'tags' }),
    ).toEqual([1]);
  });

  test('take examples, and choose what differs', async () => {
    expect(await queryIds({ query: { recommend: { positive: [1] } }, using: 'title' })).toEqual([2]);
    expect(
      await queryIds({ query: { recommend: { positive: [bm25('wizard')], negative: [1], strategy: 'best_score' } }, using: 'title' }),
    ).toEqual([3, 2]);
    expect(
      await queryIds({ query: { discover: { target: bm25('darkness'), context: { positive: 2, negative: 3 } } }, using: 'title' }),
    ).toEqual([1]);
    expect(await queryIds({ query: { context: { positive: bm25('heart'), negative: 3 } }, using: 'title' })).toHaveLength(2);
    expect(await queryIds({ query: { nearest: bm25('darkness wizard'), mmr: { diversity: 1 } }, using: 'title' })).toHaveLength(3);
  });
});

test('a vector is replaced, removed and found by whether it is there', async () => {
  const having = async (name: string) =>
    (await resultOf('POST', '/points/count', { filter: { must: { has_vector: name } } })) as { count: number };
  expect([await having('tags'), await having('title')]).toEqual([{ count: 2 }, { count: 3 }]);
  await resultOf('PUT', '/points/vectors', {
    points: [{ id: 4, vector: { tags: { indices: [4], values: [9] }, title: bm25('Rocannon') } }],
  });
  expect(await queryIds({ query: { indices: [4], values: [1] }, using: 'tags' })).toEqual([4, 1]);
  expect(await queryIds(title('rocannon'))).toEqual([4]);
  await resultOf('POST', '/points/vectors/delete', { points: [4], vector: ['tags', 'title'] });
  expect(await queryIds({ query: { indices: [4], values: [1] }, using: 'tags' })).toEqual([1]);
  expect(await queryIds(title('rocannon'))).toEqual([]);
  expect([await having('tags'), await having('')]).toEqual([{ count: 2 }, { count: 3 }]);
});

test('a batch has texts and sparse vectors in its columns', async () => {
  const vectors = {
    title: [bm25('Tehanu'), bm25('Tehanu returns')],
    tags: [
      { indices: [77], values: [1] },
      { indices: [77], values: [2] },
    ],
  };
  await resultOf('PUT', '/points', { batch: { ids: [5, 6], vectors } });
  expect(await queryIds(title('tehanu'))).toEqual([5, 6]);
  expect(await queryIds({ query: { indices: [77], values: [1] }, using: 'tags' })).toEqual([6, 5]);
  await resultOf('POST', '/points/delete', { points: [5, 6] });
  expect(await queryIds(title('tehanu'))).toEqual([]);
});

test.each([
  [{ vector: { title: [1, 2] } }, /^vector "title": expected a sparse vector, .*, got a dense one$/],
  [{ vector: { '': { indices: [1], values: [1] } } }, 'vector (unnamed): expected a dense vector, an array of numbers, got a sparse one'],
  [{ vector: bm25('text') }, /^points\[0\]\.vector: "Qdrant\/bm25" makes sparse vectors, which must be named; give the text as/],
  [
    { vector: { title: { text: 'a', model: 'openai/large' } } },
    /^points\[0\]\.vector\.title\.model: the model "openai\/large" is not served; "Qdrant\/bm25" is/,
  ],
  [{ vector: { title: bm25('a', { language: 'klingon' }) } }, /^options\.language: the language "klingon" is not supported/],
  [{ vector: { title: { indices: [1, 1], values: [1, 2] } } }, 'points[0].vector.title: the index 1 occurs twice; give each index once'],
  [
    { vector: { title: { indices: [1.5], values: [1] } } },
    'points[0].vector.title.indices[0]: expected an integer from 0 to 4294967295, got 1.5',
  ],
])('an upsert of %j is refused', async (point, reason) => {
  const reply = await call('PUT', '/points', { points: [{ id: 9, ...point }] });
  const error = typeof reason === 'string' ? reason : expect.stringMatching(reason);
  expect([reply.status, reply.body]).toEqual([400, { time: expect.any(Number), status: { error } }]);
});

test('a text to search with has a length that a thread takes apart at once', async () => {
  const reply = await call('POST', '/points/query', title('word '.repeat(4001)));
  const error = 'text: expected at most 20000 characters to search with, got 20005; a text that is stored may be longer';
  expect([reply.status, reply.body]).toEqual([400, { time: expect.any(Number), status: { error } }]);
});

describe('a collection of sparse vectors alone', () => {
  const alone = '/collections/alone';

  test.each([
    ['without `vectors`', {}],
    ['with `vectors` that are null', { vectors: null }],
    ['with no dense ones by name', { vectors: {} }],
  ])('is created %s', async (_, dense) => {
    const created = await server.call('PUT', alone, { ...dense, sparse_vectors: { words: {} } });
    expect([created.status, created.body]).toEqual([200, expect.objectContaining({ result: true })]);
    const stored = await server.call('PUT', `${alone}/points`, {
      points: [
        { id: 1, vector: { words: { indices: [2], values: [3] } } },
        { id: 2, vector: {} },
      ],
    });
    expect(stored.status).toBe(200);
    const found = await server.call('POST', `${alone}/points/query`, {
      query: { indices: [2], values: [2] },
      using: 'words',
      with_vector: true,
    });
    expect(found.body).toMatchObject({ result: { points: [{ id: 1, score: 6, vector: { words: { indices: [2], values: [3] } } }] } });
    expect((await server.call('GET', alone)).body).toMatchObject({
      result: { status: 'green', points_count: 2, config: { params: { vectors: {}, sparse_vectors: { words: {} } } } },
    });
    const refused = await server.call('POST', `${alone}/points/search`, { vector: [1, 2], limit: 1 });
    expect([refused.status, refused.body]).toEqual([400, expect.anything()]);
    expect((await server.call('DELETE', alone)).status).toBe(200);
  });
});
