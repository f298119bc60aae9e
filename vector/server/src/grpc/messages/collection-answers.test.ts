// SPDX-License-Identifier: Apache-2.0
import { GetCollectionInfoResponseSchema } from '@qdrant/js-client-grpc';
import { writeAnswer } from '@sextant/contracts-protocol';
import type { CollectionInfo } from '@sextant/contracts-vector';
import { expect, test } from 'vitest';

const info: CollectionInfo = {
  status: 'yellow',
  optimizer_status: { error: 'disk full' },
  indexed_vectors_count: 3,
  points_count: 4,
  segments_count: 1,
  update_queue: { length: 2 },
  config: {
    params: {
      vectors: {
        plot: {
          size: 8,
          distance: 'Dot',
          datatype: 'float16',
          memory: 'cached',
          quantization_config: { binary: { encoding: 'one_and_half_bits', query_encoding: 'scalar4bits' } },
        },
      },
      sparse_vectors: { words: { modifier: 'idf' } },
      payload: { memory: 'cold' },
      shard_number: 1,
    },
    hnsw_config: { m: 16, ef_construct: 100 },
    optimizer_config: { max_optimization_threads: 'auto' },
    quantization_config: { product: { compression: 'x16', always_ram: true } },
    strict_mode_config: { multivector_config: { plot: { max_vectors: 5 } } },
    metadata: { owner: { name: 'us', size: 2.5 } },
  },
  payload_schema: {
    title: {
      data_type: 'text',
      points: 4,
      params: { type: 'text', tokenizer: 'word', stopwords: 'english', stemmer: { type: 'snowball', language: 'english' } },
    },
    kind: { data_type: 'keyword', points: 1, params: { type: 'keyword', is_tenant: true, prefix: true } },
  },
};

test('a collection is described in the words of the protocol', () => {
  const { result } = writeAnswer(GetCollectionInfoResponseSchema, { result: info, time: 0.5 });
  expect(result).toMatchObject({
    status: 2,
    optimizerStatus: { ok: false, error: 'disk full' },
    pointsCount: 4n,
    indexedVectorsCount: 3n,
    updateQueue: { length: 2n },
    config: {
      params: {
        vectorsConfig: {
          config: {
            case: 'paramsMap',
            value: {
              map: {
                plot: {
                  size: 8n,
                  distance: 3,
                  datatype: 3,
                  memory: 2,
                  quantizationConfig: {
                    quantization: { case: 'binary', value: { encoding: 2, queryEncoding: { variant: { case: 'setting', value: 2 } } } },
                  },
                },
              },
            },
          },
        },
        sparseVectorsConfig: { map: { words: { modifier: 1 } } },
        payload: { memory: 1 },
      },
      hnswConfig: { m: 16n, efConstruct: 100n },
      optimizerConfig: { maxOptimizationThreads: { variant: { case: 'setting', value: 0 } } },
      quantizationConfig: { quantization: { case: 'product', value: { compression: 2, alwaysRam: true } } },
      strictModeConfig: { multivectorConfig: { multivectorConfig: { plot: { maxVectors: 5n } } } },
      metadata: { owner: { kind: { case: 'structValue', value: { fields: { size: { kind: { case: 'doubleValue', value: 2.5 } } } } } } },
    },
    payloadSchema: {
      title: {
        dataType: 5,
        points: 4n,
        params: {
          indexParams: {
            case: 'textIndexParams',
            value: {
              tokenizer: 3,
              stopwords: { languages: ['english'] },
              stemmer: { stemmingParams: { case: 'snowball', value: { language: 'english' } } },
            },
          },
        },
      },
      kind: { dataType: 1, params: { indexParams: { case: 'keywordIndexParams', value: { isTenant: true, prefix: {} } } } },
    },
  });
});
