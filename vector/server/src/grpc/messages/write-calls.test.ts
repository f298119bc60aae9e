// SPDX-License-Identifier: Apache-2.0
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  ClearPayloadPointsSchema,
  CompressionRatio,
  CreateCollectionSchema,
  CreateFieldIndexCollectionSchema,
  CreateVectorNameRequestSchema,
  Datatype,
  DeletePointsSchema,
  DeleteVectorNameRequestSchema,
  Distance,
  FieldType,
  SetPayloadPointsSchema,
  TokenizerType,
  UpdateBatchPointsSchema,
  UpdateCollectionSchema,
  UpdateMode,
  UpdatePointVectorsSchema,
  UpsertPointsSchema,
  type VectorsSchema,
} from '@qdrant/js-client-grpc';
import { endpoints, validate } from '@sextant/contracts-vector/schemas';
import { describe, expect, test } from 'vitest';
import { decodeCall } from '../../operations/decode.ts';
import { dense, id, keyword, read, text } from './calls.fixture.ts';

describe('a write of the protocol is the body that REST takes', () => {
  test('an update of vectors, which has to name some', () => {
    const update = (...vectors: MessageInitShape<typeof VectorsSchema>[]) =>
      toBinary(
        UpdatePointVectorsSchema,
        create(UpdatePointVectorsSchema, { collectionName: 'films', points: vectors.map((each) => ({ id: id(1n), vectors: each })) }),
      );
    const validated = (bytes: Uint8Array) => {
      const { checked } = read('qdrant.Points/UpdateVectors', bytes);
      validate(endpoints.update_vectors.body, checked, 'request');
    };
    const none = { vectorsOptions: { case: 'vectors' as const, value: { vectors: {} } } };
    expect(() => validated(update(dense(1, 0.5), dense(2, 0.5)))).not.toThrow();
    expect(() => validated(update(dense(1, 0.5), none))).toThrow('points[1]: must specify vectors to update for point');
  });

  test('an upsert, its vectors as float32 that the schema does not go through', () => {
    const message = create(UpsertPointsSchema, {
      collectionName: 'films',
      wait: true,
      points: [
        {
          id: id(18_446_744_073_709_551_615n),
          vectors: dense(1, 0.5),
          payload: { title: text('Alien'), year: { kind: { case: 'integerValue', value: 1979n } } },
        },
        {
          id: id('6f1a9d0e-6a2b-4c55-9f0e-0d0f6a5b7c11'),
          vectors: { vectorsOptions: { case: 'vectors', value: { vectors: { plot: { data: [3, 4] } } } } },
        },
      ],
      updateMode: UpdateMode.InsertOnly,
    });
    const { params, body, checked } = read('qdrant.Points/Upsert', toBinary(UpsertPointsSchema, message));
    expect(params).toEqual({ collection_name: 'films' });
    expect(body).toEqual({
      points: [
        { id: 18_446_744_073_709_551_615n, vectors: Float32Array.of(1, 0.5), payload: { title: 'Alien', year: 1979 } },
        { id: '6f1a9d0e-6a2b-4c55-9f0e-0d0f6a5b7c11', vectors: { plot: Float32Array.of(3, 4) } },
      ],
      update_mode: 'insert_only',
    });
    expect(checked).toMatchObject({ points: [{ vectors: [] }, { vectors: { plot: [] } }] });
  });

  test('a vector that is no vector stays in place, for the schema to say where', () => {
    const message = create(UpsertPointsSchema, { collectionName: 'a', points: [{ id: id(1n), vectors: dense(1, Number.NaN) }] });
    expect(read('qdrant.Points/Upsert', toBinary(UpsertPointsSchema, message)).checked).toEqual({
      points: [{ id: 1, vectors: [1, Number.NaN] }],
    });
  });

  test('writes that select points by id and by filter', () => {
    const points = { pointsSelectorOneOf: { case: 'points' as const, value: { ids: [id(1n)] } } };
    const set = create(SetPayloadPointsSchema, { collectionName: 'a', payload: { x: text('y') }, key: 'a.b', pointsSelector: points });
    expect(read('qdrant.Points/SetPayload', toBinary(SetPayloadPointsSchema, set)).body).toEqual({
      payload: { x: 'y' },
      key: 'a.b',
      points: [1],
    });

    const filter = { pointsSelectorOneOf: { case: 'filter' as const, value: { must: [keyword('x', 'y')] } } };
    const batch = create(UpdateBatchPointsSchema, {
      collectionName: 'a',
      operations: [
        {
          operation: {
            case: 'upsert',
            value: {
              points: [{ id: id(1n), vectors: dense(1) }],
              updateFilter: { must: [keyword('x', 'y')] },
              updateMode: UpdateMode.UpdateOnly,
            },
          },
        },
        { operation: { case: 'deletePoints', value: { points: filter } } },
        { operation: { case: 'clearPayload', value: { points } } },
        { operation: { case: 'overwritePayload', value: { payload: {}, pointsSelector: points } } },
        { operation: { case: 'deletePayload', value: { keys: ['k'], pointsSelector: points } } },
        { operation: { case: 'updateVectors', value: { points: [{ id: id(1n), vectors: dense(2) }] } } },
        { operation: { case: 'deleteVectors', value: { pointsSelector: points, vectors: { names: ['v'] } } } },
      ],
    });
    expect(read('qdrant.Points/UpdateBatch', toBinary(UpdateBatchPointsSchema, batch)).body).toEqual({
      operations: [
        {
          upsert: {
            points: [{ id: 1, vectors: Float32Array.of(1) }],
            update_filter: { must: [{ key: 'x', match: { value: 'y' } }] },
            update_mode: 'update_only',
          },
        },
        { delete: { filter: { must: [{ key: 'x', match: { value: 'y' } }] } } },
        { clear_payload: { points: [1] } },
        { overwrite_payload: { payload: {}, points: [1] } },
        { delete_payload: { keys: ['k'], points: [1] } },
        { update_vectors: { points: [{ id: 1, vectors: Float32Array.of(2) }] } },
        { delete_vectors: { points: [1], vectors: ['v'] } },
      ],
    });
  });

  test('the configuration of a collection, and a change of it', () => {
    const created = create(CreateCollectionSchema, {
      collectionName: 'a',
      vectorsConfig: {
        config: {
          case: 'paramsMap',
          value: {
            map: {
              plot: {
                size: 768n,
                distance: Distance.Cosine,
                quantizationConfig: { quantization: { case: 'product', value: { compression: CompressionRatio.x16 } } },
              },
            },
          },
        },
      },
      hnswConfig: { m: 32n },
      optimizersConfig: { maxOptimizationThreads: { variant: { case: 'setting', value: 0 } } },
      metadata: { owner: text('us') },
      timeout: 5n,
    });
    expect(read('qdrant.Collections/Create', toBinary(CreateCollectionSchema, created)).body).toEqual({
      vectors: { plot: { size: 768, distance: 'Cosine', quantization_config: { product: { compression: 'x16' } } } },
      hnsw_config: { m: 32 },
      optimizers_config: { max_optimization_threads: 'auto' },
      metadata: { owner: 'us' },
    });
    const changed = create(UpdateCollectionSchema, {
      collectionName: 'a',
      vectorsConfig: { config: { case: 'params', value: { onDisk: true } } },
      quantizationConfig: { quantization: { case: 'disabled', value: {} } },
    });
    expect(read('qdrant.Collections/Update', toBinary(UpdateCollectionSchema, changed)).body).toEqual({
      vectors: { '': { on_disk: true } },
      quantization_config: 'Disabled',
    });
  });

  test('a vector that is added, and one that is removed', () => {
    const vectorConfig = { case: 'denseConfig' as const, value: { size: 3n, distance: Distance.Cosine, datatype: Datatype.Float16 } };
    const added = create(CreateVectorNameRequestSchema, { collectionName: 'a', vectorName: 'two', wait: true, vectorConfig });
    expect(read('qdrant.Points/CreateVectorName', toBinary(CreateVectorNameRequestSchema, added))).toMatchObject({
      params: { collection_name: 'a', vector_name: 'two' },
      body: { dense: { size: 3, distance: 'Cosine', datatype: 'float16' } },
    });
    const removed = create(DeleteVectorNameRequestSchema, { collectionName: 'a', vectorName: 'two' });
    expect(read('qdrant.Points/DeleteVectorName', toBinary(DeleteVectorNameRequestSchema, removed))).toMatchObject({
      params: { collection_name: 'a', vector_name: 'two' },
      body: undefined,
    });
  });

  test('a field index by its type, and with parameters', () => {
    const plain = create(CreateFieldIndexCollectionSchema, { collectionName: 'a', fieldName: 'n', fieldType: FieldType.FieldTypeInteger });
    expect(read('qdrant.Points/CreateFieldIndex', toBinary(CreateFieldIndexCollectionSchema, plain)).body).toEqual({
      field_name: 'n',
      field_schema: 'integer',
    });
    const full = create(CreateFieldIndexCollectionSchema, {
      collectionName: 'a',
      fieldName: 't',
      fieldIndexParams: {
        indexParams: {
          case: 'textIndexParams',
          value: {
            tokenizer: TokenizerType.Word,
            minTokenLen: 2n,
            stopwords: { languages: ['english'], custom: [] },
            stemmer: { stemmingParams: { case: 'snowball', value: { language: 'english' } } },
          },
        },
      },
    });
    expect(read('qdrant.Points/CreateFieldIndex', toBinary(CreateFieldIndexCollectionSchema, full)).body).toEqual({
      field_name: 't',
      field_schema: {
        type: 'text',
        tokenizer: 'word',
        min_token_len: 2,
        stopwords: { languages: ['english'], custom: [] },
        stemmer: { type: 'snowball', language: 'english' },
      },
    });
  });
});

