// SPDX-License-Identifier: Apache-2.0
import { endpoints, validate } from '@sextant/contracts-vector/schemas';
import { expect, test } from 'vitest';
import type { QueryPoints, UpdateOperation } from '../contract/vector-types.ts';
import { filter } from './filter.ts';
import { withFilters } from './single-conditions.ts';

const german = filter.field('country').is('DE');
const wrapped = { must: [german] };

test('a condition becomes a filter wherever a query has one', () => {
  const query: QueryPoints = {
    query: { fusion: 'rrf' },
    prefetch: [{ query: [1, 2], filter: german, prefetch: { filter: filter.hasId(1) } }],
    filter: german,
    params: { idf: { corpus: german } },
  };
  const sent = withFilters(query);
  expect(sent).toEqual({
    query: { fusion: 'rrf' },
    prefetch: [{ query: [1, 2], filter: wrapped, prefetch: { filter: { must: [{ has_id: [1] }] } } }],
    filter: wrapped,
    params: { idf: { corpus: wrapped } },
  });
  expect(() => validate(endpoints.query_points.body, sent, 'body')).not.toThrow();
});

test('so do those of batches and writes', () => {
  const operations: readonly UpdateOperation[] = [{ delete: { filter: german } }];
  expect(withFilters({ operations })).toEqual({ operations: [{ delete: { filter: wrapped } }] });
  expect(withFilters({ searches: [{ vector: [1], filter: german }] })).toEqual({ searches: [{ vector: [1], filter: wrapped }] });
  expect(withFilters({ points: [], update_filter: german })).toEqual({ points: [], update_filter: wrapped });
  expect(withFilters({ filter: { must: [{ nested: { key: 'a', filter: german } }] } })).toEqual({
    filter: { must: [{ nested: { key: 'a', filter: wrapped } }] },
  });
});

test.each([
  [{ filter: filter.all(german) }],
  [{ filter: filter.not(german), limit: 1 }],
  [{ filter: filter.atLeast(1, german) }],
  [{ filter: {} }],
  [{ filter: null }],
  [{ points: [{ id: 1, vector: [1], payload: { filter: { key: 'a' } } }] }],
])('%j goes out as it is', (body) => {
  expect(withFilters(body)).toBe(body);
});
