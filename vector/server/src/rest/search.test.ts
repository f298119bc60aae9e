// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

const UUID = '550e8400-e29b-41d4-a716-446655440000';

let server: TestServer;
const call = (path: string, body?: unknown) => server.call('POST', `/collections/things/points${path}`, body);
beforeAll(async () => {
  server = await testServer();
  await server.call('PUT', '/collections/things', { vectors: { size: 2, distance: 'Dot' } });
  await server.call('PUT', '/collections/things/points', {
    points: [
      { id: 1, vector: [0.1, 0], payload: { color: 'red', n: 1 } },
      { id: 2, vector: [0.2, 0], payload: { color: 'blue', n: 2 } },
      { id: 3, vector: [0.3, 0], payload: { color: 'red', n: 3 } },
      { id: UUID, vector: [-1, 0], payload: { color: 'green' } },
    ],
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const ok = (result: unknown) => ({ usage: { hardware: null }, time: expect.any(Number), status: 'ok', result });
const error = (text: unknown) => ({ time: expect.any(Number), status: { error: text } });
const hit = (id: unknown, score: number, more: object = {}) => ({ id, version: expect.any(Number), score, ...more });
const red = { must: { key: 'color', match: { value: 'red' } } };

describe('search', () => {
  test('finds the nearest first, without payload and vectors, in as few digits as float32 needs', async () => {
    const reply = await call('/search', { vector: [1, 0], limit: 3 });
    expect(reply.body).toEqual(ok([hit(3, 0.3), hit(2, 0.2), hit(1, 0.1)]));
    expect(reply.text).toContain('"score":0.3}');
  });

  test.each([
    [{ vector: [1, 0] }, [3, 2, 1, UUID]],
    [{ vector: [1, 0], top: 1 }, [3]],
    [{ vector: [1, 0], limit: 2, offset: 1 }, [2, 1]],
    [{ vector: [1, 0], limit: 9, filter: red }, [3, 1]],
    [{ vector: { name: '', vector: [-1, 0] }, limit: 1 }, [UUID]],
    [{ vector: [1, 0], limit: 9, score_threshold: 0.15 }, [3, 2]],
    [{ vector: [1, 0], limit: 1, params: { exact: true, hnsw_ef: 64, quantization: { ignore: true } }, shard_key: 'a' }, [3]],
  ])('by %j finds the right points', async (body, ids) => {
    const { body: found } = await call('/search?consistency=majority&timeout=3', body);
    expect((found as { result: { id: unknown }[] }).result.map(({ id }) => id)).toEqual(ids);
  });

  test('shows payload and vectors when asked', async () => {
    expect((await call('/search', { vector: [1, 0], limit: 1, with_payload: ['n'], with_vector: true })).body).toEqual(
      ok([hit(3, 0.3, { payload: { n: 3 }, vector: [0.3, 0] })]),
    );
  });

  test('in a batch answers each', async () => {
    const searches = [
      { vector: [1, 0], limit: 1 },
      { vector: [-1, 0], limit: 1, filter: red },
    ];
    expect((await call('/search/batch', { searches })).body).toEqual(ok([[hit(3, 0.3)], [hit(1, -0.1)]]));
    expect((await call('/search/batch', { searches: [] })).body).toEqual(ok([]));
  });

  test.each([
    ['/search', { limit: 1 }, 'body: required member `vector` is missing'],
    ['/search', { vector: [1, 0, 0], limit: 1 }, 'Dimension mismatch for vector: expected 2, got 3'],
    ['/search', { vector: { name: 'x', vector: [1, 0] }, limit: 1 }, 'Not existing vector name error: x'],
    [
      '/query',
      { query: { formula: { sum: ['$score', 'a['] } }, prefetch: { query: [1, 0] } },
      'formula: expected [] or [index] at position 1 of path "a["',
    ],
    ['/search', { vector: { name: 'x', vector: { indices: [1], values: [1] } } }, 'Not existing vector name error: x'],
    ['/search', { vector: [[1, 0]], limit: 1 }, 'vector (unnamed): expected a dense vector, an array of numbers, got a multivector'],
    ['/search', { vector: [[1, 'a']], limit: 1 }, /^vector\[0\]\[1\]: /],
    ['/search', { vector: [1, 'a'], limit: 1 }, 'vector[1]: expected a number within the range of float32, got the string "a"'],
    ['/search', { vector: [1, 0], limit: '3' }, 'limit: expected an integer from 1 to 1000000, got the string "3"'],
    ['/search', { vector: [1, 0], filter: { must: [{ key: 'a', match: {} }] } }, /^filter\.must\[0\]\.match: /],
    ['/search', { vector: [1, 0], params: { ef: 3 } }, /^params\.ef: unknown member/],
    ['/search/batch', { searches: [{ vector: [1, 0] }, { vector: [] }] }, 'Dimension mismatch for vector: expected 2, got 0'],
    ['/search/batch', { searches: [{ vector: [1, 0] }, {}] }, 'searches[1]: required member `vector` is missing'],
    ['/search/batch', {}, 'body: required member `searches` is missing'],
  ])('%s refuses %j', async (path, body, reason) => {
    const reply = await call(path, body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(typeof reason === 'string' ? reason : expect.stringMatching(reason)));
  });
});

describe('query', () => {
  const idsOf = (body: unknown) => (body as { result: { points: { id: unknown }[] } }).result.points.map(({ id }) => id);

  test.each([
    [{ query: [1, 0], limit: 2 }, [3, 2]],
    [{ query: { nearest: [1, 0] }, limit: 2, using: '' }, [3, 2]],
    [{ query: 3, limit: 2 }, [2, 1]],
    [{ query: UUID.toUpperCase(), limit: 1 }, [1]],
    [{ query: { nearest: UUID }, limit: 1 }, [1]],
    [{ query: [1, 0], filter: red, offset: 1 }, [1]],
    [{ query: [1, 0], score_threshold: 0.25 }, [3]],
    [{}, [1, 2, 3, UUID]],
    [{ query: null, filter: red, prefetch: [] }, [1, 3]],
    [{ limit: 2, offset: 1 }, [2, 3]],
    [{ prefetch: { query: [1, 0], limit: 1 }, query: [1, 0], offset: 1 }, [2]],
    [{ prefetch: { prefetch: { query: [1, 0], limit: 1 }, query: [1, 0], limit: 1 }, query: { fusion: 'rrf' }, offset: 1 }, [2]],
  ])('by %j finds the right points', async (body, ids) => {
    expect(idsOf((await call('/query', body)).body)).toEqual(ids);
  });

  test('without a body pages by id, with a score of 0', async () => {
    expect((await call('/query')).body).toMatchObject({ result: { points: [{ id: 1, score: 1 }, { id: 2 }, { id: 3 }, { id: UUID }] } });
  });

  test('by order_by follows a payload key', async () => {
    await server.call('PUT', '/collections/things/index', { field_name: 'n', field_schema: 'integer' });
    expect((await call('/query', { query: { order_by: { key: 'n', direction: 'desc' } }, limit: 2 })).body).toEqual(
      ok({ points: [hit(3, 1, { order_value: 3 }), hit(2, 1, { order_value: 2 })] }),
    );
    expect((await call('/query', { query: { order_by: 'missing' } })).status).toBe(400);
  });

  test('by sample picks points that match', async () => {
    const found = idsOf((await call('/query', { query: { sample: 'random' }, filter: red, limit: 5 })).body);
    expect(new Set(found as number[])).toEqual(new Set([1, 3]));
  });

  const like = (...ids: readonly (number | string)[]) => ({ query: { recommend: { positive: ids } } });

  test.each<[string, object, readonly (number | string)[]]>([
    ['the average of examples, which it leaves out', { ...like(1, 3), limit: 9 }, [2, UUID]],
    ['the best of several examples', { query: { recommend: { positive: [1], negative: [3], strategy: 'best_score' } } }, [UUID, 2]],
    ['the sum over examples', { query: { recommend: { positive: [[1, 0]], strategy: 'sum_scores' } }, limit: 2 }, [3, 2]],
    [
      'judged examples',
      {
        query: {
          relevance_feedback: {
            target: [1, 0],
            feedback: [
              { example: 1, score: 1 },
              { example: 3, score: 0 },
            ],
            strategy: { naive: { a: 1, b: 1, c: 10 } },
          },
        },
      },
      [UUID, 2],
    ],
    ['discovery', { query: { discover: { target: [1, 0], context: { positive: 3, negative: 1 } } } }, [2, UUID]],
    [
      'a fusion of prefetches',
      { prefetch: [{ query: [1, 0] }, { query: [1, 0], filter: red }], query: { fusion: 'rrf' }, limit: 2 },
      [3, 1],
    ],
    ['a formula over a prefetch', { prefetch: { query: [1, 0] }, query: { formula: { neg: '$score' } } }, [UUID, 1, 2, 3]],
    ['a search among a prefetch', { prefetch: { query: [-1, 0], limit: 2 }, query: [1, 0] }, [1, UUID]],
    ['the vector of a point elsewhere', { query: 1, lookup_from: { collection: 'things' }, limit: 1 }, [3]],
  ])('by %s', async (_name, body, ids) => {
    const reply = await call('/query', body);
    expect(reply.status).toBe(200);
    expect(idsOf(reply.body)).toEqual(ids);
  });

  test('in a batch answers each', async () => {
    const { body } = await call('/query/batch', { searches: [{ query: [1, 0], limit: 1 }, { limit: 1 }] });
    expect(body).toEqual(ok([{ points: [hit(3, 0.3)] }, { points: [hit(1, 1)] }]));
  });

  test('a batch of queries may call them queries', async () => {
    const queries = [{ query: [1, 0], limit: 1 }];
    const { status, body } = await call('/query/batch', { queries });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: ((await call('/query/batch', { searches: queries })).body as { result: object }).result });
    for (const wrong of [{}, { searches: queries, queries }, { queries: [{ limit: 'one' }] }]) {
      expect((await call('/query/batch', wrong)).status).toBe(400);
    }
  });

  test('by the id of a point that is not there is not found', async () => {
    const reply = await call('/query', { query: 99 });
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual(error('No point with id 99 found'));
  });

  test.each([
    [{ query: { recommend: { negative: [1] } } }, 'query.recommend.positive: at least one positive example is required by average_vector'],
    [{ query: { recommend: { strategy: 'best_score' } } }, 'query.recommend: at least one example is required'],
    [{ query: { fusion: 'rrf' } }, 'query: cannot apply Fusion without prefetches'],
    [{ query: { formula: { sum: [] } } }, 'query: cannot apply Formula without prefetches'],
    [{ prefetch: { query: [1, 0] } }, "A query is needed to merge the prefetches. Can't have prefetches without defining a query."],
    [{ prefetch: { prefetch: { query: 1 } }, query: 1 }, 'prefetch[0].cannot have prefetches without a query'],
    [
      { prefetch: [{ query: 1 }, { query: 2 }], query: { rrf: { weights: [1] } } },
      'query.rrf.weights: expected one for each of the 2 prefetches, got 1',
    ],
    [
      { prefetch: Array.from({ length: 101 }, () => ({ query: 1 })), query: { fusion: 'rrf' } },
      'prefetch: expected at most 100 in all, got 101',
    ],
    [
      { prefetch: { prefetch: { query: 1, limit: 600_000 }, query: 1, limit: 600_000 }, query: 1 },
      'prefetch: expected limits of at most 1000000 in all, got 1200000',
    ],
    [
      { prefetch: [{ query: 1 }, { query: 2 }], query: { fusion: 'rrf' }, offset: 600_000 },
      'prefetch: expected limits of at most 1000000 in all, each with the offset, got 1200020',
    ],
    [
      { query: { nearest: 1, mmr: { candidates_limit: 1000 } }, limit: 501 },
      /^query.mmr: limit times candidates_limit may be at most 500000/,
    ],
    [{ prefetch: { query: 1 }, query: { fusion: 'dbsf' }, using: 'a' }, 'using: a fusion works on scores, not on a vector; leave it out'],
    [{ prefetch: { query: 1 }, query: { formula: 'missing' } }, /^formula: no value for "missing" in the payload of a candidate/],
    [{ query: { indices: [1], values: [1] } }, 'vector (unnamed): expected a dense vector, an array of numbers, got a sparse one'],
    [
      { query: { text: 'hello', model: 'Qdrant/bm25' } },
      'vector (unnamed): expected a dense vector, an array of numbers, got a sparse one',
    ],
    [
      { query: { relevance_feedback: { target: 1, feedback: [], strategy: { naive: { a: 1, b: 1, c: 1 } } } } },
      /^query\.relevance_feedback\.feedback: expected at least 1/,
    ],
    [
      { query: { relevance_feedback: { target: 1, feedback: [{ example: 2, score: 1 }], strategy: { naive: { a: 1, b: -1, c: 1 } } } } },
      'query.relevance_feedback.strategy.naive.b: expected a number of at least 0, got -1',
    ],
    [{ query: { sample: 'best' } }, 'query.sample: expected "random", got the string "best"'],
    [{ score_threshold: 0.5 }, /^score_threshold needs a query that gives scores/],
    [{ query: [1, 0, 0] }, 'Dimension mismatch for vector: expected 2, got 3'],
    [{ query: [1, 0], using: 'x' }, 'Not existing vector name error: x'],
    [{ query: 'x' }, /^query: expected a point id/],
    [{ qery: [1, 0] }, "qery: unknown member; did you mean 'query'?"],
  ])('refuses %j', async (body, reason) => {
    const reply = await call('/query', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(typeof reason === 'string' ? reason : expect.stringMatching(reason)));
  });
});

describe('an answer', () => {
  const limit = 1_000_000;

  test('may have a limit beyond what it could hold, where the collection is small', async () => {
    expect((await call('/scroll', { limit, with_vector: true })).status).toBe(200);
    expect((await call('/search', { vector: [1, 0], limit, with_vector: true })).status).toBe(200);
  });

  test('that would hold too much is refused', async () => {
    await using large = await testServer({ faults: { count: async () => 50_000 } });
    for (const [path, body] of [
      ['scroll', { limit, with_vector: true }],
      ['search', { vector: [1], limit: 20_000, with_vector: true }],
      ['search/batch', { searches: Array.from({ length: 100 }, () => ({ vector: [1], limit: 5_000, with_payload: true })) }],
      ['query', { limit: 10, offset: 200_000, with_vector: true }],
      ['query/batch', { searches: [{ limit, with_vector: true }] }],
    ] as const) {
      const reply = await large.call('POST', `/collections/things/points/${path}`, body);
      expect([path, reply.status, reply.body]).toEqual([
        path,
        400,
        error(expect.stringMatching(/^limit: one answer holds at most 1000000 points, 100000 with/)),
      ]);
    }
  });
});

describe('a distance matrix', () => {
  test('answers pairs and offsets, with the published defaults', async () => {
    const { body } = await call('/search/matrix/pairs');
    const { pairs } = (body as { result: { pairs: { a: unknown; b: unknown; score: number }[] } }).result;
    expect(pairs).toHaveLength(12);
    expect(pairs).toContainEqual({ a: 3, b: 2, score: expect.closeTo(0.06, 6) });
    const offsets = (await call('/search/matrix/offsets', { sample: 3, limit: 1, filter: { must_not: { has_id: [UUID] } } })).body;
    expect(offsets).toMatchObject({
      result: { offsets_row: [0, 1, 2], scores: [expect.any(Number), expect.any(Number), expect.any(Number)] },
    });
  });

  test.each([
    [{ sample: 1 }, 'sample: expected an integer from 2 to 10000, got 1'],
    [
      { sample: 10_000, limit: 101 },
      'body: `sample` times `limit` is 1010000; one answer holds at most 1000000 pairs, so ask for fewer of either',
    ],
    [{ limits: 3 }, "limits: unknown member; did you mean 'limit'?"],
  ])('%j is refused with its reason', async (body, reason) => {
    expect(await call('/search/matrix/pairs', body)).toMatchObject({
      status: 400,
      body: error(reason),
    });
  });
});
