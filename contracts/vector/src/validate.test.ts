// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { createCollectionSchema, createFieldIndexSchema, updateCollectionSchema } from './collection-schemas.ts';
import { filterSchema } from './filter-schema.ts';
import { deleteVectorsSchema, pointSelectorSchema, setPayloadSchema, upsertSchema } from './point-schemas.ts';
import { querySchema } from './query-language-schemas.ts';
import { scrollSchema, searchSchema } from './query-schemas.ts';
import { shardKeySelectorSchema } from './shard-key-schemas.ts';
import { validate } from './validate.ts';

function nested(levels: number, leaf: object, wrap: (inner: object) => object): object {
  let value = leaf;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

describe('an upsert', () => {
  const point = (value: unknown) => ({ points: [{ id: 7, vector: [1] }, value] });

  test.each([
    [{ points: [] }],
    [point({ id: 1, vector: [1, 2.5, -1e30, 100000000000000000000n] })],
    [point({ id: '550e8400e29b41d4a716446655440000', vectors: { image: [1], text: [2] }, payload: { any: [{ thing: null }] } })],
    [point({ id: 1, vector: {}, payload: null })],
    [{ points: [], shard_key: 'a', update_mode: 'upsert', update_filter: null }],
    [{ points: [], update_mode: 'update_only', update_filter: { must: { key: 'a', match: { value: 1 } } } }],
    [{ batch: { ids: [1, 2], vectors: [[1], [2]], payloads: [{}, null] } }],
    [{ batch: { ids: [1], vectors: { image: [[1]] } } }],
  ])('%# is let through', (body) => {
    expect(() => validate(upsertSchema, body, 'body')).not.toThrow();
  });

  test.each([
    [point({ id: -1, vector: [1] }), 'points[1].id: expected a point id (an integer from 0 to 18446744073709551615, or a UUID), got -1'],
    [point({ id: 1, vector: [[1], ['x']] }), 'points[1].vector[1][0]: expected a number within the range of float32, got the string "x"'],
    [point({ id: 1, vector: { a: [[1], 2] } }), 'points[1].vector.a[1]: expected an array of numbers, got 2'],
    [
      point({ id: 1, vector: 'x' }),
      'points[1].vector: expected an array of numbers, an array of arrays of numbers, an object with `text` and `model` or an object of named vectors, got the string "x"',
    ],
    [point({ id: 1, vector: [1, '2'] }), 'points[1].vector[1]: expected a number within the range of float32, got the string "2"'],
    [point({ id: 1, vector: [1, null] }), 'points[1].vector[1]: expected a number within the range of float32, got null'],
    [
      point({ id: 1, vector: [Number.POSITIVE_INFINITY] }),
      'points[1].vector[0]: expected a number within the range of float32, got a number that is too large',
    ],
    [point({ id: 1, vector: [1, 1e39] }), 'points[1].vector[1]: expected a number within the range of float32, got 1e+39'],
    [
      point({ id: 1, vector: { a: 5 } }),
      'points[1].vector.a: expected an array of numbers, an array of arrays of numbers, an object with `indices` and `values` or an object with `text` and `model`, got 5',
    ],
    [point({ id: 1 }), 'points[1]: required member `vector` is missing'],
    [point({ vector: [1] }), 'points[1]: required member `id` is missing'],
    [point({ id: 1, vector: [1], vectors: [1] }), 'points[1]: give either `vector` or its other spelling `vectors`, not both'],
    [point({ id: 1, vectr: [1] }), "points[1].vectr: unknown member; did you mean 'vector'?"],
    [point({ id: 1, vector: [1], payload: 3 }), 'points[1].payload: expected an object, got 3'],
    [
      point({ id: 1, vector: [1], payload: { n: Number.POSITIVE_INFINITY } }),
      'points[1].payload: holds a number beyond the range of double precision',
    ],
    [point({ id: 1, vector: [1], payload: nested(200, {}, (a) => ({ a })) }), 'points[1].payload: nested deeper than 100 levels'],
    [
      point({ id: 1, vector: { indices: [1], values: [1] } }),
      'points[1].vector: a sparse vector must be named; give it as {"<name>": {"indices": […], "values": […]}}',
    ],
    [
      point({ id: 1, vector: { a: { indices: [1, 2], values: [1] } } }),
      'points[1].vector.a: `indices` has 2 items and `values` has 1; each index has one value',
    ],
    [
      point({ id: 1, vector: { a: { indices: [4, 7, 4], values: [1, 1, 1] } } }),
      'points[1].vector.a: the index 4 occurs twice; give each index once',
    ],
    [
      point({ id: 1, vector: { a: { indices: [-1], values: [1] } } }),
      'points[1].vector.a.indices[0]: expected an integer from 0 to 4294967295, got -1',
    ],
    [
      point({ id: 1, vector: { a: { indices: [1], values: ['1'] } } }),
      'points[1].vector.a.values[0]: expected a number within the range of float32, got the string "1"',
    ],
    [point({ id: 1, vector: { a: { indices: [1] } } }), 'points[1].vector.a: required member `values` is missing'],
    [{ points: 5 }, 'points: expected an array of objects, got 5'],
    [{}, 'body: required member `points` is missing'],
    [[], 'body: expected an object with `points` or an object with `batch`, got an empty array'],
    [null, 'body: expected an object with `points` or an object with `batch`, got null'],
    [{ batch: { ids: [1, 2], vectors: [[1]] } }, 'batch: `vectors` has 1 items and `ids` has 2; both lists must have the same length'],
    [
      { batch: { ids: [1], vectors: { a: [[1], [2]] } } },
      'batch: `vectors.a` has 2 items and `ids` has 1; both lists must have the same length',
    ],
    [{ points: [], update_mode: 'put' }, 'update_mode: expected "upsert", "insert_only" or "update_only", got the string "put"'],
    [{ points: [], update_filter: { musst: [] } }, "update_filter.musst: unknown member; did you mean 'must'?"],
  ])('%# is refused with its reason', (body, reason) => {
    expect(() => validate(upsertSchema, body, 'body')).toThrow(expect.objectContaining({ message: reason }));
  });
});

describe('a filter', () => {
  test.each([
    [{}],
    [{ must: [], should: null, must_not: { key: 'a', match: { value: 1 } } }],
    [
      {
        must: [
          { key: 'a.b[].c', range: { gt: 1, lte: 18446744073709551615n } },
          { key: 'd', range: { gte: '2024-02-29', lt: '2024-03-01T10:00:00.123456+02:00' } },
        ],
      },
    ],
    [
      {
        should: [
          { has_id: [1, '550e8400-e29b-41d4-a716-446655440000'] },
          { has_vector: '' },
          { is_empty: { key: 'a' } },
          { is_null: { key: 'a' } },
        ],
      },
    ],
    [{ must: { nested: { key: 'a', filter: { must_not: { must: { key: 'b', is_null: true } } } } } }],
    [{ min_should: { conditions: [{ key: 'a', values_count: { gt: 1 } }], min_count: 1 } }],
    [{ must: { slice: { total: 3, index: 2 } } }],
    [{ must: { key: 'p', geo_radius: { center: { lon: 13.4, lat: 52.5 }, radius: 1000 } } }],
    [{ must: { key: 'a', match: { any: [] } } }],
  ])('%# is let through', (filter) => {
    expect(() => validate(filterSchema, filter, 'filter')).not.toThrow();
  });

  test.each([
    [{ mustt: [] }, "mustt: unknown member; did you mean 'must'?"],
    [{ must: { key: 'a', match: { valu: 1 } } }, "must.match.valu: unknown member; did you mean 'value'?"],
    [{ must: [{ key: 'a' }] }, /^must\[0\]: a field condition needs at least one of match, range/],
    [{ must: [{ key: 'a', range: { gt: 'x' } }] }, 'must[0].range.gt: expected a number, got the string "x"'],
    [{ must: [{ has_id: ['x'] }] }, /^must\[0\]\.has_id\[0\]: expected a point id/],
    [
      { must: [{ nested: { key: 'a', filter: { must: [{ kei: 'a' }] } } }] },
      "must[0].nested.filter.must[0].kei: unknown member; did you mean 'key'?",
    ],
    [{ min_should: { conditions: [], min_count: 0 } }, 'min_should.min_count: expected an integer of at least 1, got 0'],
    [{ must: [{ key: 'a', match: { value: 1.5 } }] }, 'must[0].match.value: expected a string, an integer or true or false, got 1.5'],
    [{ must: 'x' }, 'must: expected an object or an array of objects, got the string "x"'],
    [{ must: { slice: { total: 3, index: 3 } } }, 'must.slice: `index` must be below `total` (3)'],
    [
      { must: { key: 'p', geo_radius: { center: { lon: 181, lat: 0 }, radius: 1 } } },
      'must.geo_radius.center.lon: expected a number from -180 to 180, got 181',
    ],
    [
      { must: { key: 'p', geo_polygon: { exterior: { points: [0, 1, 2, 3].map((lon) => ({ lon, lat: 0 })) } } } },
      'must.geo_polygon.exterior: a ring is closed: its last point must equal its first',
    ],
    [nested(40, {}, (must) => ({ must: [must] })), 'filter: nested deeper than 64 levels'],
    [nested(100_000, {}, (must) => ({ must })), 'filter: nested too deeply'],
  ])('%# is refused with its reason', (filter, reason) => {
    const message = typeof reason === 'string' ? reason : expect.stringMatching(reason);
    expect(() => validate(filterSchema, filter, 'filter')).toThrow(expect.objectContaining({ message }));
  });
});

describe('other bodies', () => {
  test.each([
    [createCollectionSchema, { vectors: { size: 0, distance: 'Cosine' } }, 'vectors.size: expected an integer from 1 to 65536, got 0'],
    [
      createCollectionSchema,
      { vectors: { size: 65537, distance: 'Cosine' } },
      'vectors.size: expected an integer from 1 to 65536, got 65537',
    ],
    [
      createCollectionSchema,
      { vectors: { size: 4, distance: 'cosine' } },
      /^vectors\.distance: expected "Cosine", "Dot", "Euclid" or "Manhattan", got .*did you mean 'Cosine'\?$/,
    ],
    [createCollectionSchema, { vectors: { a: { siz: 4 } } }, "vectors.a.siz: unknown member; did you mean 'size'?"],
    [createCollectionSchema, { vectors: { size: 4 } }, 'vectors: required member `distance` is missing'],
    [createCollectionSchema, { vector: {} }, "vector: unknown member; did you mean 'vectors'?"],
    [
      createCollectionSchema,
      { sparse_vectors: { a: { modifier: 'bm25' } } },
      'sparse_vectors.a.modifier: expected "none" or "idf", got the string "bm25"',
    ],
    [
      createCollectionSchema,
      { sparse_vectors: { '': {} } },
      'sparse_vectors."": this name is not allowed: it must have 1 to 255 characters and no control characters',
    ],
    [
      createCollectionSchema,
      { vectors: { size: 4, distance: 'Dot' }, sharding_method: 'range' },
      'sharding_method: expected "auto" or "custom", got the string "range"',
    ],
    [
      shardKeySelectorSchema,
      -1,
      'body: expected a shard key (a string of 1 to 255 characters, or an integer from 0 to 9007199254740991), got -1',
    ],
    [shardKeySelectorSchema, [], 'body: expected at least 1 item, got 0'],
    [
      shardKeySelectorSchema,
      [true],
      '[0]: expected a shard key (a string of 1 to 255 characters, or an integer from 0 to 9007199254740991), got true',
    ],
    [shardKeySelectorSchema, { target: 'a' }, 'body: required member `fallback` is missing'],
    [
      createCollectionSchema,
      { vectors: { size: 4, distance: 'Dot', datatype: 'turbo4' } },
      'vectors.datatype: the datatype turbo4 (take float16, or on_disk with a quantization_config, which searches by codes and keeps the vectors) is not supported by this release',
    ],
    [
      createCollectionSchema,
      { vectors: { size: 4, distance: 'Dot', multivector_config: { comparator: 'min' } } },
      /comparator: expected "max_sim"/,
    ],
    [createCollectionSchema, { hnsw_config: { m: -1 } }, 'hnsw_config.m: expected an integer from 0 to 512, got -1'],
    [
      createCollectionSchema,
      { quantization_config: { scalr: { type: 'int8' } } },
      "quantization_config.scalr: unknown member; did you mean 'scalar'?",
    ],
    [
      updateCollectionSchema,
      { vectors: { a: { datatype: 'uint8' } } },
      'vectors.a.datatype: a change of the datatype of vectors that there are is not supported by this release',
    ],
    [
      createCollectionSchema,
      { quantization_config: { product: {} } },
      'quantization_config.product: required member `compression` is missing',
    ],
    [
      createCollectionSchema,
      { quantization_config: { product: { compression: 'x10' } } },
      /^quantization_config\.product\.compression: expected "x4", "x8", "x16", "x32" or "x64", got the string "x10"/,
    ],
    [
      createCollectionSchema,
      { vectors: { a: { size: 4, distance: 'Dot', quantization_config: { scalar: { type: 'int4' } } } } },
      /^vectors\.a\.quantization_config\.scalar\.type: expected "int8"/,
    ],
    [
      createCollectionSchema,
      { quantization_config: { scalar: { type: 'int8', quantile: 0.4 } } },
      'quantization_config.scalar.quantile: expected a number from 0.5 to 1, got 0.4',
    ],
    [
      createCollectionSchema,
      { quantization_config: { binary: { encoding: 'three_bits' } } },
      /^quantization_config\.binary\.encoding: expected "one_bit"/,
    ],
    [
      createCollectionSchema,
      { quantization_config: { binary: { always_ram: 'yes' } } },
      /^quantization_config\.binary\.always_ram: expected true or false/,
    ],
    [createCollectionSchema, { quantization_config: { scalar: { type: 'int8' }, binary: {} } }, /^quantization_config/],
    [createCollectionSchema, { quantization_config: 'Disabled' }, /^quantization_config: expected .*, got the string "Disabled"$/],
    [
      searchSchema,
      { vector: [1], limit: 1, params: { quantization: { oversampling: 0.5 } } },
      'params.quantization.oversampling: expected a number from 1 to 1000, got 0.5',
    ],
    [
      searchSchema,
      { vector: [1], limit: 1, params: { quantization: { rescore: 1 } } },
      /^params\.quantization\.rescore: expected true or false/,
    ],
    [
      createCollectionSchema,
      { vectors: { size: 2, distance: 'Dot', sise: 3 } },
      /^vectors\.sise: unknown member; expected one of size, distance, /,
    ],
    [
      createCollectionSchema,
      { vectors: { title: { size: 2, distance: 'Dot', sise: 3 } } },
      /^vectors\.title\.sise: unknown member; expected one of size, /,
    ],
    [updateCollectionSchema, { quantization_config: 'Off' }, /^quantization_config: expected/],
    [createFieldIndexSchema, { field_name: 'a', field_schema: 'keywrd' }, /did you mean 'keyword'\?$/],
    [
      createFieldIndexSchema,
      { field_name: 'a', field_schema: { type: 'texts' } },
      /^field_schema\.type: expected "keyword", .*did you mean 'text'\?$/,
    ],
    [createFieldIndexSchema, { field_name: 'a', field_schema: { type: 'text', tokenizer: 'wrd' } }, /did you mean 'word'\?$/],
    [
      createFieldIndexSchema,
      { field_name: 'a', field_schema: { type: 'integer', tokenizer: 'word' } },
      /^field_schema\.tokenizer: unknown member; expected one of type, lookup/,
    ],
    [createFieldIndexSchema, { field_name: '', field_schema: 'text' }, 'field_name: must not be empty'],
    [pointSelectorSchema, {}, 'body: required member `points` (ids) or `filter` is missing'],
    [pointSelectorSchema, { points: [1], filter: {} }, 'body: give either `points` or `filter`, not both'],
    [setPayloadSchema, { payload: {}, points: [1], key: '' }, 'key: must not be empty'],
    [deleteVectorsSchema, { points: [1] }, 'body: required member `vector` is missing'],
    [searchSchema, { vector: [1], limit: 3, top: 3 }, 'body: give either `limit` or its other spelling `top`, not both'],
    [searchSchema, { limit: 3 }, 'body: required member `vector` is missing'],
    [searchSchema, { vector: [1], limit: 0 }, 'limit: expected an integer from 1 to 1000000, got 0'],
    [searchSchema, { vector: [1], params: { hnsw_ef: 0 } }, 'params.hnsw_ef: expected an integer from 1 to 1000000, got 0'],
    [searchSchema, { vector: [1], offset: -1 }, 'offset: expected an integer from 0 to 1000000, got -1'],
    [scrollSchema, { order_by: { key: 'a', direction: 'up' } }, 'order_by.direction: expected "asc" or "desc", got the string "up"'],
    [querySchema, { query: { recommend: { positive: [1], strategy: 'worst' } } }, /^query.recommend.strategy: expected "average_vector"/],
    [querySchema, { query: { nearest: [1], mmr: { diversity: 1.5 } } }, 'query.mmr.diversity: expected a number from 0 to 1, got 1.5'],
    [querySchema, { query: { fusion: 'sum' }, prefetch: [{ query: [1] }] }, 'query.fusion: expected "rrf" or "dbsf", got the string "sum"'],
    [querySchema, { query: [1], prefetch: [{ query: [1], limit: 0 }] }, /^prefetch\[0\].limit: expected an integer from 1/],
    [querySchema, { query: { formula: { sum: ['$score', { mult: [2, true] }] } } }, /^query.formula/],
    [
      querySchema,
      { query: { relevance_feedback: { target: 1, feedback: [{ example: 2, score: 1 }] } } },
      /^query\.relevance_feedback: required member `strategy` is missing$/,
    ],
    [querySchema, { query: { text: 'hello', model: '' } }, /^query\.model: /],
    [
      querySchema,
      { query: { text: 'hello', model: 'clip', options: { b: 1 } } },
      'query: only Qdrant/bm25 has the option b; the model "clip" has only the option dimensions',
    ],
    [
      querySchema,
      { query: { text: 'hello', model: 'Qdrant/bm25', options: { b: 2 } } },
      'query.options.b: expected a number from 0 to 1, got 2',
    ],
    [
      querySchema,
      { query: { text: 'hello', model: 'Qdrant/bm25', options: { langage: 'german' } } },
      "query.options.langage: unknown member; did you mean 'language'?",
    ],
    [
      querySchema,
      { query: { image: 'a', model: 'clip' } },
      'query: inference on the server from an image or object is not supported by this release',
    ],
    [querySchema, { query: [1], lookup_from: { vector: 'b' } }, 'lookup_from: required member `collection` is missing'],
    // What newer servers of the family read, and what would change the answer.
    [querySchema, { query: [1], with_dims_explained: true }, /^with_dims_explained: unknown member/],
    [querySchema, { query: { nearest: [1], focus: { dims: [0] } } }, /^query\.focus: unknown member/],
    [querySchema, { query: { nearest: { nearest: [1], focus: { dims: [0] } } } }, /^query/],
    [createFieldIndexSchema, { field_name: 'a', field_schema: { type: 'text', scoring: true } }, /^field_schema\.scoring: unknown member/],
    [querySchema, { query: { sampl: 'random' } }, "query.sampl: unknown member; did you mean 'sample'?"],
    [querySchema, { query: 'nope' }, /^query: expected a point id/],
    [querySchema, { limit: 1152921504606846976n }, 'limit: expected an integer from 1 to 1000000, got 1152921504606846976'],
  ])('%# is refused with its reason', (schema, body, reason) => {
    const message = typeof reason === 'string' ? reason : expect.stringMatching(reason);
    expect(() => validate(schema, body, 'body')).toThrow(expect.objectContaining({ message }));
  });
});
