// SPDX-License-Identifier: Apache-2.0
import { create, toBinary } from '@bufbuild/protobuf';
import { QueryPointsSchema } from '@qdrant/js-client-grpc';
import { expect, test } from 'vitest';
import { id, read } from './calls.fixture.ts';

test('judged examples are read with their target and coefficients', () => {
  const example = (data: number[]) => ({ variant: { case: 'dense' as const, value: { data } } });
  const value = {
    target: { variant: { case: 'id' as const, value: id(7n) } },
    feedback: [
      { example: example([1, 0]), score: 0.5 },
      { example: { variant: { case: 'id' as const, value: id(8n) } }, score: -1 },
    ],
    strategy: { variant: { case: 'naive' as const, value: { a: 1, b: 0.5, c: 2 } } },
  };
  const message = create(QueryPointsSchema, { collectionName: 'a', query: { variant: { case: 'relevanceFeedback', value } } });
  expect(read('qdrant.Points/Query', toBinary(QueryPointsSchema, message)).body).toMatchObject({
    query: {
      relevance_feedback: {
        target: 7,
        feedback: [
          { example: Float32Array.of(1, 0), score: 0.5 },
          { example: 8, score: -1 },
        ],
        strategy: { naive: { a: 1, b: 0.5, c: 2 } },
      },
    },
  });
});
