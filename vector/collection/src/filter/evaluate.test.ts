// SPDX-License-Identifier: Apache-2.0
import type { Filter, PointId } from '@sextant/contracts-vector';
import { type JsonValue, parseJson } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { compileFilter } from './compile.ts';
import { sliceOf } from './slice.ts';

const matches = (filter: Filter, payload: string, id: PointId = 1) =>
  compileFilter(filter, () => undefined).matches({
    id,
    payload: parseJson(payload) as JsonValue, // JSON text parses to JSON values
    hasVector: (name) => name === 'image',
  });

/** A condition on the field `a`, and the values of `a` (`undefined` is no such field) with the answer for each. */
type Row = readonly [title: string, test: string, holds: readonly string[], fails: readonly string[]];

const SCALARS: readonly Row[] = [
  [
    'match.value string',
    '{"match":{"value":"x"}}',
    ['"x"', '["y","x"]'],
    ['"X"', '"xx"', '1', 'null', '[["x"]]', '{"x":1}', '[]', 'undefined'],
  ],
  ['match.value integer', '{"match":{"value":1}}', ['1', '1.0', '[2,1]'], ['"1"', 'true', '1.5', '[[1]]', 'null', 'undefined']],
  ['match.value zero', '{"match":{"value":0}}', ['0', '-0.0'], ['false', '""', 'null']],
  [
    'match.value beyond 2^53',
    '{"match":{"value":9007199254740993}}',
    ['9007199254740993'],
    ['9007199254740992', '9007199254740994', '9007199254740993.0'],
  ],
  ['match.value boolean', '{"match":{"value":true}}', ['true', '[false,true]'], ['1', '"true"', 'false', 'undefined']],
  ['match.any', '{"match":{"any":["x","y"]}}', ['"x"', '["z","y"]'], ['"z"', '1', 'null', 'undefined', '[]']],
  ['match.any of nothing', '{"match":{"any":[]}}', [], ['"x"', '1', 'null', 'undefined']],
  [
    'match.except',
    '{"match":{"except":["x","y"]}}',
    ['"z"', '["x","z"]', '1', 'true', '{"x":1}', '[["x"]]', '[null,"z"]'],
    ['"x"', '["x","y"]', 'null', '[null]', '[]', 'undefined'],
  ],
  ['match.except integers', '{"match":{"except":[1]}}', ['2', '"1"', '1.5', '[1,2]'], ['1', '1.0', 'null', 'undefined']],
  ['match.except of nothing', '{"match":{"except":[]}}', ['"x"', '0', 'false', '{}'], ['null', '[]', 'undefined']],
  ['match.prefix', '{"match":{"prefix":"re"}}', ['"re"', '"red"', '["blue","red"]'], ['"Red"', '"r"', '1', 'null', 'undefined']],
  [
    'match.text',
    '{"match":{"text":"Red car"}}',
    ['"a car, RED."', '["x","car red"]'],
    ['"red"', '["red","car"]', '"redcar"', '"scarred"', '5', 'undefined'],
  ],
  ['match.text of no word', '{"match":{"text":" .,"}}', [], ['""', '" .,"', '"red"', 'undefined']],
  ['match.text_any', '{"match":{"text_any":"red car"}}', ['"RED"', '"my car"', '["x","car"]'], ['"redcar"', '""', '1', 'undefined']],
  [
    'match.phrase',
    '{"match":{"phrase":"red car"}}',
    ['"the red, car!"', '"red red car"'],
    ['"car red"', '"red blue car"', '["red","car"]', '"red"', 'undefined'],
  ],
  ['range', '{"range":{"gt":1,"lte":3}}', ['1.5', '3', '[0,2]'], ['1', '3.5', '"2"', 'null', 'true', '[0,4]', '[[2]]', 'undefined']],
  [
    'range beyond 2^53',
    '{"range":{"gt":9007199254740992}}',
    ['9007199254740993', '1e300', '18446744073709551615'],
    ['9007199254740992', '0'],
  ],
  ['range without bounds', '{"range":{"lt":null}}', ['0', '-1.5'], ['"0"', 'null', 'undefined']],
  [
    'range of dates',
    '{"range":{"gte":"2024-01-01","lt":"2024-01-02"}}',
    ['"2024-01-01"', '"2024-01-01T23:59:59.999999Z"', '"2024-01-02T01:00:00+02:00"', '["x","2024-01-01 12:00"]'],
    ['"2024-01-02"', '"2023-12-31T23:59:59.999999Z"', '1704067200', '"soon"', 'undefined'],
  ],
  [
    'geo_bounding_box',
    '{"geo_bounding_box":{"top_left":{"lon":-1,"lat":1},"bottom_right":{"lon":1,"lat":-1}}}',
    ['{"lon":0,"lat":0}', '{"lon":0.999,"lat":0.999,"name":"x"}', '[5,{"lon":0,"lat":0}]'],
    [
      '{"lon":1,"lat":0}',
      '{"lon":-1,"lat":0}',
      '{"lon":0,"lat":1}',
      '{"lon":0,"lat":-1}',
      '{"lon":2,"lat":0}',
      '{"lon":0,"lat":2}',
      '{"lon":"0","lat":0}',
      '{"lon":0}',
      '[0,0]',
      'null',
      'undefined',
    ],
  ],
  [
    'geo_bounding_box over the antimeridian',
    '{"geo_bounding_box":{"top_left":{"lon":170,"lat":1},"bottom_right":{"lon":-170,"lat":-1}}}',
    ['{"lon":175,"lat":0}', '{"lon":-175,"lat":0}', '{"lon":180,"lat":0}'],
    ['{"lon":0,"lat":0}', '{"lon":169,"lat":0}', '{"lon":-169,"lat":0}', '{"lon":170,"lat":0}', '{"lon":-170,"lat":0}'],
  ],
  [
    'geo_bounding_box whose top is below its bottom',
    '{"geo_bounding_box":{"top_left":{"lon":-1,"lat":-1},"bottom_right":{"lon":1,"lat":1}}}',
    [],
    ['{"lon":0,"lat":0}', '{"lon":0,"lat":1}', '{"lon":0,"lat":9}', 'null', 'undefined'],
  ],
  ['geo_radius of zero', '{"geo_radius":{"center":{"lon":1,"lat":2},"radius":0}}', [], ['{"lon":1,"lat":2}']],
  // One degree of longitude on the equator is 111.195 km on a sphere of 6371.0088 km.
  [
    'geo_radius',
    '{"geo_radius":{"center":{"lon":0,"lat":0},"radius":111200}}',
    ['{"lon":1,"lat":0}', '{"lon":0,"lat":-1}'],
    ['{"lon":1.001,"lat":0}', '{"lon":1,"lat":1}', '{"lon":999,"lat":0}', 'undefined'],
  ],
  [
    'geo_radius over the antimeridian',
    '{"geo_radius":{"center":{"lon":179.9,"lat":0},"radius":30000}}',
    ['{"lon":-179.9,"lat":0}'],
    ['{"lon":-179.5,"lat":0}'],
  ],
  [
    'geo_radius at a pole',
    '{"geo_radius":{"center":{"lon":0,"lat":89.9},"radius":30000}}',
    ['{"lon":180,"lat":89.9}', '{"lon":55,"lat":90}'],
    ['{"lon":0,"lat":89}'],
  ],
  [
    'geo_polygon',
    '{"geo_polygon":{"exterior":{"points":[{"lon":0,"lat":0},{"lon":4,"lat":0},{"lon":0,"lat":4},{"lon":0,"lat":0}]},"interiors":[{"points":[{"lon":0.5,"lat":0.5},{"lon":1.5,"lat":0.5},{"lon":0.5,"lat":1.5},{"lon":0.5,"lat":0.5}]}]}}',
    ['{"lon":0.2,"lat":0.2}', '{"lon":1.9,"lat":1.9}', '{"lon":1,"lat":0.4}', '{"lon":1.2,"lat":1.2}'],
    [
      '{"lon":2,"lat":2}',
      '{"lon":0,"lat":0}',
      '{"lon":2,"lat":0}',
      '{"lon":1,"lat":0.5}',
      '{"lon":3,"lat":3}',
      '{"lon":0.7,"lat":0.7}',
      '{"lon":-1,"lat":0}',
      '{"lon":5,"lat":0}',
      'undefined',
    ],
  ],
  ['values_count', '{"values_count":{"gte":1,"lt":3}}', ['"x"', '[1]', '[1,2]', '{}', '[null]'], ['null', '[]', '[1,2,3]', 'undefined']],
  ['values_count of none', '{"values_count":{"lte":0}}', ['null', '[]', 'undefined'], ['0', '[null]']],
  ['is_empty: true', '{"is_empty":true}', ['null', '[]', 'undefined'], ['0', '""', '{}', '[null]', '[[]]']],
  ['is_empty: false', '{"is_empty":false}', ['0', '""', '{}', '[null]'], ['null', '[]', 'undefined']],
  ['is_null: true', '{"is_null":true}', ['null', '[1,null]'], ['0', '[]', '[[null]]', 'undefined']],
  ['is_null: false', '{"is_null":false}', ['0', '[]', 'undefined'], ['null', '[1,null]']],
  ['several tests', '{"match":{"except":[1]},"range":{"gt":0}}', ['2', '[1,"x"]'], ['1', '"x"', '-1']],
];