describe('what a client forgot is refused, with the words that REST has', () => {
  const caller = { address: '127.0.0.1', loopback: true, credential: undefined };
  const decoded = (operation: 'delete_points' | 'clear_payload', call: string, body: Uint8Array) =>
    decodeCall(endpoints[operation], { operation, params: {}, query: {}, body, call, caller, principal: { kind: 'anonymous' } }, call);

  test.each([
    ['delete_points', 'qdrant.Points/Delete', DeletePointsSchema],
    ['clear_payload', 'qdrant.Points/ClearPayload', ClearPayloadPointsSchema],
  ] as const)('%s without points', async (operation, method, schema: DescMessage) => {
    const none = toBinary(schema, create(schema, { collectionName: 'a' }));
    const nothing = toBinary(schema, create(schema, { collectionName: 'a', points: { pointsSelectorOneOf: { case: undefined } } }));
    for (const body of [none, nothing]) {
      await expect(decoded(operation, method, body)).rejects.toMatchObject({
        code: 'invalid_request',
        message: 'request: required member `points` (ids) or `filter` is missing',
      });
    }
  });

  test('a condition in which nothing is set does not let every point through', async () => {
    const selector = { pointsSelectorOneOf: { case: 'filter' as const, value: { must: [{ conditionOneOf: { case: undefined } }] } } };
    const body = toBinary(DeletePointsSchema, create(DeletePointsSchema, { collectionName: 'a', points: selector }));
    await expect(decoded('delete_points', 'qdrant.Points/Delete', body)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'qdrant.Condition: expected a condition, got a message in which no alternative is set',
    });
  });
});
