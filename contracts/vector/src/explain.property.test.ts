import { explain, type SchemaNode } from '@sextant/foundation-contract';
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

/** Whatever JSON can carry. */
const anything = fc.anything({
  maxDepth: 2,
  values: [fc.boolean(), fc.integer(), fc.double({ noNaN: true }), fc.string(), fc.constant(null), fc.bigInt()],
  key: fc.constantFrom('id', 'key', 'points', 'vector', 'must', 'match', 'value', 'zz'),
});

/** The value with something else at one of its places. */
function changed(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value) && value.length > 0) {
    const inner = fc.nat(value.length - 1).chain((index) => changed(value[index]).map((item) => value.with(index, item)));
    return fc.oneof({ weight: 1, arbitrary: anything }, { weight: 3, arbitrary: inner });
  }
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    const inner = fc
      .constantFrom(...Object.entries(value))
      .chain(([name, member]) => changed(member).map((replaced) => ({ ...value, [name]: replaced })));
    const added = fc
      .tuple(fc.constantFrom('zz', 'filter', 'limit', 'type'), anything)
      .map(([name, member]) => ({ ...value, [name]: member }));
    return fc.oneof({ weight: 1, arbitrary: anything }, { weight: 1, arbitrary: added }, { weight: 4, arbitrary: inner });
  }
  return anything;
}

const rows: { readonly [operation: string]: Endpoint } = endpoints;

describe('a refusal', () => {
  test.each(Object.entries(samples))('of %s has a reason exactly where the validator says no', (operation, bodies) => {
    const schema = rows[operation]?.body as TSchema;
    const validator = Compile(schema);
    for (const body of bodies) {
      expect(validator.Check(body)).toBe(true);
      fc.assert(
        fc.property(changed(body), (value) => {
          expect(explain(schema as SchemaNode, value) === undefined).toBe(validator.Check(value));
        }),
        { numRuns: 500 },
      );
    }
  });
});
