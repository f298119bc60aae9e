// SPDX-License-Identifier: Apache-2.0
/** What queries answer beside the order of their hits: scores, versions, and refusals of names that there are not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

type Hit = { readonly id: unknown; readonly score: number; readonly version: number; readonly order_value?: number };

let server: TestServer;
const call = (path: string, body?: unknown) => server.call('POST', `/collections/things/points${path}`, body);
const hitsOf = async (body: unknown): Promise<readonly Hit[]> => {
  const reply = await call('/query', body);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return (reply.body as { result: { points: readonly Hit[] } }).result.points;
};

beforeAll(async () => {
  server = await testServer();
  await server.call('PUT', '/collections/things', {
    vectors: { plot: { size: 3, distance: 'Dot' } },
    sparse_vectors: { words: { modifier: 'idf' }, plain: {} },
  });
  await server.call('PUT', '/collections/things/index', { field_name: 'n', field_schema: 'integer' });
  for (const id of [5, 3, 1, 4, 2]) {
    const plot = [0.1234567 * id, 0.7654321, -0.3 * id];
    const words = { indices: [1, id + 10], values: [0.5, 0.25] };
    await server.call('PUT', '/collections/things/points', {
      points: [{ id, vector: { plot, words, plain: words }, payload: { n: id % 2 } }],
    });
  }
  await server.call('PUT', '/collections/elsewhere', { vectors: { other: { size: 3, distance: 'Dot' } } });
  await server.call('PUT', '/collections/elsewhere/points', { points: [{ id: 77, vector: { other: [1, 0, 0] } }] });
});
afterAll(() => server[Symbol.asyncDispose]());

test.each([[{}], [{ query: { order_by: 'n' } }], [{ query: { sample: 'random' } }]])(
  '%j, which ranks by no score, gives each point 1',
  async (body) => {
    expect((await hitsOf(body)).map(({ score }) => score)).toEqual([1, 1, 1, 1, 1]);
  },
);

test('points of one value are in the order of their ids, and in reverse descending', async () => {
  expect((await hitsOf({ query: { order_by: 'n' } })).map(({ id }) => id)).toEqual([2, 4, 1, 3, 5]);
  expect((await hitsOf({ query: { order_by: { key: 'n', direction: 'desc' } } })).map(({ id }) => id)).toEqual([5, 3, 1, 4, 2]);
});

describe('judged examples without a pair to learn from', () => {
  const target = [0.7, 0.2, 0.1];
  const naive = (a: number) => ({ naive: { a, b: 100, c: 100 } });
  const feedback = [{ example: [0.1, 0.1, 0.1], score: 0.85 }];

  test('answer what a search by the target does, with the same scores and versions', async () => {
    const asked = { relevance_feedback: { target, feedback, strategy: naive(1) } };
    expect(await hitsOf({ query: asked, using: 'plot' })).toEqual(await hitsOf({ query: target, using: 'plot' }));
  });

  test('multiply the scores by the coefficient of the target', async () => {
    const asked = { relevance_feedback: { target, feedback, strategy: naive(0.5) } };
    const found = await hitsOf({ query: target, using: 'plot' });
    const halved = found.map(({ id, score, version }) => ({ id, score: Number((score / 2).toPrecision(9)), version }));
    const answered = await hitsOf({ query: asked, using: 'plot', score_threshold: -9 });
    expect(answered).toEqual(halved.map(({ id, score, version }) => ({ id, score: expect.closeTo(score, 6), version })));
  });

  test('have to be there all the same', async () => {
    const asked = { relevance_feedback: { target, feedback: [{ example: 99, score: 1 }], strategy: naive(1) } };
    expect((await call('/query', { query: asked, using: 'plot' })).status).toBe(404);
  });
});

test.each([
  { recommend: { positive: [1], negative: [2], strategy: 'best_score' } },
  { discover: { target: 1, context: [{ positive: 2, negative: 3 }] } },
  { context: [{ positive: 2, negative: 3 }] },
])('hits of %j tell the version of their points', async (query) => {
  const versions = new Map((await hitsOf({ query: [1, 0, 0], using: 'plot' })).map(({ id, version }) => [id, version]));
  const hits = await hitsOf({ query, using: 'plot' });
  expect(hits.length).toBeGreaterThan(1);
  for (const { id, version } of hits) expect(version).toBe(versions.get(id));
});

describe('vectors that are looked up elsewhere', () => {
  const ask = (query: unknown, lookup: object) => call('/query', { query, using: 'plot', lookup_from: lookup });

  test.each([
    ['a point', 77, { collection: 'nowhere' }, 404, 'Collection not found: nowhere'],
    ['a vector, where nothing is looked up', [1, 0, 0], { collection: 'nowhere', vector: 'other' }, 404, 'Collection not found: nowhere'],
    ['a point and an unknown vector', 77, { collection: 'elsewhere', vector: 'odd' }, 400, 'Not existing vector name error: odd'],
    ['an unknown point and an unknown vector', 78, { collection: 'elsewhere', vector: 'odd' }, 404, 'No point with id 78 found'],
    ['a point and no name', 77, { collection: 'elsewhere' }, 400, 'Not existing vector name error: plot'],
  ])('by %s', async (_, query, lookup, status, message) => {
    const reply = await ask(query, lookup);
    expect([reply.status, reply.body]).toMatchObject([status, { status: { error: message } }]);
  });

  test('are found', async () => {
    expect((await ask(77, { collection: 'elsewhere', vector: 'other' })).status).toBe(200);
  });
});

test('the ids of a matrix ascend', async () => {
  for (let round = 0; round < 5; round++) {
    const { body } = await call('/search/matrix/offsets', { sample: 4, limit: 2, using: 'plot' });
    const { ids } = (body as { result: { ids: number[] } }).result;
    expect(ids).toHaveLength(4);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  }
});

describe('params.idf', () => {
  const words = { indices: [1], values: [1] };
  const reason = (vector: string) =>
    `params.idf: needs a sparse vector with the modifier \`idf\`, which ${vector} is not; leave it out or search by such a vector`;

  test.each([
    ['/query', { query: [1, 0, 0], using: 'plot', params: { idf: 'global' } }, 'vector "plot"'],
    ['/query', { query: words, using: 'plain', params: { idf: { corpus: {} } } }, 'vector "plain"'],
    [
      '/query',
      { query: { recommend: { positive: [1], strategy: 'best_score' } }, using: 'plain', params: { idf: 'global' } },
      'vector "plain"',
    ],
    ['/search', { vector: { name: 'plain', vector: words }, limit: 1, params: { idf: 'global' } }, 'vector "plain"'],
  ])('%s %j is refused', async (path, body, vector) => {
    const reply = await call(path, body);
    expect([reply.status, reply.body]).toMatchObject([400, { status: { error: reason(vector) } }]);
  });

  test('is used by a vector with the modifier', async () => {
    const rare = await hitsOf({ query: { indices: [11], values: [1] }, using: 'words', params: { idf: { corpus: {} } } });
    expect(rare.map(({ id }) => id)).toEqual([1]);
  });
});
