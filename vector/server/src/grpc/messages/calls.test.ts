// SPDX-License-Identifier: Apache-2.0
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  CountPointsSchema,
  Direction,
  Fusion,
  type PrefetchQuerySchema,
  QueryPointsSchema,
  ScrollPointsSchema,
  SearchBatchPointsSchema,
} from '@qdrant/js-client-grpc';
import { callNamed, services } from '@sextant/contracts-protocol';
import { ServiceError } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import { id, keyword, read, text } from './calls.fixture.ts';

describe('a request of the protocol is the body that REST takes', () => {
  test('every condition of a filter', () => {
    const field = (key: string, condition: object) => ({ conditionOneOf: { case: 'field' as const, value: { key, ...condition } } });
    const match = (matchValue: object) => ({ match: { matchValue } }) as object;
    const berlin = { lat: 52.5, lon: 13.4 };
    const message = create(CountPointsSchema, {
      collectionName: 'a',
      exact: false,
      filter: {
        must: [
          keyword('city', 'Rome'),
          field('n', match({ case: 'integer', value: 9_007_199_254_740_993n })),
          field('ok', match({ case: 'boolean', value: false })),
          field('t', match({ case: 'text', value: 'good cheap' })),
          field('t', match({ case: 'textAny', value: 'good cheap' })),
          field('t', match({ case: 'phrase', value: 'good cheap' })),
          field('k', match({ case: 'keywords', value: { strings: ['a', 'b'] } })),
          field('k', match({ case: 'exceptIntegers', value: { integers: [1n, 2n] } })),
          field('x', { range: { gte: 1, lt: 0 } }),
          field('when', { datetimeRange: { gt: { seconds: 1_700_000_000n, nanos: 500_000_000 } } }),
          field('tags', { valuesCount: { gt: 2n } }),
          field('tags', { isEmpty: true }),
          field('at', { geoRadius: { center: berlin, radius: 1000 } }),
          field('at', { geoBoundingBox: { topLeft: berlin, bottomRight: berlin } }),
          field('at', { geoPolygon: { exterior: { points: [berlin, berlin, berlin, berlin] } } }),
        ],
        should: [
          { conditionOneOf: { case: 'isNull', value: { key: 'a' } } },
          { conditionOneOf: { case: 'isEmpty', value: { key: 'b' } } },
          { conditionOneOf: { case: 'hasId', value: { hasId: [id(1n), id('u')] } } },
          { conditionOneOf: { case: 'hasVector', value: { hasVector: '' } } },
          { conditionOneOf: { case: 'nested', value: { key: 'list', filter: { must: [keyword('x', 'y')] } } } },
          { conditionOneOf: { case: 'filter', value: { mustNot: [keyword('x', 'y')] } } },
          { conditionOneOf: { case: 'slice', value: { total: 4, index: 1 } } },
        ],
        minShould: { conditions: [keyword('x', 'y')], minCount: 1n },
      },
    });
    expect(read('qdrant.Points/Count', toBinary(CountPointsSchema, message)).body).toEqual({
      exact: false,
      filter: {
        must: [
          { key: 'city', match: { value: 'Rome' } },
          { key: 'n', match: { value: 9_007_199_254_740_993n } },
          { key: 'ok', match: { value: false } },
          { key: 't', match: { text: 'good cheap' } },
          { key: 't', match: { text_any: 'good cheap' } },
          { key: 't', match: { phrase: 'good cheap' } },
          { key: 'k', match: { any: ['a', 'b'] } },
          { key: 'k', match: { except: [1, 2] } },
          { key: 'x', range: { gte: 1, lt: 0 } },
          { key: 'when', range: { gt: '2023-11-14T22:13:20.500Z' } },
          { key: 'tags', values_count: { gt: 2 } },
          { key: 'tags', is_empty: true },
          { key: 'at', geo_radius: { center: berlin, radius: 1000 } },
          { key: 'at', geo_bounding_box: { top_left: berlin, bottom_right: berlin } },
          { key: 'at', geo_polygon: { exterior: { points: [berlin, berlin, berlin, berlin] }, interiors: [] } },
        ],
        should: [
          { is_null: { key: 'a' } },
          { is_empty: { key: 'b' } },
          { has_id: [1, 'u'] },
          { has_vector: '' },
          { nested: { key: 'list', filter: { must: [{ key: 'x', match: { value: 'y' } }] } } },
          { must_not: [{ key: 'x', match: { value: 'y' } }] },
          { slice: { total: 4, index: 1 } },
        ],
        min_should: { conditions: [{ key: 'x', match: { value: 'y' } }], min_count: 1 },
      },
    });
  });

  test('a search by a named vector, and one by a sparse vector', () => {
    const message = create(SearchBatchPointsSchema, {
      collectionName: 'a',
      searchPoints: [
        { collectionName: 'a', vector: [1, 2], vectorName: 'plot', limit: 3n, params: { hnswEf: 64n, exact: true } },
        { collectionName: 'a', vector: [0.5], sparseIndices: { data: [7] }, vectorName: 'words', limit: 1n, scoreThreshold: 0.25 },
      ],
    });
    expect(read('qdrant.Points/SearchBatch', toBinary(SearchBatchPointsSchema, message)).body).toEqual({
      searches: [
        { vector: { name: 'plot', vector: Float32Array.of(1, 2) }, limit: 3, params: { hnsw_ef: 64, exact: true } },
        { vector: { name: 'words', vector: { indices: [7], values: [0.5] } }, limit: 1, score_threshold: 0.25 },
      ],
    });
  });

  test('a query with prefetches, fused', () => {
    const prefetch: MessageInitShape<typeof PrefetchQuerySchema>[] = [
      {
        query: { variant: { case: 'nearest', value: { variant: { case: 'dense', value: { data: [1, 2] } } } } },
        using: 'plot',
        limit: 20n,
      },
      {
        query: { variant: { case: 'nearest', value: { variant: { case: 'sparse', value: { indices: [3], values: [0.5] } } } } },
        using: 'words',
      },
    ];
    const message = create(QueryPointsSchema, {
      collectionName: 'a',
      prefetch,
      query: { variant: { case: 'fusion', value: Fusion.DBSF } },
      withPayload: { selectorOptions: { case: 'include', value: { fields: ['title'] } } },
      withVectors: { selectorOptions: { case: 'enable', value: false } },
    });
    expect(read('qdrant.Points/Query', toBinary(QueryPointsSchema, message)).body).toEqual({
      prefetch: [
        { query: Float32Array.of(1, 2), using: 'plot', limit: 20, prefetch: [] },
        { query: { indices: [3], values: [0.5] }, using: 'words', prefetch: [] },
      ],
      query: { fusion: 'dbsf' },
      with_payload: { include: ['title'] },
      with_vectors: false,
    });
  });

  test.each<[string, NonNullable<NonNullable<MessageInitShape<typeof QueryPointsSchema>['query']>['variant']>, unknown]>([
    ['an id', { case: 'nearest', value: { variant: { case: 'id', value: id(4n) } } }, 4],
    [
      'mmr',
      {
        case: 'nearestWithMmr',
        value: { nearest: { variant: { case: 'id', value: id(4n) } }, mmr: { diversity: 0.25, candidatesLimit: 50 } },
      },
      { nearest: 4, mmr: { diversity: 0.25, candidates_limit: 50 } },
    ],
    [
      'recommend',
      { case: 'recommend', value: { positive: [{ variant: { case: 'id', value: id(1n) } }], negative: [], strategy: 1 } },
      { recommend: { positive: [1], negative: [], strategy: 'best_score' } },
    ],
    [
      'discover',
      {
        case: 'discover',
        value: {
          target: { variant: { case: 'id', value: id(1n) } },
          context: {
            pairs: [{ positive: { variant: { case: 'id', value: id(2n) } }, negative: { variant: { case: 'id', value: id(3n) } } }],
          },
        },
      },
      { discover: { target: 1, context: [{ positive: 2, negative: 3 }] } },
    ],
    ['context', { case: 'context', value: { pairs: [] } }, { context: [] }],
    ['order_by', { case: 'orderBy', value: { key: 'year', direction: Direction.Desc } }, { order_by: { key: 'year', direction: 'desc' } }],
    ['rrf', { case: 'rrf', value: { k: 60, weights: [1, 2] } }, { rrf: { k: 60, weights: [1, 2] } }],
    ['sample', { case: 'sample', value: 0 }, { sample: 'random' }],
    [
      'a formula',
      {
        case: 'formula',
        value: {
          expression: {
            variant: {
              case: 'sum',
              value: {
                sum: [
                  { variant: { case: 'variable', value: '$score' } },
                  {
                    variant: {
                      case: 'mult',
                      value: {
                        mult: [
                          { variant: { case: 'constant', value: 0.5 } },
                          { variant: { case: 'condition', value: keyword('kind', 'tool') } },
                        ],
                      },
                    },
                  },
                  { variant: { case: 'neg', value: { variant: { case: 'datetimeKey', value: 'at' } } } },
                  {
                    variant: {
                      case: 'expDecay',
                      value: { x: { variant: { case: 'geoDistance', value: { origin: { lat: 1, lon: 2 }, to: 'place' } } }, scale: 5000 },
                    },
                  },
                ],
              },
            },
          },
          defaults: { at: text('2024-01-01') },
        },
      },
      {
        formula: {
          sum: [
            '$score',
            { mult: [0.5, { key: 'kind', match: { value: 'tool' } }] },
            { neg: { datetime_key: 'at' } },
            { exp_decay: { x: { geo_distance: { origin: { lat: 1, lon: 2 }, to: 'place' } }, scale: 5000 } },
          ],
        },
        defaults: { at: '2024-01-01' },
      },
    ],
  ])('a query by %s', (_name, variant, expected) => {
    const message = create(QueryPointsSchema, { collectionName: 'a', query: { variant } });
    expect(read('qdrant.Points/Query', toBinary(QueryPointsSchema, message)).body).toEqual({ prefetch: [], query: expected });
  });

  test('a scroll in an order from a value on', () => {
    const orderBy = { key: 'n', startFrom: { value: { case: 'integer' as const, value: 5n } } };
    const message = create(ScrollPointsSchema, { collectionName: 'a', limit: 4, offset: id(3n), orderBy });
    expect(read('qdrant.Points/Scroll', toBinary(ScrollPointsSchema, message)).body).toEqual({
      limit: 4,
      offset: 3,
      order_by: { key: 'n', start_from: 5 },
    });
  });
});

