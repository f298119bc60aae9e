// SPDX-License-Identifier: Apache-2.0
import { endpoints, validate } from '@sextant/contracts-vector/schemas';
import { expect, test } from 'vitest';
import type { Condition, Filter } from '../contract/vector-types.ts';
import { filter } from './filter.ts';

const { field, all, any, not } = filter;
const BERLIN = { lon: 13.4, lat: 52.5 };

test.each<[string, Condition, Condition]>([
  ['a value', field('city').is('Kyiv'), { key: 'city', match: { value: 'Kyiv' } }],
  ['a large value', field('n').is(2n ** 60n), { key: 'n', match: { value: 2n ** 60n } }],
  ['one of several', field('n').isOneOf([1, 2]), { key: 'n', match: { any: [1, 2] } }],
  ['none of several', field('n').isNoneOf(['a']), { key: 'n', match: { except: ['a'] } }],
  ['words', field('t').hasWords('red car'), { key: 't', match: { text: 'red car' } }],
  ['any word', field('t').hasAnyWord('red car'), { key: 't', match: { text_any: 'red car' } }],
  ['a phrase', field('t').hasPhrase('red car'), { key: 't', match: { phrase: 'red car' } }],
  ['a beginning', field('t').startsWith('re'), { key: 't', match: { prefix: 're' } }],
  ['less', field('n').lessThan(3), { key: 'n', range: { lt: 3 } }],
  ['at most', field('n').atMost(3), { key: 'n', range: { lte: 3 } }],
  ['more', field('n').greaterThan(3), { key: 'n', range: { gt: 3 } }],
  ['at least', field('n').atLeast(3), { key: 'n', range: { gte: 3 } }],
  ['between', field('n').between(1, 2), { key: 'n', range: { gte: 1, lte: 2 } }],
  ['a date', field('d').lessThan(new Date(0)), { key: 'd', range: { lt: '1970-01-01T00:00:00.000Z' } }],
  ['near', field('p').within(10, BERLIN), { key: 'p', geo_radius: { center: BERLIN, radius: 10 } }],
  [
    'in a box',
    field('p').inBox({ top_left: BERLIN, bottom_right: BERLIN }),
    { key: 'p', geo_bounding_box: { top_left: BERLIN, bottom_right: BERLIN } },
  ],
  ['how many', field('a').count({ gte: 2 }), { key: 'a', values_count: { gte: 2 } }],
  ['empty', field('a').isEmpty(), { is_empty: { key: 'a' } }],
  ['null', field('a').isNull(), { is_null: { key: 'a' } }],
  [
    'an element',
    field('a[]').hasElement(field('b').is(1)),
    { nested: { key: 'a[]', filter: { must: [{ key: 'b', match: { value: 1 } }] } } },
  ],
  ['ids', filter.hasId(1, 2n ** 64n - 1n), { has_id: [1, 2n ** 64n - 1n] }],
  ['a vector', filter.hasVector('image'), { has_vector: 'image' }],
  ['some of several', filter.atLeast(1, field('a').isNull()), { min_should: { conditions: [{ is_null: { key: 'a' } }], min_count: 1 } }],
])('%s is what the wire has for it, and the service takes it', (_name, condition, expected) => {
  expect(condition).toEqual(expected);
  validate(endpoints.count_points.body, { filter: all(condition) }, 'body');
});

test('filters nest, beside plain objects', () => {
  const wanted: Filter = all(any(field('a').is(1), { key: 'b', match: { value: 2 } }), not(all(field('c').isEmpty())));
  expect(wanted).toEqual({
    must: [
      {
        should: [
          { key: 'a', match: { value: 1 } },
          { key: 'b', match: { value: 2 } },
        ],
      },
      { must_not: [{ must: [{ is_empty: { key: 'c' } }] }] },
    ],
  });
  validate(endpoints.count_points.body, { filter: wanted }, 'body');
});
