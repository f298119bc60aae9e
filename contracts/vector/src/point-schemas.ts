// SPDX-License-Identifier: Apache-2.0
/** Schemas of points as they are sent and returned. */
import { count, jsonObjectOf, maybe, notYet, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type, { type TSchema } from 'typebox';
import { documentSchema } from './document-schema.ts';
import { filterSchema } from './filter-schema.ts';
import { pointIdSchema } from './point-id.ts';
import type { Payload } from './points.ts';
import { FLOAT32_MAX } from './schema.ts';
import { shardKeySchema, shardKeySelectorSchema } from './shard-key-schemas.ts';

export const payloadSchema = Type.Unsafe<Payload>(jsonObjectOf({ title: 'Payload' }));

const float32 = Type.Unsafe<number | bigint>(
  Type.Union([
    Type.Number({ minimum: -FLOAT32_MAX, maximum: FLOAT32_MAX, format: 'float', 'x-expected': 'a number within the range of float32' }),
    Type.Refine(
      Type.BigInt(),
      (value: bigint) => Math.abs(Number(value)) <= FLOAT32_MAX,
      () => 'expected a number within the range of float32',
    ),
  ]),
);

/** As it is sent, or read from the bytes of a body. */
export type RawDenseVector = readonly (number | bigint)[] | Float32Array;

/**
 * One dense vector. Integers beyond 2^53 are `bigint` here; `operations` turn them into numbers. A server that reads vectors from the bytes of a
 * body puts float32 in their place once the rest has passed the schema.
 */
export const denseVectorSchema = Type.Unsafe<RawDenseVector>(Type.Array(float32, { title: 'DenseVector', maxItems: 65_536 }));

/** Components of one sparse vector. */
const SPARSE_LENGTH_MAX = 65_536;
const UINT32_MAX = 2 ** 32 - 1;

/** As it is sent; integers beyond 2^53 among the values are `bigint`. */
export type RawSparseVector = { readonly indices: readonly number[]; readonly values: readonly (number | bigint)[] };

export const sparseVectorSchema = Type.Refine(
  Type.Unsafe<RawSparseVector>(
    strict(
      {
        indices: Type.Array(Type.Integer({ minimum: 0, maximum: UINT32_MAX }), { maxItems: SPARSE_LENGTH_MAX }),
        values: Type.Array(float32, { maxItems: SPARSE_LENGTH_MAX }),
      },
      { title: 'SparseVector' },
    ),
  ),
  (vector) => sparseFault(vector) === undefined,
  (vector) => sparseFault(vector) ?? '',
);

function sparseFault({ indices, values }: RawSparseVector): string | undefined {
  if (indices.length !== values.length)
    return `\`indices\` has ${indices.length} items and \`values\` has ${values.length}; each index has one value`;
  const known = new Set<number>();
  for (const index of indices) {
    if (known.has(index)) return `the index ${index} occurs twice; give each index once`;
    known.add(index);
  }
  return undefined;
}

/** Vectors of one multivector, and their components together, as the published engine bounds them (lib/common/common/src/validation.rs of qdrant/qdrant). */
const MULTI_LENGTH_MAX = 4096;
const MULTI_COMPONENTS_MAX = 1_048_576;

export const multiVectorSchema = Type.Refine(
  Type.Unsafe<readonly RawDenseVector[]>(Type.Array(denseVectorSchema, { title: 'MultiVector', minItems: 1, maxItems: MULTI_LENGTH_MAX })),
  (vectors) => multiFault(vectors) === undefined,
  (vectors) => multiFault(vectors) ?? '',
);

function multiFault(vectors: readonly { readonly length: number }[]): string | undefined {
  const components = vectors.reduce((sum, { length }) => sum + length, 0);
  if (components > MULTI_COMPONENTS_MAX) {
    return `expected a multivector of at most ${MULTI_COMPONENTS_MAX} components in all, got ${components}`;
  }
  return undefined;
}

const inferenceShape = Type.Union([Type.Object({ image: Type.Unknown() }), Type.Object({ object: Type.Unknown(), model: Type.Unknown() })]);
const inference = notYet('inference on the server from an image or object', inferenceShape);

/** What a named vector, or one to search with, can be besides an array of numbers. */
export const otherVectors = [multiVectorSchema, sparseVectorSchema, documentSchema, inference] as const;

/** A vector that has a name, or that is searched with. */
export const anyVectorSchema = Type.Union([denseVectorSchema, ...otherVectors], { title: 'Vector', 'x-plural': 'vectors' });

const UNNAMED_OR_NAME = '^[^\\u0000-\\u001f\\u007f]{0,255}$';
/** No control characters; the empty name is the unnamed vector. */
export const vectorNameSchema = Type.String({ pattern: UNNAMED_OR_NAME });
/** Sparse vectors are always named. */
export const sparseNameSchema = Type.String({ pattern: UNNAMED_OR_NAME.replace('{0,', '{1,') });

/** Something per vector, by its name. */
export function namedVectors<S extends TSchema>(
  schema: S,
  { name = vectorNameSchema, ...options }: { maxProperties?: number; name?: typeof vectorNameSchema } = {},
) {
  return Type.Record(name, schema, {
    additionalProperties: false,
    'x-names':
      name === sparseNameSchema ? '1 to 255 characters and no control characters' : 'at most 255 characters and no control characters',
    ...options,
  });
}

/** `{indices, values}` is a sparse vector, never two vectors of these names. */
const namedVectorsSchema = Type.Refine(
  namedVectors(anyVectorSchema),
  (vectors: object) => !('indices' in vectors && 'values' in vectors),
  () => 'a sparse vector must be named; give it as {"<name>": {"indices": […], "values": […]}}',
);

export const vectorInputSchema = Type.Union([denseVectorSchema, multiVectorSchema, inference, documentSchema, namedVectorsSchema], {
  title: 'VectorInput',
});

/** The document has one of two spellings. */
const documentedVector = { vector: vectorInputSchema };
const vectorMembers = { vector: Type.Optional(vectorInputSchema), vectors: Type.Optional(vectorInputSchema) };

const hasOneVector = (value: object) => 'vector' in value !== 'vectors' in value;
const oneVectorText = (value: object) =>
  'vector' in value ? 'give either `vector` or its other spelling `vectors`, not both' : 'required member `vector` is missing';

export const pointStructSchema = Type.Refine(
  strict(
    { id: pointIdSchema, ...vectorMembers, payload: maybe(payloadSchema) },
    { title: 'PointStruct', 'x-written': strict({ id: pointIdSchema, ...documentedVector, payload: maybe(payloadSchema) }) },
  ),
  hasOneVector,
  oneVectorText,
);

/** A point may be written without vectors; an update of none is no update. */
function namesVectors({ vector, vectors }: { readonly vector?: object | undefined; readonly vectors?: object | undefined }): boolean {
  const given = vector ?? vectors ?? [];
  // A message of gRPC has its numbers elsewhere, and an empty array in their place.
  return Array.isArray(given) || Object.keys(given).length > 0;
}

export const pointVectorsSchema = Type.Refine(
  Type.Refine(
    strict(
      { id: pointIdSchema, ...vectorMembers },
      { title: 'PointVectors', 'x-written': strict({ id: pointIdSchema, ...documentedVector }) },
    ),
    hasOneVector,
    oneVectorText,
  ),
  namesVectors,
  () => 'must specify vectors to update for point, and `vector` names none',
);

/** Upserts per request; the body limit usually binds first. */
export const POINTS_PER_REQUEST_MAX = 1_000_000;

const pointIds = Type.Array(pointIdSchema, { maxItems: POINTS_PER_REQUEST_MAX });

const batchSchema = Type.Refine(
  strict(
    {
      ids: pointIds,
      vectors: Type.Union([
        Type.Array(denseVectorSchema, { maxItems: POINTS_PER_REQUEST_MAX }),
        Type.Array(multiVectorSchema, { maxItems: POINTS_PER_REQUEST_MAX }),
        Type.Array(documentSchema, { maxItems: POINTS_PER_REQUEST_MAX }),
        notYet('inference on the server in place of the unnamed vector', Type.Array(inferenceShape, { minItems: 1 })),
        namedVectors(
          Type.Union([
            Type.Array(Type.Union([denseVectorSchema, multiVectorSchema, sparseVectorSchema, documentSchema]), {
              maxItems: POINTS_PER_REQUEST_MAX,
            }),
          ]),
        ),
      ]),
      payloads: maybe(Type.Array(Type.Union([payloadSchema, Type.Null()]))),
    },
    { title: 'PointsBatch' },
  ),
  (batch) => batchMismatch(batch) === undefined,
  (batch) => batchMismatch(batch) ?? '',
);

function batchMismatch(batch: { ids: readonly unknown[]; vectors: object; payloads?: readonly unknown[] | null }): string | undefined {
  const expected = batch.ids.length;
  const columns: [string, unknown][] = Array.isArray(batch.vectors)
    ? [['vectors', batch.vectors]]
    : Object.entries(batch.vectors).map(([name, column]) => [`vectors.${name}`, column]);
  if (batch.payloads) columns.push(['payloads', batch.payloads]);
  for (const [name, column] of columns) {
    if (Array.isArray(column) && column.length !== expected) {
      return `\`${name}\` has ${column.length} items and \`ids\` has ${expected}; both lists must have the same length`;
    }
  }
  return undefined;
}

const writeMembers = {
  shard_key: maybe(shardKeySelectorSchema),
  update_filter: maybe(filterSchema),
};

const upsertMode = maybe(oneOf('upsert', 'insert_only', 'update_only'));

export const upsertSchema = Type.Union(
  [
    strict(
      { points: Type.Array(pointStructSchema, { maxItems: POINTS_PER_REQUEST_MAX }), ...writeMembers, update_mode: upsertMode },
      { title: 'UpsertPointsList' },
    ),
    strict({ batch: batchSchema, ...writeMembers, update_mode: upsertMode }, { title: 'UpsertPointsBatch' }),
  ],
  { title: 'UpsertPoints' },
);

const selectorMembers = { points: maybe(pointIds), filter: maybe(filterSchema) };
type Selecting = { points?: unknown; filter?: unknown };
const given = (value: unknown) => value !== undefined && value !== null;
const selectsOnce = (value: Selecting) => given(value.points) !== given(value.filter);
const selectsOnceText = (value: Selecting) =>
  given(value.points) ? 'give either `points` or `filter`, not both' : 'required member `points` (ids) or `filter` is missing';

/** As the document says it: by ids or by filter, each with what else there may be. */
function selectedBy<P extends Record<string, TSchema>>(members: P, [byIds, byFilter]: readonly [string, string]) {
  const others = { ...members, shard_key: maybe(shardKeySelectorSchema) };
  return Type.Union([
    strict({ ...others, points: pointIds }, { title: byIds }),
    strict({ ...others, filter: filterSchema }, { title: byFilter }),
  ]);
}

export const pointSelectorSchema = Type.Refine(
  strict(
    { ...selectorMembers, shard_key: maybe(shardKeySelectorSchema) },
    { title: 'PointsSelector', 'x-written': selectedBy({}, ['PointIdsList', 'FilterSelector']) },
  ),
  selectsOnce,
  selectsOnceText,
);

export const updateVectorsSchema = strict(
  { points: Type.Array(pointVectorsSchema, { maxItems: POINTS_PER_REQUEST_MAX }), ...writeMembers },
  { title: 'UpdateVectors' },
);

export const deleteVectorsSchema = Type.Refine(
  strict(
    {
      ...selectorMembers,
      vector: Type.Optional(Type.Array(vectorNameSchema, { minItems: 1 })),
      vectors: Type.Optional(Type.Array(vectorNameSchema, { minItems: 1 })),
      shard_key: maybe(shardKeySelectorSchema),
    },
    {
      title: 'DeleteVectors',
      'x-written': selectedBy({ vector: Type.Array(vectorNameSchema, { minItems: 1 }) }, ['DeleteVectorsByIds', 'DeleteVectorsByFilter']),
    },
  ),
  (value) => selectsOnce(value) && hasOneVector(value),
  (value) => (selectsOnce(value) ? oneVectorText(value) : selectsOnceText(value)),
);

/** A JSON path such as `a.b`, `a[].b`, `a[0]` or `"quo ted".x`; the engine says where one cannot be read. */
export const payloadKeySchema = Type.String({ minLength: 1, maxLength: 1024 });

export const setPayloadSchema = Type.Refine(
  strict(
    { payload: payloadSchema, ...selectorMembers, key: maybe(payloadKeySchema), shard_key: maybe(shardKeySelectorSchema) },
    {
      title: 'SetPayload',
      'x-written': selectedBy({ payload: payloadSchema, key: maybe(payloadKeySchema) }, ['SetPayloadByIds', 'SetPayloadByFilter']),
    },
  ),
  selectsOnce,
  selectsOnceText,
);

const payloadKeys = Type.Array(payloadKeySchema, { minItems: 1, maxItems: 10_000 });

export const deletePayloadSchema = Type.Refine(
  strict(
    { keys: payloadKeys, ...selectorMembers, shard_key: maybe(shardKeySelectorSchema) },
    { title: 'DeletePayload', 'x-written': selectedBy({ keys: payloadKeys }, ['DeletePayloadByIds', 'DeletePayloadByFilter']) },
  ),
  selectsOnce,
  selectsOnceText,
);

export const OPERATIONS_PER_BATCH_MAX = 1_000;

/** One step of `points/batch`: an object with exactly one member, which names the operation. */
export const batchStepSchema = Type.Union(
  [
    strict({ upsert: upsertSchema }, { title: 'UpsertOperation' }),
    strict({ delete: pointSelectorSchema }, { title: 'DeleteOperation' }),
    strict({ set_payload: setPayloadSchema }, { title: 'SetPayloadOperation' }),
    strict({ overwrite_payload: setPayloadSchema }, { title: 'OverwritePayloadOperation' }),
    strict({ delete_payload: deletePayloadSchema }, { title: 'DeletePayloadOperation' }),
    strict({ clear_payload: pointSelectorSchema }, { title: 'ClearPayloadOperation' }),
    strict({ update_vectors: updateVectorsSchema }, { title: 'UpdateVectorsOperation' }),
    strict({ delete_vectors: deleteVectorsSchema }, { title: 'DeleteVectorsOperation' }),
  ],
  { title: 'UpdateOperation' },
);

export const pointsBatchSchema = strict(
  { operations: Type.Array(batchStepSchema, { maxItems: OPERATIONS_PER_BATCH_MAX }) },
  { title: 'UpdateOperations' },
);

const paths = Type.Array(payloadKeySchema, { maxItems: 1_000 });

export const withPayloadSchema = Type.Union(
  [
    Type.Boolean(),
    paths,
    strict({ include: paths }, { title: 'PayloadSelectorInclude' }),
    strict({ exclude: paths }, { title: 'PayloadSelectorExclude' }),
  ],
  { title: 'WithPayload' },
);
export type WithPayload = Static<typeof withPayloadSchema>;

export const withVectorSchema = Type.Union([Type.Boolean(), Type.Array(vectorNameSchema)], { title: 'WithVector' });
export type WithVector = Static<typeof withVectorSchema>;

export const updateResultSchema = Type.Object({ operation_id: count, status: oneOf('Completed', 'completed') }, { title: 'UpdateResult' });
/**
 * What a write answers; `operation_id` grows by one with each write of a collection. The status is in lower case for clients that can read no other, or
 * where the operator chose that.
 */
export type UpdateResult = Static<typeof updateResultSchema>;

const arrayOutput = [Type.Array(Type.Number()), Type.Array(Type.Array(Type.Number()))] as const;
const namedVectorOutput = Type.Union([
  ...arrayOutput,
  Type.Object({ indices: Type.Array(Type.Integer()), values: Type.Array(Type.Number()) }),
]);
/** Of a sparse vector by ascending index. */
export type NamedVectorOutput = Static<typeof namedVectorOutput>;

const vectorOutputSchema = Type.Union([...arrayOutput, Type.Record(Type.String(), namedVectorOutput)], { title: 'VectorOutput' });
/** Vectors as they are returned: where the unnamed one is the only one as an array, else as a map. */
export type VectorOutput = Static<typeof vectorOutputSchema>;

const recordMembers = {
  id: pointIdSchema,
  payload: Type.Optional(payloadSchema),
  vector: Type.Optional(vectorOutputSchema),
  shard_key: Type.Optional(shardKeySchema),
  order_value: Type.Optional(Type.Union([Type.Number(), Type.BigInt()])),
};

export const pointRecordSchema = Type.Object(recordMembers, { title: 'Record' });
export type PointRecord = Static<typeof pointRecordSchema>;

export const scoredPointSchema = Type.Object({ ...recordMembers, version: count, score: Type.Number() }, { title: 'ScoredPoint' });
export type ScoredPoint = Static<typeof scoredPointSchema>;
