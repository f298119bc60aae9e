// SPDX-License-Identifier: Apache-2.0
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { callNamed } from './calls.ts';
import { Inexpressible } from './inexpressible.ts';
import { openReader, readResult, writeAnswer, writeRequest } from './mapping.ts';

const POINT = { id: 7, payload: { city: 'Rome', n: 2n ** 60n } };
const HIT = { ...POINT, score: 0.1, version: 3 };
const NAMED = {
  id: '2b1d3c9e-0000-4000-8000-000000000000',
  payload: {},
  vector: { dense: [0.5, 1], words: { indices: [1], values: [0.25] } },
};

test.each([
  ['Upsert', { operation_id: 4, status: 'Completed' }],
  ['UpdateBatch', [{ operation_id: 4, status: 'Completed' }]],
  ['Get', [{ ...POINT, vector: [0.1, 2] }, NAMED]],
  ['Scroll', { points: [{ ...POINT, order_value: 1.5 }], next_page_offset: 8 }],
  ['Scroll', { points: [], next_page_offset: null }],
  ['Count', { count: 12 }],
  [
    'Facet',
    {
      hits: [
        { value: 'a', count: 2 },
        { value: true, count: 1 },
        { value: -3, count: 1 },
      ],
    },
  ],
  ['Search', [HIT, { ...HIT, ...NAMED }]],
  ['SearchBatch', [[HIT], []]],
  ['Recommend', [HIT]],
  ['Query', { points: [HIT] }],
  ['QueryBatch', [{ points: [HIT] }, { points: [] }]],
  [
    'SearchGroups',
    {
      groups: [
        { id: 'a', hits: [HIT], lookup: POINT },
        { id: -1, hits: [] },
      ],
    },
  ],
  [
    'SearchMatrixPairs',
    {
      pairs: [
        { a: 1, b: 'c0ffee00-0000-4000-8000-000000000000', score: 0.1 },
        { a: 1, b: 2, score: null },
      ],
    },
  ],
  ['SearchMatrixOffsets', { offsets_row: [0], offsets_col: [1], scores: [0.3], ids: [1, 2] }],
])('what a server answers to %s, a client reads', (method, result) => {
  const output = callNamed(`qdrant.Points/${method}`)?.output;
  if (output === undefined) throw new Error(`there is no call ${method}`);
  const bytes = toBinary(output, writeAnswer(output, { result, time: 0.5 }));
  expect(readResult(fromBinary(output, bytes))).toEqual(result);
});

const filter = {
  must: [{ key: 'city', match: { value: 'Rome' } }, { key: 'n', range: { gte: 1 } }, { has_id: [1, 2] }],
  must_not: [
    { key: 'at', range: { lt: '2026-01-01T00:00:00.000Z' } },
    { is_empty: { key: 'x' } },
    { nested: { key: 'a', filter: { must: [{ key: 'k', match: { any: ['b'] } }] } } },
  ],
};

test.each([
  ['Count', { filter, exact: true }],
  ['Delete', { points: [1, 2] }],
  ['SetPayload', { payload: { a: [1, null, { b: 'c' }] }, filter }],
  ['DeleteVectors', { vectors: ['a'], points: [3] }],
  ['UpdateBatch', { operations: [{ delete: { points: [1] } }, { set_payload: { payload: { a: 1 }, points: [2] } }] }],
  ['Scroll', { limit: 5, order_by: { key: 'n', start_from: 5 }, with_payload: { include: ['a'] }, with_vectors: ['v'] }],
  [
    'Query',
    {
      prefetch: [{ query: { fusion: 'rrf' }, prefetch: [], limit: 3 }],
      query: { formula: { sum: ['$score', { mult: [2, '$score'] }] }, defaults: {} },
    },
  ],
  ['Recommend', { positive: [1], negative: [2], limit: 3 }],
  ['Count', { exact: true, shard_key: ['berlin', 7] }],
  ['Upsert', { points: [], shard_key: { target: 'berlin', fallback: 'rest' } }],
  ['UpdateBatch', { operations: [{ delete: { points: [1], shard_key: ['berlin'] } }] }],
  ['Query', { prefetch: [], lookup_from: { collection: 'other', shard_key: [1] }, shard_key: ['berlin'] }],
])('what a client sends as %s, a server reads', (method, body) => {
  const input = callNamed(`qdrant.Points/${method}`)?.input;
  if (input === undefined) throw new Error(`there is no call ${method}`);
  const bytes = toBinary(input, writeRequest(input, { collection_name: 'c', ...body }));
  expect(openReader().body(fromBinary(input, bytes))).toEqual(body);
});

test('a request with two of a group of alternatives is not sent with one', () => {
  const input = callNamed('qdrant.Points/Scroll')?.input;
  if (input === undefined) throw new Error('there is no such call');
  expect(() => writeRequest(input, { with_payload: { include: ['a'], exclude: ['b'] } })).toThrow(Inexpressible);
});
