// SPDX-License-Identifier: Apache-2.0
/** Schemas of collections: how they are configured, changed and described. */
import { count, maybe, notYet, oneOf, positive, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { fieldSchemaSchema } from './field-schema.ts';
import { FIELD_TYPES } from './field-types.ts';
import { namedVectors, payloadSchema, sparseNameSchema } from './point-schemas.ts';
import { accepted, memory, storageMemory } from './schema.ts';
import { strictModeConfigSchema } from './strict-mode.ts';

/** 1 to 255 characters, no path separators, no control characters; `.` and `..` would be lost in a URL. */
export const collectionNameSchema = Type.String({
  pattern: '^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]{1,255}$',
  'x-expected': 'a collection name of 1 to 255 characters without /, \\ or control characters',
});

const hnswConfigSchema = strict(
  {
    m: maybe(Type.Integer({ minimum: 0, maximum: 512 })),
    ef_construct: maybe(Type.Integer({ minimum: 4, maximum: 10_000 })),
    full_scan_threshold: maybe(count),
    max_indexing_threads: maybe(count),
    on_disk: maybe(Type.Boolean()),
    /** Kept and returned: graphs are in memory. */
    memory,
    payload_m: maybe(Type.Integer({ minimum: 0, maximum: 512 })),
    inline_storage: maybe(Type.Boolean()),
  },
  { title: 'HnswConfig' },
);
export type HnswConfig = Static<typeof hnswConfigSchema>;

const optimizersConfigSchema = strict(
  {
    deleted_threshold: maybe(Type.Number({ minimum: 0, maximum: 1 })),
    vacuum_min_vector_number: maybe(count),
    default_segment_number: maybe(count),
    max_segment_size: maybe(count),
    memmap_threshold: maybe(count),
    indexing_threshold: maybe(count),
    flush_interval_sec: maybe(count),
    max_optimization_threads: maybe(Type.Union([count, Type.Literal('auto')])),
    prevent_unoptimized: maybe(Type.Boolean()),
  },
  { title: 'OptimizersConfig' },
);
export type OptimizersConfig = Static<typeof optimizersConfigSchema>;

/** Kept and returned: codes are always in memory. */
const kept = { always_ram: maybe(Type.Boolean()), memory };

/** The kinds of the published contract: exactly one of them in each configuration. */
const quantizationConfigSchema = Type.Union(
  [
    strict(
      {
        scalar: strict(
          { type: Type.Literal('int8'), quantile: maybe(Type.Number({ minimum: 0.5, maximum: 1 })), ...kept },
          { title: 'ScalarQuantizationConfig' },
        ),
      },
      { title: 'ScalarQuantization' },
    ),
    strict(
      { product: strict({ compression: oneOf('x4', 'x8', 'x16', 'x32', 'x64'), ...kept }, { title: 'ProductQuantizationConfig' }) },
      { title: 'ProductQuantization' },
    ),
    strict(
      {
        binary: strict(
          {
            encoding: maybe(oneOf('one_bit', 'two_bits', 'one_and_half_bits')),
            query_encoding: maybe(oneOf('default', 'binary', 'scalar4bits', 'scalar8bits')),
            ...kept,
          },
          { title: 'BinaryQuantizationConfig' },
        ),
      },
      { title: 'BinaryQuantization' },
    ),
    strict(
      { turbo: strict({ bits: maybe(oneOf('bits1', 'bits1_5', 'bits2', 'bits4')), ...kept }, { title: 'TurboQuantizationConfig' }) },
      { title: 'TurboQuantization' },
    ),
  ],
  { title: 'QuantizationConfig' },
);
/** The codes that searches choose by. `turbo` is served by the nearest of the others, and the collection's warnings say by which. */
export type QuantizationConfig = Static<typeof quantizationConfigSchema>;

/** It would return other vectors than were sent: what is near by them, codes say as well, and the vectors stay. */
const TURBO4 = 'the datatype turbo4 (take float16, or on_disk with a quantization_config, which searches by codes and keeps the vectors)';

/** Dimensions of one vector. */
export const VECTOR_SIZE_MAX = 65_536;

const vectorParamsSchema = strict(
  {
    size: Type.Integer({ minimum: 1, maximum: VECTOR_SIZE_MAX }),
    distance: oneOf('Cosine', 'Dot', 'Euclid', 'Manhattan'),
    hnsw_config: maybe(hnswConfigSchema),
    quantization_config: maybe(quantizationConfigSchema),
    on_disk: maybe(Type.Boolean()),
    /** Says the same as `on_disk` and counts for more: `cold` vectors are on disk, `cached` ones in memory. */
    memory: storageMemory,
    datatype: maybe(Type.Union([oneOf('float32', 'float16', 'uint8'), notYet(TURBO4, Type.Literal('turbo4'))])),
    /** Present where points have several of these vectors, which are compared by MaxSim. */
    multivector_config: maybe(strict({ comparator: Type.Literal('max_sim') }, { title: 'MultiVectorConfig' })),
  },
  { title: 'VectorParams' },
);
export type VectorParams = Static<typeof vectorParamsSchema>;
export type Distance = VectorParams['distance'];

const sparseDatatype = maybe(oneOf('float32', 'float16', 'uint8'));
const sparseMembers = {
  index: maybe(
    strict(
      { full_scan_threshold: maybe(count), on_disk: maybe(Type.Boolean()), memory, datatype: sparseDatatype },
      { title: 'SparseIndexParams' },
    ),
  ),
  /** `idf` multiplies the values of a query by how rare their indices are in the collection. */
  modifier: maybe(oneOf('none', 'idf')),
};

const sparseVectorParamsSchema = strict(sparseMembers, { title: 'SparseVectorParams' });
/** The options of the index are kept and returned: it is on disk, exact and in float32 in any case. */
export type SparseVectorParams = Static<typeof sparseVectorParamsSchema>;
export type SparseVectorsConfig = { readonly [name: string]: SparseVectorParams };

const VECTORS_MAX = 256;
const sparseVectors = maybe(namedVectors(sparseVectorParamsSchema, { maxProperties: VECTORS_MAX, name: sparseNameSchema }));

/** A vector that is added to a collection: dense or sparse. */
export const createVectorSchema = Type.Union(
  [
    strict({ dense: vectorParamsSchema }, { title: 'DenseVectorConfig' }),
    strict(
      { sparse: strict({ ...sparseMembers, datatype: sparseDatatype }, { title: 'AddedSparseVectorParams' }) },
      { title: 'SparseVectorConfig' },
    ),
  ],
  { title: 'VectorNameConfig' },
);
export type VectorNameConfig = Static<typeof createVectorSchema>;

const payloadStorageSchema = strict({ memory: storageMemory }, { title: 'PayloadStorageParams' });
const idTrackerSchema = strict({ memory }, { title: 'IdTrackerParams' });
const metadata = maybe(payloadSchema);

/** Without `vectors` and `sparse_vectors` the answer is the specification's own sentence, so the schema leaves both optional here. */
export const createCollectionSchema = strict(
  {
    vectors: maybe(
      Type.Union([vectorParamsSchema, namedVectors(vectorParamsSchema, { maxProperties: VECTORS_MAX })], {
        title: 'VectorsConfig',
      }),
    ),
    sparse_vectors: sparseVectors,
    hnsw_config: maybe(hnswConfigSchema),
    optimizers_config: maybe(optimizersConfigSchema),
    wal_config: maybe(accepted),
    quantization_config: maybe(quantizationConfigSchema),
    on_disk_payload: maybe(Type.Boolean()),
    /** Kept and returned, as `on_disk_payload` is: payloads are read from storage, whose pages the system caches. */
    payload: maybe(payloadStorageSchema),
    /** Kept and returned. */
    id_tracker: maybe(idTrackerSchema),
    shard_number: maybe(positive),
    sharding_method: maybe(oneOf('auto', 'custom')),
    replication_factor: maybe(positive),
    write_consistency_factor: maybe(positive),
    strict_mode_config: maybe(strictModeConfigSchema),
    metadata,
  },
  // Some vector, dense or sparse; the sentence for none is the specification's.
  { title: 'CreateCollection', 'x-also': { if: { required: ['vectors'] }, else: { required: ['sparse_vectors'] } } },
);
export type VectorsConfig = NonNullable<Static<typeof createCollectionSchema>['vectors']>;
/** A collection to be made; one without dense vectors has an empty map of them. */
export type CreateCollection = Omit<Static<typeof createCollectionSchema>, 'vectors'> & { readonly vectors: VectorsConfig };

const quantizationDiffSchema = Type.Union([quantizationConfigSchema, Type.Literal('Disabled')], { title: 'QuantizationConfigDiff' });

export const updateCollectionSchema = strict(
  {
    vectors: maybe(
      namedVectors(
        strict(
          {
            hnsw_config: maybe(hnswConfigSchema),
            quantization_config: maybe(quantizationDiffSchema),
            on_disk: maybe(Type.Boolean()),
            memory: storageMemory,
            datatype: maybe(notYet('a change of the datatype of vectors that there are')),
          },
          { title: 'VectorParamsDiff' },
        ),
      ),
    ),
    optimizers_config: maybe(optimizersConfigSchema),
    params: maybe(
      strict(
        {
          on_disk_payload: maybe(Type.Boolean()),
          payload: maybe(payloadStorageSchema),
          id_tracker: maybe(idTrackerSchema),
          replication_factor: maybe(positive),
          write_consistency_factor: maybe(positive),
          read_fan_out_factor: maybe(count),
          read_fan_out_delay_ms: maybe(count),
        },
        { title: 'CollectionParamsDiff' },
      ),
    ),
    hnsw_config: maybe(hnswConfigSchema),
    quantization_config: maybe(quantizationDiffSchema),
    /** Of sparse vectors that there are: what is given replaces what is stored. */
    sparse_vectors: sparseVectors,
    /** Members that are left out keep their values. */
    strict_mode_config: maybe(strictModeConfigSchema),
    /** Merged into the stored metadata; a null member removes its key. */
    metadata,
  },
  { title: 'UpdateCollection' },
);
/** `vectors` has the unnamed vector under the empty string. `"Disabled"` removes a quantization. */
export type UpdateCollection = Static<typeof updateCollectionSchema>;

const fieldNameSchema = Type.String({ minLength: 1, maxLength: 1024 });

export const createFieldIndexSchema = strict(
  {
    field_name: fieldNameSchema,
    field_schema: Type.Union([oneOf(...FIELD_TYPES), fieldSchemaSchema], { title: 'FieldSchemaInterface' }),
    shard_key: maybe(accepted),
  },
  { title: 'CreateFieldIndex' },
);

export const collectionInfoSchema = Type.Object(
  {
    status: oneOf('green', 'yellow', 'grey', 'red'),
    optimizer_status: Type.Union([Type.Literal('ok'), Type.Object({ error: Type.String() })]),
    indexed_vectors_count: count,
    points_count: count,
    segments_count: count,
    config: Type.Record(Type.String(), Type.Unknown()),
    payload_schema: Type.Record(
      Type.String(),
      Type.Object(
        { data_type: oneOf(...FIELD_TYPES), params: Type.Optional(fieldSchemaSchema), points: count },
        { title: 'PayloadIndexInfo' },
      ),
    ),
    update_queue: Type.Object({ length: count }),
    /** What does not work as it was configured; searches are right all the same. */
    warnings: Type.Optional(Type.Array(Type.Object({ message: Type.String() }))),
  },
  { title: 'CollectionInfo' },
);
export type CollectionInfo = Static<typeof collectionInfoSchema>;
export type PayloadIndexInfo = CollectionInfo['payload_schema'][string];

export const collectionListSchema = Type.Object(
  { collections: Type.Array(Type.Object({ name: Type.String() })) },
  { title: 'CollectionList' },
);

export const inputNormsSchema = Type.Object(
  {
    /** By name, the unnamed one under the empty string; dense vectors with the distance Cosine alone. */
    vectors: Type.Record(
      Type.String(),
      Type.Object(
        {
          /** How many were written since the collection was created, whether they are there still or not. */
          written: count,
          /** Those that occur, the shortest first. A length of zero counts in the first of all, from 2^-32 on. */
          intervals: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), written: count }, { title: 'InputNormInterval' })),
        },
        { title: 'VectorInputNorms' },
      ),
    ),
  },
  { title: 'InputNorms' },
);
/** How long vectors were as they came, before they were normalised. */
export type InputNorms = Static<typeof inputNormsSchema>;
