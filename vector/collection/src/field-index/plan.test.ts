// SPDX-License-Identifier: Apache-2.0
import type { FieldSchema, Filter, Payload } from '@sextant/contracts-vector';
import { stringifyJson } from '@sextant/foundation-std';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { createCollectionStorage, type StorageWriter } from '@sextant/vector-storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileFilter } from '../filter/compile.ts';
import { postingKeysOf } from './entries.ts';
import { planFilter } from './plan.ts';
import { type FieldIndex, normaliseFieldSchema } from './schema.ts';

const SCHEMAS: readonly (readonly [field: string, schema: FieldSchema])[] = [
  ['kind', { type: 'keyword' }],
  ['rank', { type: 'integer' }],
  ['title', { type: 'text' }],
  ['start', { type: 'text', tokenizer: 'prefix' }],
  ['place', { type: 'geo' }],
  ['parts[].size', { type: 'integer' }],
  ['far', { type: 'integer' }],
  ['odd', { type: 'keyword' }],
];
const INDEXES = new Map(
  SCHEMAS.map(([field, schema], ordinal): [string, FieldIndex] => [field, { field, ordinal, schema: normaliseFieldSchema(schema) }]),
);

const POINTS: readonly Payload[] = [
  { kind: 'book', rank: 1, title: 'red car', start: 'vectors', place: { lon: 13.4, lat: 52.5 }, parts: [{ size: 1 }, { size: 2 }] },
  {
    kind: 'film',
    rank: 2,
    title: 'blue car',
    start: 'vexing',
    place: { lon: 2.3, lat: 48.9 },
    parts: [{ size: 2 }],
    far: 10n ** 40n + 1n,
    odd: '\ud83d',
  },
  { kind: ['book', 'film'], rank: [1, 2], title: ['red', 'car'], place: { lon: -179.9, lat: 0 }, parts: [{ size: 3 }, {}] },
  { kind: null, rank: 1.5, title: null, parts: [] },
  {},
];

let directory: TemporaryDirectory;
let storage: StorageWriter;
beforeAll(async () => {
  directory = await temporaryDirectory();
  storage = createCollectionStorage({ directory: directory.path });
  storage.write((transaction) => {
    for (const [row, payload] of POINTS.entries()) {
      transaction.putPoint(row, { id: row + 100, version: 1, vectorVersion: 1, payload: stringifyJson(payload) });
      for (const key of postingKeysOf(INDEXES, payload)) transaction.addPosting(key, row);
    }
  });
});
afterAll(async () => {
  storage.close();
  await directory[Symbol.asyncDispose]();
});

function planOf(filter: Filter) {
  const compiled = compileFilter(filter, (field) => INDEXES.get(field)?.schema);
  const plan = planFilter(compiled, INDEXES, storage);
  return plan && { rows: [...plan.rows], exact: plan.exact };
}

const kind = (value: string) => ({ key: 'kind', match: { value } });
const unknown = { key: 'colour', match: { value: 'red' } };
const sure = (...rows: number[]) => ({ rows, exact: true });
const maybe = (...rows: number[]) => ({ rows, exact: false });
type Plan = ReturnType<typeof planOf>;