test('bytes that are no message are refused as such', () => {
  expect(() => read('qdrant.Points/Count', Uint8Array.of(0xff, 0xff, 0xff))).toThrow(ServiceError);
});

test('what is not answered are the groups that are off, and what only a cluster has', () => {
  const methods = services.flatMap((service) => service.methods.map(({ name }) => `${service.typeName}/${name}`));
  const unanswered = methods.filter((method) => callNamed(method) === undefined);
  expect(
    unanswered.filter((method) => !/Alias|Snapshot|Cluster|Shard|Groups|Recommend|Discover|VectorName|HealthCheck/.test(method)),
  ).toEqual([]);
});

test('the time that a caller would wait is what REST has in its query string', () => {
  const message = create(CountPointsSchema, { collectionName: 'a', timeout: 7n });
  expect(read('qdrant.Points/Count', toBinary(CountPointsSchema, message))).toMatchObject({ query: { timeout: '7' }, body: {} });
});

describe('times of the protocol', () => {
  const between = (seconds: bigint, nanos: number) => {
    const condition = { case: 'field' as const, value: { key: 'at', datetimeRange: { gte: { seconds, nanos } } } };
    const message = create(CountPointsSchema, { collectionName: 'a', filter: { must: [{ conditionOneOf: condition }] } });
    return read('qdrant.Points/Count', toBinary(CountPointsSchema, message)).body;
  };

  test.each([
    [0n, 0, '1970-01-01T00:00:00.000Z'],
    [1n, 123_456_789, '1970-01-01T00:00:01.123456Z'],
    [-1n, 999_000_000, '1969-12-31T23:59:59.999Z'],
    [253_402_300_799n, 999_999_000, '9999-12-31T23:59:59.999999Z'],
  ])('%d s and %d ns', (seconds, nanos, gte) => {
    expect(between(seconds, nanos)).toMatchObject({ filter: { must: [{ key: 'at', range: { gte } }] } });
  });

  test.each([
    [2n ** 63n - 1n, 0],
    [-(2n ** 63n), 0],
    [253_402_300_800n, 0],
    [0n, -1],
    [0n, 1_000_000_000],
  ])('%d s and %d ns are refused', (seconds, nanos) => {
    expect(() => between(seconds, nanos)).toThrow(
      `expected a time of the years 1 to 9999, got ${seconds} seconds and ${nanos} nanoseconds`,
    );
  });
});
