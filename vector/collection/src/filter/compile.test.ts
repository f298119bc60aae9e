// SPDX-License-Identifier: Apache-2.0
import { type Filter, ServiceError } from '@sextant/contracts-vector';
import { parseJson } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { compileFilter } from './compile.ts';

const NO_INDEX = () => undefined;
// Filters arrive as JSON text; what the edge's schema would refuse is given here all the same.
const compile = (text: string) => compileFilter(parseJson(text) as Filter, NO_INDEX);
const inPolygon = (points: string, interiors = '[]') =>
  `{"must":{"key":"a","geo_polygon":{"exterior":{"points":${points}},"interiors":${interiors}}}}`;
const SQUARE = '[{"lon":0,"lat":0},{"lon":1,"lat":0},{"lon":1,"lat":1},{"lon":0,"lat":0}]';

describe('a filter that makes no sense is refused, saying where and what would be right', () => {
  test.each([
    ['{"musst":[]}', 'unknown member "musst"; expected must, should, must_not, min_should'],
    ['{"must":[{"musst":[]}]}', 'must[0]: unknown member "musst"'],
    ['{"must":[3]}', 'must[0]: expected a condition, got 3'],
    ['{"must":[null]}', 'must[0]: expected a condition, got null'],
    ['{"must":[{"key":"a"}]}', 'must[0]: has no test for "a"; expected one of match, range'],
    ['{"must":[{"key":"a","match":null}]}', 'must[0]: has no test for "a"'],
    ['{"must":{"key":"a","matsch":{}}}', 'must: unknown member "matsch"'],
    ['{"must":[{"key":"a..b","is_null":true}]}', 'must[0].key: expected a key at position 2 of path "a..b"'],
    ['{"must":[{"key":5,"is_null":true}]}', 'must[0].key: expected a JSON path, got 5'],
    ['{"must":[{"is_empty":{"key":"["}}]}', 'must[0].is_empty.key: expected a key at position 0'],
    ['{"must":[{"is_null":{}}]}', 'must[0].is_null.key: expected a JSON path, got undefined'],
    ['{"must":[{"is_null":{"key":"a"},"is_empty":{"key":"a"}}]}', 'must[0]: is_null and is_empty cannot be combined in one condition'],
    ['{"should":[{"must_not":{"key":"a","match":{}}}]}', 'should[0].must_not.match: expected exactly one of value, text'],
    ['{"must":{"key":"a","match":{"value":1,"text":"x"}}}', 'must.match: expected exactly one of'],
    [
      '{"must":{"key":"a","match":{"value":1.5}}}',
      'must.match.value: expected a string, an integer or a boolean, got 1.5; use range for fractions',
    ],
    ['{"must":{"key":"a","match":{"value":null}}}', 'must.match.value: expected a string, an integer or a boolean, got null'],
    ['{"must":{"key":"a","match":{"any":[1,"x"]}}}', 'must.match.any[1]: expected all strings or all integers'],
    ['{"must":{"key":"a","match":{"any":["x",1]}}}', 'must.match.any[1]: expected all strings or all integers'],
    ['{"must":{"key":"a","match":{"except":[true]}}}', 'must.match.except[0]: expected all strings or all integers'],
    ['{"must":{"key":"a","match":{"except":[1.5]}}}', 'must.match.except[0]: expected a string, an integer'],
    ['{"must":{"key":"a","match":{"any":"x"}}}', 'must.match.any: expected a list'],
    ['{"must":{"key":"a","match":{"text":5}}}', 'must.match.text: expected a string, got 5'],
    [
      `{"must":{"key":"a","match":{"text":"${Array.from({ length: 1001 }, (_, n) => `w${n}`).join(' ')}"}}}`,
      'must.match.text: expected at most 1000 words',
    ],
    ['{"must":[{"key":"a","range":{"gte":"2024-13-01"}}]}', "must[0].range.gte: '2024-13-01' is not an RFC 3339 date"],
    ['{"must":[{"key":"a","range":{"gte":1,"lt":"2024-01-01"}}]}', 'must[0].range: bounds must be all numbers or all RFC 3339 dates'],
    ['{"must":[{"key":"a","range":{"from":1}}]}', 'must[0].range: unknown member "from"'],
    ['{"must":[{"key":"a","range":{"gte":true}}]}', 'must[0].range.gte: expected a number, got true'],
    ['{"must":[{"key":"a","range":{"gte":1e999}}]}', 'must[0].range.gte: expected a number, got Infinity'],
    ['{"must":[{"key":"a","values_count":{"gte":-1}}]}', 'must[0].values_count.gte: expected an integer of at least 0, got -1'],
    ['{"must":[{"key":"a","values_count":{"gte":0.5}}]}', 'must[0].values_count.gte: expected an integer'],
    ['{"must":[{"key":"a","values_count":{"min":1}}]}', 'must[0].values_count: unknown member "min"'],
    ['{"must":[{"key":"a","is_empty":1}]}', 'must[0].is_empty: expected true or false, got 1'],
    ['{"must":[{"key":"a","is_null":"no"}]}', 'must[0].is_null: expected true or false, got no'],
    ['{"min_should":{"conditions":[],"min_count":0}}', 'min_should.min_count: expected an integer of at least 1, got 0'],
    ['{"min_should":{"conditions":[{"key":"a"}],"min_count":1}}', 'min_should.conditions[0]: has no test'],
    ['{"must":[{"has_id":[1,-1]}]}', 'must[0].has_id[1]: -1 is not an unsigned 64-bit integer'],
    ['{"must":[{"has_id":[18446744073709551616]}]}', 'must[0].has_id[0]: 18446744073709551616 is not an unsigned 64-bit integer'],
    ['{"must":[{"has_id":["abc"]}]}', 'must[0].has_id[0]: "abc" is not a UUID'],
    ['{"must":[{"has_id":5}]}', 'must[0].has_id: expected a list of point ids'],
    ['{"must":[{"has_vector":5}]}', 'must[0].has_vector: expected the name of a vector'],
    ['{"must":[{"slice":{"total":0,"index":0}}]}', 'must[0].slice.total: expected an integer from 1'],
    ['{"must":[{"slice":{"total":4,"index":4}}]}', 'must[0].slice.index: expected an integer from 0 to 3, got 4'],
    [
      '{"must":{"nested":{"key":"a","filter":{"must":{"has_id":[1]}}}}}',
      'must.nested.filter.must.has_id: has_id applies to a point and cannot be used inside nested',
    ],
    [
      '{"must":{"nested":{"key":"a","filter":{"must":{"has_vector":""}}}}}',
      'must.nested.filter.must.has_vector: has_vector applies to a point',
    ],
    [
      '{"must":{"nested":{"key":"a","filter":{"should":{"slice":{"total":2,"index":0}}}}}}',
      'must.nested.filter.should.slice: slice applies to a point',
    ],
    ['{"must":{"nested":{"key":"a.","filter":{}}}}', 'must.nested.key: expected a key at position 2'],
    [
      '{"must":{"key":"a","geo_radius":{"center":{"lon":181,"lat":0},"radius":1}}}',
      'must.geo_radius.center.lon: expected degrees from -180 to 180, got 181',
    ],
    [
      '{"must":{"key":"a","geo_radius":{"center":{"lon":0,"lat":-90.5},"radius":1}}}',
      'must.geo_radius.center.lat: expected degrees from -90 to 90',
    ],
    [
      '{"must":{"key":"a","geo_radius":{"center":{"lon":0,"lat":0},"radius":-1}}}',
      'must.geo_radius.radius: expected metres of at least 0, got -1',
    ],
    [inPolygon('[{"lon":0,"lat":0},{"lon":1,"lat":1},{"lon":0,"lat":0}]'), 'must.geo_polygon.exterior.points: expected at least 4 points'],
    [
      inPolygon('[{"lon":0,"lat":0},{"lon":1,"lat":0},{"lon":1,"lat":1},{"lon":0,"lat":1}]'),
      'must.geo_polygon.exterior.points: the ring is not closed',
    ],
    [
      inPolygon('[{"lon":0,"lat":0},{"lon":1,"lat":0},{"lon":1,"lat":99},{"lon":0,"lat":0}]'),
      'must.geo_polygon.exterior.points[2].lat: expected degrees',
    ],
    [inPolygon(SQUARE, '[{"points":[]}]'), 'must.geo_polygon.interiors[0].points: expected at least 4 points'],
  ])('%s', (text, message) => {
    expect(() => compile(text)).toThrow(ServiceError);
    expect(() => compile(text)).toThrow(`Invalid filter: ${message}`);
  });
});