describe('the plan of', () => {
  test.each<[string, Filter, Plan]>([
    ['an empty filter', {}, sure(0, 1, 2, 3, 4)],
    ['a field without an index', { must: unknown }, undefined],
    ['a keyword', { must: kind('book') }, sure(0, 2)],
    ['a keyword and an unindexed field', { must: [kind('book'), unknown] }, maybe(0, 2)],
    ['a keyword or an unindexed field', { should: [kind('book'), unknown] }, undefined],
    ['an excluded keyword', { must_not: kind('book') }, sure(1, 3, 4)],
    ['an excluded unindexed field', { must: kind('film'), must_not: unknown }, maybe(1, 2)],
    [
      'an excluded superset, which may hold matching points',
      { must: kind('film'), must_not: { key: 'title', match: { phrase: 'red car' } } },
      maybe(1, 2),
    ],
    [
      'two of three with one unindexed',
      { min_should: { min_count: 2, conditions: [kind('book'), kind('film'), unknown] } },
      maybe(0, 1, 2),
    ],
    [
      'two of three',
      { min_should: { min_count: 2, conditions: [kind('book'), kind('film'), { key: 'rank', match: { value: 1 } }] } },
      sure(0, 2),
    ],
    ['more than there are', { min_should: { min_count: 3, conditions: [kind('book'), unknown] } }, sure()],
    ['ids', { must: { has_id: [101, 104, 999] } }, sure(1, 4)],
    ['all but ids', { must_not: { has_id: [101, 104] } }, sure(0, 2, 3)],
    ['a vector', { must: { has_vector: '' } }, undefined],
    ['a slice', { must: { slice: { total: 2, index: 0 } } }, undefined],
    ['a range', { must: { key: 'rank', range: { gt: 1, lt: 2 } } }, sure(3)],
    ['an empty range', { must: { key: 'rank', range: { gt: 2, lt: 1 } } }, sure()],
    ['a range beyond what keys tell apart', { must: { key: 'rank', range: { gt: 2n ** 200n + 2n ** 140n } } }, maybe()],
    ['integers beyond what keys tell apart', { must: { key: 'far', range: { gt: 10n ** 40n } } }, maybe(1)],
    ['a prefix that half a surrogate pair is written as', { must: { key: 'odd', match: { prefix: '\ufffd' } } }, maybe(1)],
    ['all but a number, where elements may hold another', { must: { key: 'parts[].size', match: { except: [1] } } }, undefined],
    ['dates over an integer index', { must: { key: 'rank', range: { gt: '2024-01-01' } } }, undefined],
    ['a string over an integer index', { must: { key: 'rank', match: { value: '1' } } }, undefined],
    ['all but a keyword, where arrays may hold another', { must: { key: 'kind', match: { except: ['book'] } } }, maybe(1, 2)],
    ['a prefix', { must: { key: 'kind', match: { prefix: 'bo' } } }, sure(0, 2)],
    ['a word', { must: { key: 'title', match: { text: 'red' } } }, sure(0, 2)],
    ['two words, which may stand in two texts', { must: { key: 'title', match: { text: 'red car' } } }, maybe(0, 2)],
    ['two words in texts of their own', { must: { key: 'title', match: { text: 'blue car' } } }, sure(1)],
    ['one of two words', { must: { key: 'title', match: { text_any: 'blue red' } } }, sure(0, 1, 2)],
    ['no word', { must: { key: 'title', match: { text: '.' } } }, sure()],
    ['the start of a word', { must: { key: 'start', match: { text: 've' } } }, sure(0, 1)],
    ['a place', { must: { key: 'place', geo_radius: { center: { lon: 13.4, lat: 52.5 }, radius: 1000 } } }, maybe(0)],
    [
      'a place beyond the antimeridian',
      { must: { key: 'place', geo_bounding_box: { top_left: { lon: 179, lat: 1 }, bottom_right: { lon: -179, lat: -1 } } } },
      maybe(2),
    ],
    [
      'a box whose top is below its bottom',
      { must: { key: 'place', geo_bounding_box: { top_left: { lon: -180, lat: -90 }, bottom_right: { lon: 180, lat: 90 } } } },
      maybe(),
    ],
    ['an empty field', { must: { is_empty: { key: 'kind' } } }, sure(3, 4)],
    ['a null field', { must: { is_null: { key: 'kind' } } }, sure(3)],
    ['a count', { must: { key: 'kind', values_count: { lte: 1 } } }, sure(0, 1, 3, 4)],
    ['nested', { must: { nested: { key: 'parts', filter: { must: { key: 'size', match: { value: 2 } } } } } }, maybe(0, 1)],
    [
      'nested exclusion, which another element may pass',
      {
        must: {
          nested: { key: 'parts', filter: { must: { key: 'size', range: { gt: 0 } }, must_not: { key: 'size', match: { value: 2 } } } },
        },
      },
      maybe(0, 1, 2),
    ],
    [
      'nested emptiness, which the index does not know by element',
      { must: { nested: { key: 'parts', filter: { must: { is_empty: { key: 'size' } } } } } },
      undefined,
    ],
  ])('%s', (_title, filter, plan) => {
    expect(planOf(filter)).toEqual(plan);
  });
});

describe('a plan has bounds', () => {
  test('a list longer than it pays to look up is left to evaluation', () => {
    const any = (count: number) => planOf({ must: { key: 'rank', match: { any: Array.from({ length: count }, (_, value) => value) } } });
    expect(any(16_384)).toEqual(sure(0, 1, 2));
    expect(any(16_385)).toBeUndefined();
  });

  test('after many ranges the rest are left to evaluation', () => {
    const ranges = (count: number) => planOf({ must: Array.from({ length: count }, () => ({ key: 'kind', match: { prefix: 'b' } })) });
    expect(ranges(256)).toEqual(sure(0, 2));
    expect(ranges(257)).toEqual(maybe(0, 2));
  });
});
