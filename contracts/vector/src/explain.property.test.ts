// SPDX-License-Identifier: Apache-2.0
import { explain, fits, type SchemaNode } from '@sextant/foundation-contract';
import { changedJson, isLongRun, jsonWith, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from './endpoints/endpoint.ts';
import { endpoints } from './endpoints.ts';

/** Bodies that are let through; each property changes them somewhere. */
const samples: { readonly [operation: string]: readonly unknown[] } = {
  create_collection: [
    { vectors: { size: 4, distance: 'Dot', hnsw_config: { m: 8 } }, optimizers_config: { indexing_threshold: 1 }, metadata: { a: [1] } },
    { vectors: { image: { size: 4, distance: 'Cosine' } }, quantization_config: { scalar: { type: 'int8', quantile: 0.9 } } },
  ],
  create_field_index: [
    { field_name: 'a', field_schema: 'keyword' },
    { field_name: 'a', field_schema: { type: 'text', tokenizer: 'word', stopwords: { languages: ['english'] } } },
  ],
  upsert_points: [
    {
      points: [
        { id: 1, vector: [1, 2], payload: { a: 1 } },
        { id: 2n ** 63n, vectors: { a: [1] } },
      ],
    },
    { batch: { ids: [1], vectors: { a: [[1]] }, payloads: [null] } },
  ],
  batch_update: [{ operations: [{ delete: { points: [1] } }, { set_payload: { payload: { a: 1 }, filter: { must: [] } } }] }],
  search_points: [
    {
      vector: { name: 'a', vector: [1] },
      limit: 3,
      filter: {
        must: [
          { key: 'a', match: { any: ['x'] } },
          { nested: { key: 'b', filter: { should: { key: 'c', range: { gt: '2024-01-01' } } } } },
        ],
        min_should: { conditions: [{ has_id: [1] }], min_count: 1 },
      },
    },
  ],
  query_points: [
    { query: { nearest: [1] }, with_payload: { include: ['a'] }, params: { exact: true } },
    { query: { order_by: { key: 'a', direction: 'desc' } }, with_vector: ['a'] },
  ],
};

const changes = {
  anything: jsonWith(['id', 'key', 'points', 'vector', 'must', 'match', 'value', 'zz']),
  added: ['zz', 'filter', 'limit', 'type'],
};

/** TypeBox takes seconds to compile them as a whole, which no service does. */
const SLOWLY_COMPILED = ['batch_update', 'query_points'];

const rows: { readonly [operation: string]: Endpoint } = endpoints;

describe('a refusal', () => {
  test.each(Object.entries(samples))('of %s has a reason exactly where the validator says no', (operation, bodies) => {
    const schema = rows[operation]?.body as TSchema;
    const whole = isLongRun() || !SLOWLY_COMPILED.includes(operation) ? Compile(schema) : undefined;
    for (const body of bodies) {
      expect(fits(schema, body)).toBe(true);
      fc.assert(
        fc.property(changedJson(body, changes), (value) => {
          const isFitting = fits(schema, value);
          expect(explain(schema as SchemaNode, value) === undefined).toBe(isFitting);
          expect(whole?.Check(value) ?? isFitting).toBe(isFitting);
        }),
        { numRuns: roundsOf({ quick: 60, long: 5000 }) },
      );
    }
  });
});
