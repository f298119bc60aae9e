// SPDX-License-Identifier: Apache-2.0
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BASE, byColor, byNumber, type StrictModeServer, search, strictModeServer, upsert } from '../testing/strict-mode-server.ts';

let things: StrictModeServer;
beforeAll(async () => {
  things = await strictModeServer();
});
afterEach(() => things.reset());
afterAll(() => things.server[Symbol.asyncDispose]());

const under = (strictMode: object, more?: object) => things.under(strictMode, more);
const call = (method: string, path: string, body?: unknown) => things.call(method, path, body);
const words = { vector: { name: 'words', vector: { indices: [1], values: [1] } }, limit: 3 };

const NO_INDEX =
  'Index required but not found for "n" of one of the following types: [float, integer]. Help: Create an index for this key or use a different filter.';
const EXACT = 'Exact search disabled!. Help: Set exact=false.';
const tooMuch = (value: number, limit: number, name: string) =>
  `Limit exceeded ${value} > ${limit} for "${name}". Help: Reduce the "${name}" parameter to or below ${limit}.`;

type Row = readonly [limit: object, method: string, path: string, allowed: unknown, refused: unknown, error: string];

const ROWS: readonly Row[] = [
  [{ max_query_limit: 5 }, 'POST', '/points/search', { ...search, limit: 5 }, { ...search, limit: 6 }, tooMuch(6, 5, 'limit')],
  [{ max_query_limit: 5 }, 'POST', '/points/search', { vector: [1, 1], top: 5 }, { vector: [1, 1] }, tooMuch(10, 5, 'limit')],
  [{ max_query_limit: 5 }, 'POST', '/points/scroll', { limit: 5 }, undefined, tooMuch(10, 5, 'limit')],
  [{ max_query_limit: 5 }, 'POST', '/points/query', { query: 1, limit: 5 }, { limit: 6 }, tooMuch(6, 5, 'limit')],
  [
    { max_query_limit: 5 },
    'POST',
    '/points/query',
    { prefetch: { query: 1, limit: 5 }, query: { fusion: 'rrf' }, limit: 5 },
    { prefetch: { query: 1, limit: 9 }, query: { fusion: 'rrf' }, limit: 5 },
    tooMuch(9, 5, 'limit'),
  ],
  [
    { max_query_limit: 6 },
    'POST',
    '/points/query/groups',
    { query: [1, 1], group_by: 'color', limit: 2 },
    { query: [1, 1], group_by: 'color', limit: 2, group_size: 4 },
    tooMuch(8, 6, 'limit'),
  ],
  [{ max_query_limit: 6 }, 'POST', '/points/search/matrix/pairs', { sample: 6, limit: 1 }, { sample: 4, limit: 2 }, tooMuch(8, 6, 'limit')],
  [{ max_query_limit: 5 }, 'POST', '/points/recommend', { positive: [1], limit: 5 }, { positive: [1] }, tooMuch(10, 5, 'limit')],
  [{ max_query_limit: 5 }, 'POST', '/facet', { key: 'color', limit: 5 }, { key: 'color' }, tooMuch(10, 5, 'limit')],
  [{ max_timeout: 3 }, 'POST', '/points/search?timeout=3', search, undefined, ''],
  [
    { unindexed_filtering_retrieve: false },
    'POST',
    '/points/search',
    { ...search, filter: byColor },
    { ...search, filter: byNumber },
    NO_INDEX,
  ],
  [{ unindexed_filtering_retrieve: false }, 'POST', '/points/count', { filter: byColor }, { filter: byNumber }, NO_INDEX],
  [{ unindexed_filtering_retrieve: false }, 'POST', '/points/scroll', { filter: byColor }, { filter: byNumber }, NO_INDEX],
  [
    { unindexed_filtering_retrieve: false },
    'POST',
    '/points/query',
    { prefetch: { query: 1 }, query: { formula: '$score' } },
    { prefetch: { query: 1 }, query: { formula: { sum: ['$score', 'n'] } } },
    NO_INDEX.replace('filter.', 'formula expression.'),
  ],
  [
    { unindexed_filtering_retrieve: false },
    'POST',
    '/points/search/groups',
    { ...search, group_by: 'color' },
    { ...search, group_by: 'n' },
    'Index required but not found for "n" of one of the following types: [integer, keyword, uuid]. Help: Create an index supporting `match` for this key.',
  ],
  [{ unindexed_filtering_update: false }, 'POST', '/points/delete', { filter: byColor }, { filter: byNumber }, NO_INDEX],
  [
    { unindexed_filtering_update: false },
    'POST',
    '/points/payload',
    { payload: {}, filter: byColor },
    { payload: {}, filter: byNumber },
    NO_INDEX,
  ],
  [
    { unindexed_filtering_update: false },
    'PUT',
    '/points',
    { ...upsert(1), update_filter: byColor },
    { ...upsert(1), update_filter: byNumber },
    NO_INDEX,
  ],
  [
    { search_max_hnsw_ef: 20 },
    'POST',
    '/points/search',
    { ...search, params: { hnsw_ef: 20 } },
    { ...search, params: { hnsw_ef: 21 } },
    tooMuch(21, 20, 'hnsw_ef'),
  ],
  [
    { unindexed_filtering_retrieve: false },
    'POST',
    '/points/search',
    { ...words, params: { idf: { corpus: byColor } } },
    { ...words, params: { idf: { corpus: byNumber } } },
    NO_INDEX,
  ],
  [{ search_allow_exact: false }, 'POST', '/points/search', search, { ...search, params: { exact: true } }, EXACT],
  [{ search_allow_exact: false }, 'POST', '/points/count', { exact: false }, {}, EXACT],
  [{ search_allow_exact: false }, 'POST', '/facet', { key: 'color' }, { key: 'color', exact: true }, EXACT],
  [
    { search_max_oversampling: 1.5 },
    'POST',
    '/points/query',
    { query: [1, 1], params: { quantization: { oversampling: 1.5 } } },
    { query: [1, 1], params: { quantization: { oversampling: 2 } } },
    tooMuch(2, 1.5, 'oversampling'),
  ],
  [{ upsert_max_batchsize: 3 }, 'PUT', '/points', upsert(3), upsert(4), tooMuch(4, 3, 'upsert limit')],
  [
    { upsert_max_batchsize: 1 },
    'PUT',
    '/points',
    { batch: { ids: [1], vectors: [[1, 1]] } },
    {
      batch: {
        ids: [1, 2],
        vectors: [
          [1, 1],
          [2, 2],
        ],
      },
    },
    tooMuch(2, 1, 'upsert limit'),
  ],
  [
    { upsert_max_batchsize: 3 },
    'POST',
    '/points/batch',
    { operations: [{ upsert: upsert(3) }, { upsert: upsert(3) }] },
    { operations: [{ delete: { points: [1] } }, { upsert: upsert(5) }] },
    tooMuch(5, 3, 'upsert limit'),
  ],
  [
    { upsert_max_batchsize: 1 },
    'PUT',
    '/points/vectors',
    { points: [{ id: 1, vector: [3, 3] }] },
    {
      points: [
        { id: 1, vector: [3, 3] },
        { id: 2, vector: [3, 3] },
      ],
    },
    tooMuch(2, 1, 'update limit'),
  ],
  [
    { search_max_batchsize: 2 },
    'POST',
    '/points/search/batch',
    { searches: [search, search] },
    { searches: [search, search, search] },
    tooMuch(3, 2, 'search batch size'),
  ],
  [
    { search_max_batchsize: 1 },
    'POST',
    '/points/recommend/batch',
    { searches: [{ positive: [1] }] },
    { searches: [{ positive: [1] }, { positive: [2] }] },
    tooMuch(2, 1, 'search batch size'),
  ],
  [
    { filter_max_conditions: 2 },
    'POST',
    '/points/count',
    { filter: { must: [byColor, byNumber] } },
    { filter: { must: [byColor, byNumber], must_not: [{ nested: { key: 'x', filter: byNumber } }] } },
    'Filter condition limit reached (3 > 2). Help: Reduce the amount of conditions of your filter.',
  ],
  [
    { condition_max_size: 2 },
    'POST',
    '/points/scroll',
    { filter: { must: { has_id: [1, 2] } } },
    { filter: { must: { key: 'n', match: { any: [1, 2, 3] } } } },
    'Condition size limit reached (3 > 2). Help: Reduce the size of your condition.',
  ],
  [
    { max_payload_index_count: 1 },
    'PUT',
    '/index',
    { field_name: 'color', field_schema: 'keyword' },
    { field_name: 'n', field_schema: 'integer' },
    'Collection already has the maximum number of payload indices (1). Help: Please delete an existing index before creating a new one.',
  ],
];

