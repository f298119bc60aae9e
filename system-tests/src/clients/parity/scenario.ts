// SPDX-License-Identifier: Apache-2.0
/**
 * What is asked of a collection, step by step, with what comes of it: the operation by its name in the contract, its body, and the part of the answer that
 * is known beforehand. Every client runs the same steps, and all have to answer alike.
 */
import type { VectorOperationId } from '@sextant/sdk';

export type Step = {
  readonly operation: VectorOperationId;
  readonly params?: { readonly [name: string]: string };
  readonly body?: object;
  /** A part of the result, or of the refusal's sentence. */
  readonly expected: { readonly result: unknown } | { readonly refusal: string };
};

const BIG = 18_446_744_073_709_551_615n;
const UUID = '550e8400-e29b-41d4-a716-446655440000';

const POINTS = [
  { id: 1, vector: { main: [0.1, 0.9], side: [1, 0, 0] }, payload: { city: 'Rome', n: 1, at: { lon: 12.5, lat: 41.9 }, tags: ['a', 'b'] } },
  {
    id: 2,
    vector: { main: [0.5, 0.5], side: [0, 1, 0] },
    payload: { city: 'Oslo', n: 2, when: '2024-02-29T12:00:00Z', text: 'quick brown fox' },
  },
  {
    id: 3,
    vector: { main: [0.9, 0.1], words: { indices: [1, 7], values: [0.5, 2] } },
    payload: { city: 'Rome', n: 9_007_199_254_740_993n },
  },
  { id: BIG, vector: { main: [-0.4, 0.3] }, payload: { nested: [{ k: 1 }, { k: 2 }], none: null } },
  { id: UUID, vector: { side: [0.5, 0.5, 0.1] }, payload: {} },
];

const result = (value: unknown) => ({ result: value });
const refusal = (sentence: string) => ({ refusal: sentence });
const completed = result({ status: 'Completed' });
const ids = (...wanted: readonly unknown[]) => result(wanted.map((id) => ({ id })));
const queried = (...wanted: readonly unknown[]) => result({ points: wanted.map((id) => ({ id })) });
const rome = { must: [{ key: 'city', match: { value: 'Rome' } }] };
const near = [0.2, 0.8];

const search = (body: object, expected: Step['expected']): Step => ({ operation: 'search_points', body: { limit: 5, ...body }, expected });
const query = (body: object, expected: Step['expected']): Step => ({
  operation: 'query_points',
  body: { using: 'main', ...body },
  expected,
});
const count = (filter: object, matching: number): Step => ({
  operation: 'count_points',
  body: { filter, exact: true },
  expected: result({ count: matching }),
});
const main = (vector: readonly number[]) => ({ name: 'main', vector });

