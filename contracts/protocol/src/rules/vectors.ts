// SPDX-License-Identifier: Apache-2.0
/** Points: their ids, payloads and vectors, and which of them are meant. */
import { create } from '@bufbuild/protobuf';
import {
  DenseVectorSchema,
  type MultiDenseVector,
  type NamedVectors,
  type PointStruct,
  type PointsSelector,
  type SparseVector as SparseMessage,
  type Struct,
  type TargetVector,
  type Value,
  type Vector,
  type VectorExample,
  type VectorInput,
  type Vectors,
  type VectorsSelector,
  type WithPayloadSelector,
  type WithVectorsSelector,
} from '@qdrant/js-client-grpc';
import type { RawDenseVector as DenseVector, PointId, RawSparseVector as SparseVector } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std/portable';
import { Inexpressible } from '../inexpressible.ts';
import { exactInteger, fromValue, fromValues, isInt64, toValue } from '../json-values.ts';
import type { MessageReader } from '../message-reader.ts';
import { type Members, type Rules, readChoice } from '../rule.ts';

/** The client's package does not export it by name. */
export type PointIdMessage = NonNullable<PointStruct['id']>;

/** A point of a write; REST has two spellings of the member. */
const withVectorsOfPoint = ({ vector, vectors = vector, ...members }: Members): Members => ({ ...members, vectors });

export const vectorRules: Rules = {
  'qdrant.PointId': {
    read: ({ pointIdOptions: id }: PointIdMessage) => (id.case === 'num' ? exactInteger(id.value) : id.value),
    write: (id: PointId) => (typeof id === 'string' ? { uuid: id } : { num: BigInt(id) }),
  },
  'qdrant.Value': {
    read: (value: Value) => fromValue(value),
    write: (json: JsonValue, isExact) => toValue(isExact ? exact(json) : json),
  },
  'qdrant.Struct': { read: ({ fields }: Struct) => fromValues(fields) },
  'qdrant.PointStruct': { write: withVectorsOfPoint },
  'qdrant.PointVectors': { write: withVectorsOfPoint },

  'qdrant.Vectors': {
    read: ({ vectorsOptions }: Vectors, reader) => readChoice(vectorsOptions, reader),
    write: (vectors: unknown) => (isVector(vectors) || isSparse(vectors) ? { vector: vectors } : { vectors: { vectors } }),
  },
  'qdrant.NamedVectors': {
    read: ({ vectors }: NamedVectors, reader) =>
      Object.fromEntries(Object.entries(vectors).map(([name, vector]) => [name, reader.read(vector)])),
  },
  'qdrant.Vector': {
    read: (vector: Vector, reader) => (vector.vector.case === undefined ? olderVector(vector, reader) : readChoice(vector.vector, reader)),
    write: vectorOf,
  },
  'qdrant.DenseVector': { read: ({ data }: { readonly data: readonly number[] }, reader) => reader.vector(data) },
  'qdrant.SparseVector': { read: ({ indices, values }: SparseMessage) => ({ indices, values }) },
  'qdrant.MultiDenseVector': { read: ({ vectors }: MultiDenseVector, reader) => vectors.map(({ data }) => reader.vector(data)) },
  'qdrant.VectorInput': {
    read: ({ variant }: VectorInput, reader) =>
      variant.case === undefined ? nothingSet('VectorInput', 'a vector or the id of a point') : readChoice(variant, reader),
    write: (example: unknown) => (isPointId(example) ? { id: example } : vectorOf(example)),
  },
  'qdrant.VectorExample': {
    read: ({ example }: VectorExample, reader) => readChoice(example, reader),
    write: (example: unknown) => (isPointId(example) ? { id: example } : { vector: example }),
  },
  'qdrant.TargetVector': {
    read: ({ target }: TargetVector, reader) => readChoice(target, reader),
    write: (target: unknown) => ({ single: target }),
  },

  'qdrant.PointsSelector': {
    read: ({ pointsSelectorOneOf: { case: kind, value } }: PointsSelector, reader) => {
      if (kind === undefined) return {};
      return kind === 'points' ? { points: reader.readAll(value.ids) } : { filter: reader.read(value) };
    },
    write: ({ points, filter, ...others }: Members) => {
      const ids = points === undefined || points === null ? undefined : { ids: points };
      return { ...others, points: ids, filter };
    },
  },
  'qdrant.VectorsSelector': { read: ({ names }: VectorsSelector) => names },
  'qdrant.WithVectorsSelector': {
    read: ({ selectorOptions }: WithVectorsSelector, reader) => readChoice(selectorOptions, reader),
    write: (shown: unknown) => (typeof shown === 'boolean' ? { enable: shown } : { include: { names: shown } }),
  },
  'qdrant.WithPayloadSelector': {
    read: ({ selectorOptions: { case: kind, value } }: WithPayloadSelector) => {
      if (kind === undefined || kind === 'enable') return value;
      return { [kind]: value.fields };
    },
    write: (shown: unknown) => {
      if (typeof shown === 'boolean') return { enable: shown };
      if (Array.isArray(shown)) return { include: { fields: shown } };
      const { include, exclude, ...others } = shown as Members;
      return { ...others, include: include && { fields: include }, exclude: exclude && { fields: exclude } };
    },
  },
};

/** As clients before 1.16 send them. */
function olderVector({ data, indices, vectorsCount }: Vector, reader: MessageReader): unknown {
  if (indices !== undefined) return { indices: indices.data, values: data };
  if (vectorsCount === undefined || vectorsCount === 0) return reader.vector(data);
  const length = Math.ceil(data.length / vectorsCount);
  return Array.from({ length: vectorsCount }, (_, index) => reader.vector(data.slice(index * length, (index + 1) * length)));
}

/** An array of arrays is another kind of vector, which goes over REST. */
function vectorOf(vector: unknown): Members {
  if (isSparse(vector)) return { sparse: { indices: vector.indices, values: float32Of(vector.values) } };
  if (!isVector(vector)) throw new Inexpressible('neither a dense vector nor a sparse one');
  return { dense: create(DenseVectorSchema, { data: numbersOf(vector) }) };
}

/** Components as the service keeps them. */
export function float32Of(vector: DenseVector): number[] {
  return Array.from(numbersOf(vector), Math.fround);
}

function numbersOf(vector: DenseVector): number[] {
  const data = Array.from(vector);
  // JSON has no such numbers; the service says what is wrong with the text that stands for them.
  if (!data.every((component): component is number => Number.isFinite(component))) throw new Inexpressible('a component is no number');
  return data;
}

export function isVector(value: unknown): value is DenseVector {
  return Array.isArray(value) || value instanceof Float32Array;
}

/** Also beside other names: two vectors of these names are a sparse one. */
export function isSparse(value: unknown): value is SparseVector {
  return typeof value === 'object' && value !== null && 'indices' in value && 'values' in value;
}

function isPointId(value: unknown): value is PointId {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string';
}

/** The value, if all its integers are signed 64-bit ones, which is what the protocol has. */
function exact(json: JsonValue): JsonValue {
  if (typeof json === 'bigint' && !isInt64(json)) throw new Inexpressible('an integer beyond 64 bits with a sign');
  if (typeof json === 'object' && json !== null) for (const member of Object.values(json)) exact(member);
  return json;
}

/** A client that sets none of a group's alternatives has forgotten one: to leave it out would widen what it asks for. */
export function nothingSet(type: string, expected: string): never {
  throw new Inexpressible(`qdrant.${type}: expected ${expected}, got a message in which no alternative is set`);
}