describe('a filter has bounds', () => {
  const nest = (depth: number) => `${'{"must":'.repeat(depth)}{"key":"a","is_null":true}${'}'.repeat(depth)}`;

  test('64 filters in each other, and no more', () => {
    expect(() => compile(nest(65))).not.toThrow();
    expect(() => compile(nest(66))).toThrow('filters nest at most 64 deep');
  });

  test('nested conditions count as depth', () => {
    const text = `${'{"must":{"nested":{"key":"a","filter":'.repeat(65)}{}${'}}}'.repeat(65)}`;
    expect(() => compile(text)).toThrow('filters nest at most 64 deep');
  });

  test('10000 conditions', () => {
    const conditions = (count: number) => ({ should: Array.from({ length: count }, () => ({ key: 'a', is_null: true })) });
    expect(() => compileFilter(conditions(10_000), NO_INDEX)).not.toThrow();
    expect(() => compileFilter(conditions(10_001), NO_INDEX)).toThrow('should[10000]: the filter holds more than 10000 conditions');
  });

  test('200000 values in all its lists together', () => {
    const half = Array.from({ length: 100_001 }, (_, id) => id);
    expect(() => compileFilter({ must: [{ has_id: half }] }, NO_INDEX)).not.toThrow();
    expect(() => compileFilter({ must: [{ has_id: half }, { key: 'a', match: { any: half } }] }, NO_INDEX)).toThrow(
      'must[1].match.any: the filter holds more than 200000 values',
    );
  });
});
