// SPDX-License-Identifier: Apache-2.0
import type { Filter } from '@sextant/contracts-vector';
import { expect, test } from 'vitest';
import { matches } from './filter-oracle.ts';
import { compareIds } from './point-order.ts';

const candidate = {
  id: 9007199254740993n,
  payload: {
    color: ['red', 'blue'],
    size: 3,
    none: null,
    parts: [
      { a: 1, b: 'red' },
      { a: 2, b: 'blue' },
    ],
    empty: [],
  },
  vectorNames: ['image'],
};

const isRedOne = {
  must: [
    { key: 'a', match: { value: 1 } },
    { key: 'b', match: { value: 'red' } },
  ],
};
const isBlueOne = {
  must: [
    { key: 'a', match: { value: 1 } },
    { key: 'b', match: { value: 'blue' } },
  ],
};

test.each<[boolean, Filter]>([
  [true, {}],
  [true, { must: [], should: [], must_not: [] }],
  [true, { must: { key: 'color', match: { value: 'blue' } } }],
  [false, { must: { key: 'color', match: { value: 'green' } } }],
  [true, { must: { key: 'color', match: { except: ['red'] } } }],
  [false, { must: { key: 'color', match: { except: ['red', 'blue'] } } }],
  [false, { must: { key: 'none', match: { except: ['red'] } } }],
  [false, { must: { key: 'color', match: { any: [] } } }],
  [true, { must: { key: 'size', range: { gt: 2, lte: 3 } } }],
  [false, { must: { key: 'size', range: { gt: 3 } } }],
  [false, { must: { key: 'size', match: { value: '3' } } }],
  [true, { must: { key: 'missing', values_count: { lt: 1 } } }],
  [true, { must: { key: 'color', values_count: { gte: 2, lt: 3 } } }],
  [true, { must: [{ is_empty: { key: 'empty' } }, { is_empty: { key: 'missing' } }, { is_empty: { key: 'none' } }] }],
  [true, { must: { is_null: { key: 'none' } } }],
  [false, { must: { is_null: { key: 'missing' } } }],
  [true, { must: { key: 'parts[].b', match: { value: 'blue' } } }],
  [false, { must: { key: 'parts.b', match: { value: 'blue' } } }],
  [true, { must: { nested: { key: 'parts', filter: isRedOne } } }],
  [false, { must: { nested: { key: 'parts', filter: isBlueOne } } }],
  [true, { must: { has_id: [9007199254740993n] } }],
  [false, { must: { has_id: [9007199254740992n] } }],
  [true, { must: [{ has_vector: 'image' }], must_not: [{ has_vector: 'text' }] }],
  [true, { min_should: { min_count: 1, conditions: [] } }],
  [false, { should: [{ key: 'size', match: { value: 4 } }] }],
  [
    true,
    {
      min_should: {
        min_count: 1,
        conditions: [
          { key: 'size', match: { value: 4 } },
          { key: 'size', match: { value: 3 } },
        ],
      },
    },
  ],
  [
    false,
    {
      min_should: {
        min_count: 2,
        conditions: [
          { key: 'size', match: { value: 4 } },
          { key: 'size', match: { value: 3 } },
        ],
      },
    },
  ],
])('the model says %s to %o', (expected, filter) => {
  expect(matches(filter, candidate)).toBe(expected);
});

test('the model orders integers before UUIDs', () => {
  const uuid = '550e8400-e29b-41d4-a716-446655440000';
  expect([uuid, 10, 9007199254740993n, 9].toSorted(compareIds)).toEqual([9, 10, 9007199254740993n, uuid]);
});