export const SCENARIO: readonly Step[] = [
  {
    operation: 'create_collection',
    body: { vectors: { main: { size: 2, distance: 'Cosine' }, side: { size: 3, distance: 'Euclid' } }, sparse_vectors: { words: {} } },
    expected: result(true),
  },
  { operation: 'create_collection', body: { vectors: { size: 1, distance: 'Dot' } }, expected: refusal('Collection already exists') },
  { operation: 'upsert_points', body: { points: POINTS }, expected: completed },
  { operation: 'create_field_index', body: { field_name: 'city', field_schema: 'keyword' }, expected: completed },
  {
    operation: 'create_field_index',
    body: { field_name: 'n', field_schema: { type: 'integer', lookup: true, range: true } },
    expected: completed,
  },

  { operation: 'retrieve_points', body: { ids: [3, 99, BIG], with_vector: true }, expected: ids(3, BIG) },
  { operation: 'retrieve_points', body: { ids: [1], with_payload: ['tags', 'at.lat'], with_vector: ['side'] }, expected: ids(1) },
  {
    operation: 'scroll_points',
    body: { limit: 2, with_payload: false },
    expected: result({ points: [{ id: 1 }, { id: 2 }], next_page_offset: 3 }),
  },
  { operation: 'scroll_points', body: { order_by: { key: 'n', direction: 'desc' } }, expected: result({ next_page_offset: null }) },
  { operation: 'scroll_points', body: { order_by: 'city' }, expected: refusal('No range index for `order_by` key: `city`') },
  {
    operation: 'facet',
    body: { key: 'city' },
    expected: result({
      hits: [
        { value: 'Rome', count: 2 },
        { value: 'Oslo', count: 1 },
      ],
    }),
  },
  { operation: 'facet', body: { key: 'tags' }, expected: refusal('Index required but not found for "tags"') },

  count({}, 5),
  count(rome, 2),
  count({ must_not: rome.must }, 3),
  count({ should: [{ has_id: [1, BIG] }, { key: 'city', match: { value: 'Oslo' } }] }, 3),
  count({ min_should: { conditions: [...rome.must, { key: 'n', range: { lt: 2 } }], min_count: 2 } }, 1),
  count({ must: [{ key: 'city', match: { any: ['Oslo', 'Bonn'] } }] }, 1),
  count({ must: [{ key: 'city', match: { except: ['Rome'] } }] }, 1),
  count({ must: [{ key: 'text', match: { text: 'fox quick' } }] }, 1),
  count({ must: [{ key: 'when', range: { gte: '2024-02-29', lt: '2024-03-01' } }] }, 1),
  count({ must: [{ key: 'at', geo_radius: { center: { lon: 12.4, lat: 41.9 }, radius: 20_000 } }] }, 1),
  count({ must: [{ key: 'tags', values_count: { gte: 2 } }] }, 1),
  count({ must: [{ is_null: { key: 'none' } }] }, 1),
  count({ must: [{ is_empty: { key: 'city' } }] }, 2),
  count({ must: [{ has_vector: 'side' }] }, 3),
  count({ must: [{ nested: { key: 'nested', filter: { must: [{ key: 'k', match: { value: 2 } }] } } }] }, 1),

  search({ vector: main(near), with_payload: true, with_vector: true }, ids(1, 2, BIG, 3)),
  search({ vector: main(near), filter: rome, offset: 1 }, ids(3)),
  search({ vector: main(near), score_threshold: 0.8, params: { exact: true, hnsw_ef: 20 } }, ids(1, 2)),
  search({ vector: { name: 'words', vector: { indices: [7], values: [1] } } }, ids(3)),
  search({ vector: main([1, 2, 3]) }, refusal('expected 2, got 3')),
  search({ vector: { name: 'none', vector: [1] } }, refusal('Not existing vector name error: none')),
  {
    operation: 'search_batch',
    body: {
      searches: [
        { vector: main(near), limit: 1 },
        { vector: { name: 'side', vector: [0, 1, 0] }, limit: 1 },
      ],
    },
    expected: result([[{ id: 1 }], [{ id: 2 }]]),
  },

  query({ query: near, limit: 2 }, queried(1, 2)),
  query({ query: 1, limit: 2, with_payload: true }, queried(2, BIG)),
  query({ query: 99 }, refusal('No point with id 99 found')),
  query({ query: { nearest: near, mmr: { diversity: 0.5 } }, limit: 2 }, queried(1, 2)),
  query({ query: { recommend: { positive: [1], negative: [3] } }, limit: 2 }, queried(BIG, 2)),
  query({ query: { recommend: { positive: [1], strategy: 'best_score' } }, limit: 1 }, queried(2)),
  query({ query: { discover: { target: 1, context: [{ positive: 2, negative: 3 }] } } }, queried(BIG)),
  query({ query: { context: [{ positive: 1, negative: 3 }] }, limit: 2 }, result({})),
  query({ using: null, query: { order_by: 'n' }, limit: 2 }, queried(1, 2)),
  query(
    {
      prefetch: [
        { query: near, using: 'main', limit: 3 },
        { query: [1, 0, 0], using: 'side', limit: 3 },
      ],
      using: null,
      query: { fusion: 'rrf' },
    },
    queried(1, 2, UUID, BIG),
  ),
  query(
    {
      prefetch: { query: near, using: 'main', limit: 3 },
      using: null,
      query: { formula: { sum: ['$score', { mult: [0.5, 'n'] }] }, defaults: { n: 0 } },
      filter: { must: [{ has_id: [1, 2] }] },
    },
    queried(2, 1),
  ),
  query({ using: null, query: { fusion: 'dbsf' } }, refusal('prefetch')),
  {
    operation: 'query_batch',
    body: {
      searches: [
        { query: near, using: 'main', limit: 1 },
        { query: 3, using: 'main', limit: 1 },
      ],
    },
    expected: result([{ points: [{ id: 1 }] }, { points: [{ id: 2 }] }]),
  },
  {
    operation: 'query_groups',
    body: { query: near, using: 'main', group_by: 'city', group_size: 1 },
    expected: result({ groups: [{ id: 'Rome' }, { id: 'Oslo' }] }),
  },
  { operation: 'recommend_points', body: { positive: [1], using: 'main', limit: 1 }, expected: ids(2) },
  { operation: 'discover_points', body: { target: 1, using: 'main', limit: 1 }, expected: ids(2) },

  { operation: 'upsert_points', body: { points: [{ id: 1, vector: { main: [1, 1] } }], update_mode: 'insert_only' }, expected: completed },
  { operation: 'upsert_points', body: { points: [{ id: 77, vector: {} }], update_mode: 'update_only' }, expected: completed },
  { operation: 'set_payload', body: { payload: { more: { a: 1 } }, points: [1] }, expected: completed },
  { operation: 'set_payload', body: { payload: { b: 2 }, key: 'more', filter: rome }, expected: completed },
  { operation: 'set_payload', body: { payload: {}, points: [404] }, expected: refusal('No point with id 404 found') },
  { operation: 'overwrite_payload', body: { payload: { only: true }, points: [2] }, expected: completed },
  { operation: 'delete_payload', body: { keys: ['tags'], points: [1] }, expected: completed },
  { operation: 'update_vectors', body: { points: [{ id: 1, vector: { side: [0, 0, 1] } }] }, expected: completed },
  { operation: 'delete_vectors', body: { points: [2], vector: ['side'] }, expected: completed },
  {
    operation: 'batch_update',
    body: { operations: [{ clear_payload: { points: [3] } }, { delete: { points: [BIG] } }] },
    expected: result([{ status: 'Completed' }, { status: 'Completed' }]),
  },
  {
    operation: 'scroll_points',
    body: { with_vector: true },
    expected: result({ points: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: UUID }] }),
  },
  { operation: 'delete_points', body: { filter: {} }, expected: completed },
  count({}, 0),
  { operation: 'delete_collection', expected: result(true) },
  { operation: 'count_points', body: {}, expected: refusal('Collection not found') },
];
