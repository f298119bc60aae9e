// SPDX-License-Identifier: Apache-2.0
import type { Expression, FieldSchema, Filter } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import { indexesForExpression, indexesForFilter, indexForGroups } from './needed-index.ts';

const field = (condition: object): Filter => ({ must: [{ key: 'k', ...condition }] });
const box = { top_left: { lon: 0, lat: 1 }, bottom_right: { lon: 1, lat: 0 } };
const ring = { points: [1, 2, 3, 1].map((lon) => ({ lon, lat: 0 })) };
const UUID = '550e8400-e29b-41d4-a716-446655440000';
const ANY = ['bool', 'datetime', 'float', 'geo', 'integer', 'keyword', 'text', 'uuid'];
const text = (options: Partial<FieldSchema> = {}): FieldSchema => ({ type: 'text', ...options });

describe('a condition needs an index of', () => {
  test.each([
    [{ match: { value: 'red' } }, ['keyword']],
    [{ match: { value: UUID } }, ['keyword', 'uuid']],
    [{ match: { value: 3 } }, ['integer']],
    [{ match: { value: 3n } }, ['integer']],
    [{ match: { value: true } }, ['bool']],
    [{ match: { any: ['a', 'b'] } }, ['keyword']],
    [{ match: { any: [UUID, UUID] } }, ['keyword', 'uuid']],
    [{ match: { any: [UUID, 'b'] } }, ['keyword']],
    [{ match: { except: [1, 2] } }, ['integer']],
    [{ match: { text: 'a b' } }, ['text']],
    [{ match: { text_any: 'a b' } }, ['text']],
    [{ match: { phrase: 'a b' } }, ['text']],
    [{ match: { prefix: 'a' } }, ['keyword']],
    [{ range: { gt: 1 } }, ['float', 'integer']],
    [{ range: { lt: '2024-01-01' } }, ['datetime']],
    [{ geo_bounding_box: box }, ['geo']],
    [{ geo_radius: { center: { lon: 0, lat: 0 }, radius: 1 } }, ['geo']],
    [{ geo_polygon: { exterior: ring } }, ['geo']],
    [{ values_count: { gt: 1 } }, ANY],
    [{ is_empty: true }, ANY],
    [{ is_null: false }, ANY],
  ])('%o', (condition, types) => {
    expect([...indexesForFilter(field(condition))]).toMatchObject([{ key: 'k', anyOf: types }]);
  });

  test.each([
    [{ must: { is_empty: { key: 'k' } } }, ANY],
    [{ must_not: [{ is_null: { key: 'k' } }] }, ANY],
    [{ should: [{ must: { min_should: { conditions: [{ key: 'k', match: { value: 'x' } }], min_count: 1 } } }] }, ['keyword']],
  ])('%j', (filter, types) => {
    expect([...indexesForFilter(filter as Filter)]).toMatchObject([{ key: 'k', anyOf: types }]);
  });

  test.each([
    [{}],
    [{ must: [{ has_id: [1] }, { has_vector: '' }, { slice: { total: 2, index: 0 } }] }],
    [field({ match: { any: [] } })],
    [field({ match: { except: [] } })],
  ])('none: %j', (filter) => {
    expect([...indexesForFilter(filter)]).toEqual([]);
  });

  test('each test of a field, and each key of a nested filter by its whole path', () => {
    const both = field({ match: { value: 'red' }, is_null: false });
    expect([...indexesForFilter(both)].map(({ anyOf }) => anyOf)).toEqual([['keyword'], ANY]);
    const deep = { nested: { key: 'b', filter: { must: { key: 'c', range: { gt: 1 } } } } };
    const nested: Filter = { must: { nested: { key: 'a[]', filter: { must: [{ key: 'x', match: { value: 1 } }, deep] } } } };
    expect([...indexesForFilter(nested)].map(({ key }) => key)).toEqual(['a[].x', 'a[].b[].c']);
  });
});

describe('an index serves', () => {
  test.each<[string, Filter, FieldSchema, boolean]>([
    ['lookups', field({ match: { value: 1 } }), { type: 'integer' }, true],
    ['no lookups without them', field({ match: { value: 1 } }), { type: 'integer', lookup: false }, false],
    ['ranges', field({ range: { gt: 1 } }), { type: 'integer', lookup: false }, true],
    ['no ranges without them', field({ range: { gt: 1 } }), { type: 'integer', range: false }, false],
    ['numbers of another type', field({ range: { gt: 1 } }), { type: 'keyword' }, false],
    ['no phrases', field({ match: { phrase: 'a b' } }), text(), false],
    ['phrases where it knows them', field({ match: { phrase: 'a b' } }), text({ phrase_matching: true }), true],
    ['no prefixes', field({ match: { prefix: 'a' } }), { type: 'keyword' }, false],
    ['prefixes where it knows them', field({ match: { prefix: 'a' } }), { type: 'keyword', prefix: true }, true],
  ])('%s', (_name, filter, schema, expected) => {
    expect([...indexesForFilter(filter)].map(({ serves }) => serves(schema))).toEqual([expected]);
  });
});

describe('a formula', () => {
  test.each<[Expression, [string, readonly string[]][]]>([
    [5, []],
    ['$score', []],
    ['price', [['price', ['float', 'integer']]]],
    [
      { sum: ['$score[0]', { mult: [2, 'a'] }, { neg: 'b' }] },
      [
        ['a', ['float', 'integer']],
        ['b', ['float', 'integer']],
      ],
    ],
    [{ geo_distance: { origin: { lon: 0, lat: 0 }, to: 'at' } }, [['at', ['geo']]]],
    [{ datetime: '2024-01-01' }, []],
    [{ exp_decay: { x: { datetime_key: 'when' }, target: { datetime: '2024-01-01' } } }, [['when', ['datetime']]]],
    [
      { gauss_decay: { x: 'a', target: 'b' } },
      [
        ['a', ['float', 'integer']],
        ['b', ['float', 'integer']],
      ],
    ],
    [
      { div: { left: 'a', right: { pow: { base: 'b', exponent: 2 } } } },
      [
        ['a', ['float', 'integer']],
        ['b', ['float', 'integer']],
      ],
    ],
    [{ key: 'tag', match: { value: 'x' } }, [['tag', ['keyword']]]],
    [{ must: [{ key: 'tag', match: { text: 'x' } }] }, [['tag', ['text']]]],
    [{ abs: { sqrt: { exp: { log10: { ln: { lin_decay: { x: 'a' } } } } } } }, [['a', ['float', 'integer']]]],
  ])('%j reads what it names', (expression, expected) => {
    expect([...indexesForExpression(expression)].map(({ key, anyOf }) => [key, anyOf])).toEqual(expected);
  });
});

test('groups are made of values that can be looked up', () => {
  expect(indexForGroups('k').serves({ type: 'keyword' })).toBe(true);
  expect(indexForGroups('k').serves({ type: 'integer', lookup: false })).toBe(false);
});