describe.each(SCALARS)('%s', (_title, tests, holds, fails) => {
  const filter = { must: { key: 'a', ...(parseJson(tests) as object) } };
  const payloadOf = (value: string) => (value === 'undefined' ? '{"b":1}' : `{"a":${value}}`);

  test.each([...holds.map((value) => [value, true] as const), ...fails.map((value) => [value, false] as const)])(
    '%s: %s',
    (value, expected) => {
      expect(matches(filter, payloadOf(value))).toBe(expected);
    },
  );
});

describe('conditions of their own', () => {
  const a = (value: number) => ({ key: 'a', match: { value } });
  test.each<[string, Filter, string, boolean]>([
    ['an empty filter', {}, '{}', true],
    ['null members', { must: null, should: null, must_not: null, min_should: null }, '{}', true],
    ['empty lists', { must: [], should: [], must_not: [] }, '{}', true],
    ['an empty min_should', { min_should: { conditions: [], min_count: 3 } }, '{}', true],
    ['must of one', { must: a(1) }, '{"a":1}', true],
    ['must of all', { must: [a(1), a(2)] }, '{"a":1}', false],
    ['must of all, in a list', { must: [a(1), a(2)] }, '{"a":[1,2]}', true],
    ['should of any', { should: [a(1), a(2)] }, '{"a":2}', true],
    ['should of none', { should: [a(1), a(2)] }, '{"a":3}', false],
    ['must_not', { must_not: [a(1), a(2)] }, '{"a":2}', false],
    ['must_not of nothing there', { must_not: a(1) }, '{}', true],
    ['must and should', { must: a(1), should: a(2) }, '{"a":1}', false],
    ['min_should reached', { min_should: { conditions: [a(1), a(2), a(3)], min_count: 2 } }, '{"a":[1,3]}', true],
    ['min_should missed', { min_should: { conditions: [a(1), a(2), a(3)], min_count: 2 } }, '{"a":[1,4]}', false],
    ['min_should out of reach', { min_should: { conditions: [a(1)], min_count: 2 } }, '{"a":1}', false],
    ['a filter in a filter', { must: { must_not: { should: [a(1), a(2)] } } }, '{"a":3}', true],
    ['is_empty of missing', { must: { is_empty: { key: 'a' } } }, '{}', true],
    ['is_empty of null', { must: { is_empty: { key: 'a' } } }, '{"a":null}', true],
    ['is_empty of []', { must: { is_empty: { key: 'a' } } }, '{"a":[]}', true],
    ['is_empty of [null]', { must: { is_empty: { key: 'a' } } }, '{"a":[null]}', false],
    ['is_empty when only some are', { must: { is_empty: { key: 'a[].b' } } }, '{"a":[{"b":[]},{"b":1}]}', false],
    ['is_null of null', { must: { is_null: { key: 'a' } } }, '{"a":null}', true],
    ['is_null of missing', { must: { is_null: { key: 'a' } } }, '{}', false],
    ['is_null of [null]', { must: { is_null: { key: 'a' } } }, '{"a":[null]}', true],
    ['is_null of a null among others', { must: { is_null: { key: 'a' } } }, '{"a":[null,"x"]}', true],
    ['is_null of [[null]]', { must: { is_null: { key: 'a' } } }, '{"a":[[null]]}', false],
    ['has_vector', { must: { has_vector: 'image' } }, '{}', true],
    ['has_vector of none', { must: { has_vector: '' } }, '{}', false],
    [
      'nested in one element',
      {
        must: {
          nested: {
            key: 'a',
            filter: {
              must: [
                { key: 'x', match: { value: 1 } },
                { key: 'y', match: { value: 2 } },
              ],
            },
          },
        },
      },
      '{"a":[{"x":1,"y":2}]}',
      true,
    ],
    [
      'nested across elements',
      {
        must: {
          nested: {
            key: 'a',
            filter: {
              must: [
                { key: 'x', match: { value: 1 } },
                { key: 'y', match: { value: 2 } },
              ],
            },
          },
        },
      },
      '{"a":[{"x":1},{"y":2}]}',
      false,
    ],
    [
      'nested with [] in its key',
      { must: { nested: { key: 'a[]', filter: { must: { key: 'x', match: { value: 1 } } } } } },
      '{"a":[3,{"x":1}]}',
      true,
    ],
    ['nested of an object', { must: { nested: { key: 'a', filter: {} } } }, '{"a":{"x":1}}', false],
    ['nested of scalars', { must: { nested: { key: 'a', filter: {} } } }, '{"a":[1,2]}', false],
    [
      'nested in nested',
      { must: { nested: { key: 'a', filter: { must: { nested: { key: 'b', filter: { must: { key: 'c', match: { value: 1 } } } } } } } } },
      '{"a":[{"b":[{"c":1}]}]}',
      true,
    ],
  ])('%s', (_title, filter, payload, expected) => {
    expect(matches(filter, payload)).toBe(expected);
  });

  test.each<[PointId[], PointId, boolean]>([
    [[1, 2], 2, true],
    [[1n], 1, true],
    [[18446744073709551615n], 18446744073709551615n, true],
    [[9007199254740992n], 9007199254740993n, false],
    [['6F1F3F2E-1C1A-4A57-9D3B-0A6B1C2D3E4F'], '6f1f3f2e-1c1a-4a57-9d3b-0a6b1c2d3e4f', true],
    [[], 1, false],
  ])('has_id %s of point %s: %s', (ids, id, expected) => {
    expect(matches({ must: { has_id: ids } }, '{}', id)).toBe(expected);
  });

  test('slices cut points into parts of about equal size, each point in exactly one', () => {
    const sizes = [0, 0, 0, 0];
    for (let id = 0; id < 4000; id++) {
      const parts = [0, 1, 2, 3].filter((index) => matches({ must: { slice: { total: 4, index } } }, '{}', id));
      expect(parts).toEqual([sliceOf(id, 4)]);
      sizes[sliceOf(id, 4)] = (sizes[sliceOf(id, 4)] ?? 0) + 1;
    }
    for (const size of sizes) expect(Math.abs(size - 1000)).toBeLessThan(120);
  });

  test('a slice is the same in every release', () => {
    expect([0, 1, 18446744073709551615n, '6f1f3f2e-1c1a-4a57-9d3b-0a6b1c2d3e4f'].map((id) => sliceOf(id, 1000))).toMatchInlineSnapshot(`
      [
        945,
        71,
        966,
        847,
      ]
    `);
  });
});
