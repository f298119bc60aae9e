// SPDX-License-Identifier: Apache-2.0
import { create, toBinary } from '@bufbuild/protobuf';
import {
  CreateCollectionSchema,
  Distance,
  GetResponseSchema,
  MultiVectorComparator,
  QueryPointsSchema,
  type RetrievedPoint,
  UpsertPointsSchema,
} from '@qdrant/js-client-grpc';
import { writeAnswer } from '@sextant/contracts-protocol';
import { expect, test } from 'vitest';
import { id, read } from './calls.fixture.ts';

const value = { vectors: [{ data: [1, 0.5] }, { data: [3, 4] }] };
const LIST = [Float32Array.of(1, 0.5), Float32Array.of(3, 4)];

test('several vectors of a point are an array of arrays, by name and without', () => {
  const tokens = { vector: { case: 'multiDense' as const, value } };
  const message = create(UpsertPointsSchema, {
    collectionName: 'a',
    points: [
      { id: id(1n), vectors: { vectorsOptions: { case: 'vector', value: tokens } } },
      { id: id(2n), vectors: { vectorsOptions: { case: 'vectors', value: { vectors: { tokens } } } } },
      // As clients before 1.16 send them.
      { id: id(3n), vectors: { vectorsOptions: { case: 'vector', value: { data: [1, 0.5, 3, 4], vectorsCount: 2 } } } },
    ],
  });
  expect(read('qdrant.Points/Upsert', toBinary(UpsertPointsSchema, message)).body).toEqual({
    points: [
      { id: 1, vectors: LIST },
      { id: 2, vectors: { tokens: LIST } },
      { id: 3, vectors: LIST },
    ],
  });
});

test('a query may be several vectors', () => {
  const nearest = { case: 'nearest' as const, value: { variant: { case: 'multiDense' as const, value } } };
  const message = create(QueryPointsSchema, { collectionName: 'a', query: { variant: nearest }, using: 'tokens' });
  expect(read('qdrant.Points/Query', toBinary(QueryPointsSchema, message)).body).toMatchObject({ query: LIST, using: 'tokens' });
});

test('the configuration says how they are compared', () => {
  const params = { size: 2n, distance: Distance.Dot, multivectorConfig: { comparator: MultiVectorComparator.MaxSim } };
  const message = create(CreateCollectionSchema, { collectionName: 'a', vectorsConfig: { config: { case: 'params', value: params } } });
  expect(read('qdrant.Collections/Create', toBinary(CreateCollectionSchema, message)).body).toMatchObject({
    vectors: { size: 2, distance: 'Dot', multivector_config: { comparator: 'max_sim' } },
  });
});

test('they are answered as they are sent', () => {
  const vectors = (points: readonly RetrievedPoint[]) => points.map((point) => point.vectors?.vectorsOptions.value);
  const list = LIST.map((vector) => Array.from(vector));
  const points = [
    { id: 1, vector: list },
    { id: 2, vector: { tokens: list, line: [1] } },
  ];
  const { result } = writeAnswer(GetResponseSchema, { result: points, time: 0 });
  expect(vectors(result)).toMatchObject([
    { vector: { case: 'multiDense', value } },
    { vectors: { tokens: { vector: { case: 'multiDense', value } }, line: { vector: { case: 'dense', value: { data: [1] } } } } },
  ]);
});
