// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { VectorField } from '../../data/collections/queries.ts';
import { EMPTY_FORM, exampleFilter, FieldProblem, requestOf, summaryOf } from './search-form.ts';

const dense: VectorField = { name: '', size: 2, distance: 'Cosine', kind: 'dense' };
const words: VectorField = { name: 'words', size: 0, distance: 'Dot', kind: 'sparse' };

test('a form becomes the request that it says', () => {
  const form = { ...EMPTY_FORM, id: '7', filter: '{"must": []}', ef: 64, threshold: 0.5, limit: 3 };
  expect(requestOf(form, dense, undefined)).toEqual({
    query: 7,
    filter: { must: [] },
    params: { hnsw_ef: 64 },
    score_threshold: 0.5,
    limit: 3,
    with_payload: true,
  });
  expect(requestOf({ ...form, isExact: true }, dense, undefined).params).toEqual({ exact: true });
});

test.each([
  ['[0.5, -1]', dense, [0.5, -1]],
  ['0.5 -1', dense, [0.5, -1]],
  ['{"indices": [3], "values": [1]}', words, { indices: [3], values: [1] }],
])('the vector %s', (numbers, field, query) => {
  expect(requestOf({ ...EMPTY_FORM, by: 'vector', numbers }, field, undefined).query).toEqual(query);
});

test.each([
  ['1, 2, 3', dense, 'Enter 2 numbers instead of 3.'],
  ['one two', dense, 'Enter numbers separated by commas or spaces.'],
  ['', dense, 'Enter numbers separated by commas or spaces.'],
  ['7', words, 'Expected {"indices": [1, 7], "values": [0.5, 0.2]}'],
])('the vector “%s” is refused at its field', (numbers, field, message) => {
  const ask = () => requestOf({ ...EMPTY_FORM, by: 'vector', numbers }, field, undefined);
  expect(ask).toThrow(new FieldProblem('numbers', message));
});

test('a text goes with its model', () => {
  const form = { ...EMPTY_FORM, by: 'text', text: 'lost luggage', model: ' Qdrant/bm25 ' } as const;
  expect(requestOf(form, words, undefined)).toMatchObject({ query: { text: 'lost luggage', model: 'Qdrant/bm25' }, using: 'words' });
  expect(() => requestOf({ ...form, text: ' ' }, words, undefined)).toThrow(new FieldProblem('text', 'Which text?'));
  expect(() => requestOf({ ...form, model: '' }, words, undefined)).toThrow(/Enter the model/);
  expect(summaryOf(form)).toBe('“lost luggage”');
});

test('an example payload stands for the points with the same values', () => {
  expect(exampleFilter('{"city": "Rome", "tags": ["a", "b"], "size": {"width": 3}, "score": 0.5}', 'like')).toEqual({
    must: [
      { key: 'city', match: { value: 'Rome' } },
      { key: 'tags', match: { any: ['a', 'b'] } },
      { key: 'size.width', match: { value: 3 } },
      { key: 'score', range: { gte: 0.5, lte: 0.5 } },
    ],
  });
});

test.each(['{}', '[]', '7', 'city', '{"city": null}', '{"tags": [1, {}]}'])('the example %s is refused', (text) => {
  expect(() => exampleFilter(text, 'unlike')).toThrow(FieldProblem);
});

test('examples are positive and negative ones', () => {
  const request = requestOf({ ...EMPTY_FORM, by: 'examples' }, words, { positive: [1, 2], negative: [9] });
  expect(request).toMatchObject({ query: { recommend: { positive: [1, 2], negative: [9] } }, using: 'words' });
});

test('a summary is one line', () => {
  expect(summaryOf({ ...EMPTY_FORM, using: 'text', id: '7', filter: '{\n  "must": []\n}' })).toBe('text: point 7 where { "must": [] }');
});