describe('a strict mode', () => {
  test.each(ROWS)('%j bounds %s %s', async (limit, method, path, allowed, refused, error) => {
    await under(limit);
    expect(await call(method, path, allowed)).toMatchObject({ status: 200, error: undefined });
    if (error !== '') expect(await call(method, path, refused)).toMatchObject({ status: 400, error });
  });

  test.each([
    [{ max_points_count: 10 }, 'Max points count limit of 10 reached!'],
    // Ten vectors of two components of four bytes: bytes of vectors count, not pages of storage.
    [{ max_collection_vector_size_bytes: 80 }, 'Max vector storage size limit of 0.0000762939453125MB reached!'],
    [{ max_collection_payload_size_bytes: 4096 }, 'Max payload storage size limit of 0.00390625MB reached!'],
  ])('%j refuses upserts once it is reached, and not before', async (limit, error) => {
    await things.server.call('PUT', BASE, { vectors: { size: 2, distance: 'Dot' }, strict_mode_config: { enabled: true, ...limit } });
    expect(await call('PUT', '/points', upsert(10))).toMatchObject({ status: 200 });
    expect(await call('PUT', '/points', upsert(1))).toMatchObject({ status: 400, error });
    expect(await call('POST', '/points/delete', { filter: {} })).toMatchObject({ status: 200 });
    expect(await call('PUT', '/points', upsert(1))).toMatchObject({ status: 200 });
  });

  test.each([
    // Three components of four bytes, each with an index of four.
    ['sparse vectors', { sparse_vectors: { words: {} } }, { words: { indices: [1, 5, 9], values: [1, 2, 3] } }, 24],
    // Two vectors of two components.
    [
      'multivectors',
      { vectors: { parts: { size: 2, distance: 'Dot', multivector_config: { comparator: 'max_sim' } } } },
      {
        parts: [
          [1, 2],
          [3, 4],
        ],
      },
      16,
    ],
  ])('counts the bytes of %s, of what is there', async (_, vectors, vector, bytes) => {
    await things.server.call('PUT', BASE, {
      ...vectors,
      strict_mode_config: { enabled: true, max_collection_vector_size_bytes: 10 * bytes },
    });
    const upserted = (from: number, count: number) => ({ points: Array.from({ length: count }, (__, at) => ({ id: from + at, vector })) });
    expect(await call('PUT', '/points', upserted(1, 5))).toMatchObject({ status: 200 });
    // Again: what is replaced counts once.
    expect(await call('PUT', '/points', upserted(1, 9))).toMatchObject({ status: 200 });
    expect(await call('POST', '/points/delete', { points: [9] })).toMatchObject({ status: 200 });
    expect(await call('PUT', '/points', upserted(9, 2))).toMatchObject({ status: 200 });
    expect(await call('PUT', '/points', upserted(11, 1))).toMatchObject({
      status: 400,
      error: expect.stringContaining('Max vector storage size'),
    });
    expect(await call('POST', '/points/vectors/delete', { points: [1], vector: Object.keys(vector) })).toMatchObject({ status: 200 });
    expect(await call('PUT', '/points', upserted(11, 1))).toMatchObject({ status: 200 });
    expect(await call('PUT', '/points', upserted(12, 1))).toMatchObject({ status: 400 });
  });

  test('bounds the length of sparse vectors by their name', async () => {
    await under({ sparse_config: { words: { max_length: 2 } } }, { sparse_vectors: { words: {}, others: {} } });
    const sparse = (length: number) => ({ indices: Array.from({ length }, (_, index) => index), values: Array(length).fill(1) });
    const points = (name: string, length: number) => [{ id: 1, vector: { [name]: sparse(length) } }];
    expect(
      await call('PUT', '/points', { points: [...points('words', 2), ...points('others', 3).map((point) => ({ ...point, id: 2 }))] }),
    ).toMatchObject({ status: 200 });
    const error = "Sparse vector 'words' has a limit of 2 indices, but 3 were provided!";
    expect(await call('PUT', '/points', { points: points('words', 3) })).toMatchObject({ status: 400, error });
    expect(await call('PUT', '/points/vectors', { points: points('words', 3) })).toMatchObject({ status: 400, error });
  });

  test('bounds the vectors of a multivector by its name', async () => {
    const several = { size: 2, distance: 'Dot', multivector_config: { comparator: 'max_sim' } };
    const strictMode = { enabled: true, multivector_config: { parts: { max_vectors: 2 } } };
    await things.server.call('PUT', BASE, { vectors: { parts: several, others: several }, strict_mode_config: strictMode });
    const points = (name: string, count: number) => [{ id: count, vector: { [name]: Array.from({ length: count }, () => [1, 2]) } }];
    expect(await call('PUT', '/points', { points: [...points('parts', 2), ...points('others', 3)] })).toMatchObject({ status: 200 });
    const error = "Multivector 'parts' has a limit of 2 vectors, but 3 were provided!";
    expect(await call('PUT', '/points', { points: points('parts', 3) })).toMatchObject({ status: 400, error });
    const batch = {
      ids: [7, 8],
      vectors: {
        parts: [
          [[1, 2]],
          [
            [1, 2],
            [1, 2],
            [1, 2],
          ],
        ],
      },
    };
    expect(await call('PUT', '/points', { batch })).toMatchObject({ status: 400, error });
  });

  test('bounds payloads that are set, too', async () => {
    await under({ max_collection_payload_size_bytes: 1 });
    const error = 'Max payload storage size limit of 9.5367431640625e-7MB reached!';
    expect(await call('POST', '/points/payload', { payload: { a: 1 }, points: [1] })).toMatchObject({ status: 400, error });
    expect(await call('POST', '/points/payload/clear', { points: [1] })).toMatchObject({ status: 200 });
  });

  test('refuses writes that need memory while the process holds too much, and lets others free it', async () => {
    await under({ max_resident_memory_percent: 80 });
    things.residentPercent = 80;
    expect(await call('PUT', '/points', upsert(1))).toMatchObject({ status: 200 });
    things.residentPercent = 90.4;
    const error =
      'The process holds 90 % of the memory, and collection things allows writes that need more up to 80 % (max_resident_memory_percent); delete points, or raise the limit';
    expect(await call('PUT', '/points', upsert(1))).toMatchObject({ status: 507, error });
    expect(await call('POST', '/points/payload', { payload: { a: 1 }, points: [1] })).toMatchObject({ status: 507, error });
    expect(await call('POST', '/points/delete', { points: [1] })).toMatchObject({ status: 200 });
    expect(await call('POST', '/points/search', search)).toMatchObject({ status: 200 });
  });

  test('bounds the time that a caller would wait', async () => {
    await under({ max_timeout: 3 });
    for (const path of ['/points/search?timeout=4', '/points/query?timeout=4']) {
      expect(await call('POST', path, path.includes('search') ? search : {})).toMatchObject({
        status: 400,
        error: tooMuch(4, 3, 'timeout'),
      });
    }
    expect(await call('PUT', '/points?timeout=4', upsert(1))).toMatchObject({ status: 400, error: tooMuch(4, 3, 'timeout') });
  });

  test('without exact searches refuses those of a vector that has no graph', async () => {
    await under({ search_allow_exact: false }, { hnsw_config: { m: 0 } });
    const error =
      'Request is forbidden because global vector indexing is disabled (hnsw_config.m = 0). Help: Enable global vector indexing or enable strict mode `search_allow_exact` option';
    expect(await call('POST', '/points/search', search)).toMatchObject({ status: 400, error });
    expect(await call('POST', '/points/query', { query: { sample: 'random' } })).toMatchObject({ status: 200 });
  });

  test('without exact searches refuses those of multivectors whose m is 0', async () => {
    const several = { size: 2, distance: 'Dot', multivector_config: { comparator: 'max_sim' } };
    const strictMode = { enabled: true, search_allow_exact: false };
    await things.server.call('PUT', BASE, {
      vectors: { none: { ...several, hnsw_config: { m: 0 } }, some: several },
      strict_mode_config: strictMode,
    });
    const query = (using: string) => call('POST', '/points/query', { query: [[1, 2]], using });
    expect(await query('some')).toMatchObject({ status: 200 });
    expect(await query('none')).toMatchObject({ status: 400, error: expect.stringContaining("forbidden on 'none'") });
  });

  test('lets formulas compute with an integer index for lookups alone', async () => {
    await under({ unindexed_filtering_retrieve: false });
    const formula = { prefetch: { query: 1 }, query: { formula: { sum: ['$score', 'n'] } } };
    expect((await call('POST', '/points/query', formula)).status).toBe(400);
    await things.server.call('PUT', `${BASE}/index`, { field_name: 'n', field_schema: { type: 'integer', lookup: true, range: false } });
    expect((await call('POST', '/points/query', formula)).status).toBe(200);
  });

  test('holds only while it is enabled, keeps what an update does not name, and is shown', async () => {
    await under({ max_query_limit: 1 });
    expect((await call('POST', '/points/search', search)).status).toBe(400);
    await things.server.call('PATCH', BASE, { strict_mode_config: { enabled: false } });
    expect((await call('POST', '/points/search', search)).status).toBe(200);
    await things.server.call('PATCH', BASE, { strict_mode_config: { enabled: true, max_timeout: 5 } });
    expect((await call('POST', '/points/search', search)).status).toBe(400);
    expect((await things.server.call('GET', BASE)).body).toMatchObject({
      result: { config: { strict_mode_config: { enabled: true, max_query_limit: 1, max_timeout: 5 } } },
    });
  });

  test.each([
    [{ max_query_limits: 1 }, "strict_mode_config.max_query_limits: unknown member; did you mean 'max_query_limit'?"],
    [{ read_rate_limit: 0 }, 'strict_mode_config.read_rate_limit: expected an integer of at least 1, got 0'],
    [{ max_resident_memory_percent: 101 }, 'strict_mode_config.max_resident_memory_percent: expected an integer from 1 to 100, got 101'],
    [{ enabled: 'yes' }, 'strict_mode_config.enabled: expected true or false, got the string "yes"'],
  ])('%j is refused with its reason', async (strictMode, reason) => {
    const reply = await things.server.call('PUT', BASE, { vectors: { size: 2, distance: 'Dot' }, strict_mode_config: strictMode });
    expect(reply).toMatchObject({ status: 400, body: { status: { error: reason } } });
  });
});
