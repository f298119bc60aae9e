/**
 * Where a body of REST and the message of the protocol for the same differ in shape. What a rule cannot say exactly it refuses
 * (`Inexpressible`), and the call goes over REST.
 */
import { create, type Message } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { DenseVectorSchema } from '@qdrant/js-client-grpc';
import { Inexpressible, toValue, type WritingRules } from '@sextant/contracts-protocol';
import type { DenseVector, PointId, SparseVector } from '../contract/vector-types.ts';
import type { JsonValue } from '../json.ts';
import { expression, query } from './query-rules.ts';

export type Members = { readonly [name: string]: unknown };

export const writingRules: WritingRules = {
  'qdrant.PointId': (id: PointId) => (typeof id === 'string' ? { uuid: id } : { num: BigInt(id) }),
  'qdrant.Value': (json: JsonValue) => toValue(exact(json)),

  'qdrant.PointStruct': ({ vector, vectors = vector, ...members }: Members) => ({ ...members, vectors }),
  'qdrant.PointVectors': ({ vector, vectors = vector, ...members }: Members) => ({ ...members, vectors }),
  'qdrant.Vectors': (vectors: unknown) => (isVector(vectors) || isSparse(vectors) ? { vector: vectors } : { vectors: { vectors } }),
  'qdrant.Vector': vectorOf,
  'qdrant.VectorInput': (example: unknown) => (isPointId(example) ? { id: example } : vectorOf(example)),
  'qdrant.VectorExample': (example: unknown) => (isPointId(example) ? { id: example } : { vector: example }),
  'qdrant.TargetVector': (target: unknown) => ({ single: target }),
  'qdrant.ContextInput': (pairs: unknown) => ({ pairs: listOf(pairs) }),

  'qdrant.PointsSelector': ({ points, filter, ...others }: Members) => {
    const ids = points === undefined || points === null ? undefined : { ids: points };
    return { ...others, points: ids, filter };
  },
  'qdrant.WithPayloadSelector': (shown: unknown) => {
    if (typeof shown === 'boolean') return { enable: shown };
    if (Array.isArray(shown)) return { include: { fields: shown } };
    const { include, exclude, ...others } = shown as Members;
    return { ...others, include: include && { fields: include }, exclude: exclude && { fields: exclude } };
  },
  'qdrant.WithVectorsSelector': (shown: unknown) => (typeof shown === 'boolean' ? { enable: shown } : { include: { names: shown } }),
  'qdrant.WithLookup': (lookup: unknown) => (typeof lookup === 'string' ? { collection: lookup } : withVectors(lookup as Members)),
  'qdrant.LookupLocation': ({ collection, vector, ...others }: Members) => ({
    ...others,
    collection_name: collection,
    vector_name: vector,
  }),

  'qdrant.Filter': ({ must, should, must_not, ...others }: Members) => ({
    ...others,
    must: conditions(must),
    should: conditions(should),
    must_not: conditions(must_not),
  }),
  'qdrant.Condition': condition,
  'qdrant.FieldCondition': ({ range, ...members }: Members) => {
    const bounds = Object.values((range ?? {}) as Members);
    return bounds.some((bound) => typeof bound === 'string') ? { ...members, datetime_range: range } : { ...members, range };
  },
  'google.protobuf.Timestamp': (written: unknown) => timestamp(written),
  'qdrant.Match': match,

  'qdrant.SearchParams': (params: Members) => params,
  'qdrant.OrderBy': (order: unknown) => (typeof order === 'string' ? { key: order } : (order as Members)),
  'qdrant.StartFrom': (start: unknown) => {
    if (typeof start === 'string') return { datetime: start };
    return Number.isSafeInteger(start) || typeof start === 'bigint' ? { integer: start } : { float: start };
  },
  'qdrant.PrefetchQuery': ({ prefetch, ...members }: Members) => ({ ...members, prefetch: listOf(prefetch) }),
  'qdrant.Query': query,
  'qdrant.Expression': expression,
  'qdrant.Rrf': (fusion: Members) => fusion,
};

/** An array of arrays is another kind of vector, which goes over REST. */
function vectorOf(vector: unknown): Members {
  if (isSparse(vector)) return { sparse: { indices: vector.indices, values: Array.from(numbersOf(vector.values), Math.fround) } };
  if (!isVector(vector)) throw new Inexpressible('neither a dense vector nor a sparse one');
  return { dense: create(DenseVectorSchema, { data: numbersOf(vector) }) };
}

/** Components as the service keeps them. */
export function numbersOf(vector: DenseVector): number[] {
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

/** One, or a list of them. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value : [value];
}

/** The protocol cannot tell an empty list from none. */
function conditions(value: unknown): readonly unknown[] | undefined {
  const list = listOf(value);
  if (list?.length === 0) throw new Inexpressible('an empty list of conditions');
  return list;
}

/** A condition on a field has its key beside the test; the others are named by their one member. */
function condition(value: Members): Members {
  if ('key' in value) return { field: value };
  const { is_empty, is_null, has_id, has_vector, slice, nested } = value;
  if (has_id !== undefined) return { has_id: { has_id } };
  if (has_vector !== undefined) return { has_vector: { has_vector } };
  if (is_empty !== undefined || is_null !== undefined || slice !== undefined || nested !== undefined) return value;
  return { filter: value };
}

function match({ value, any, except, ...texts }: Members): Members {
  if (any !== undefined) return lists(any, 'keywords', 'integers');
  if (except !== undefined) return lists(except, 'except_keywords', 'except_integers');
  if (typeof value === 'string') return { keyword: value };
  if (typeof value === 'boolean') return { boolean: value };
  return value === undefined ? texts : { integer: value };
}

function lists(values: unknown, strings: string, integers: string): Members {
  if (!Array.isArray(values)) throw new Inexpressible('not a list');
  return values.every((value) => typeof value === 'string') ? { [strings]: { strings: values } } : { [integers]: { integers: values } };
}

/** Milliseconds in UTC, which every reader of the protocol keeps. */
const EXACT_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

function timestamp(written: unknown): Message {
  if (typeof written !== 'string' || !EXACT_TIME.test(written)) throw new Inexpressible('not a time in UTC');
  const ms = Date.parse(written);
  if (Number.isNaN(ms)) throw new Inexpressible('not a time');
  return timestampFromMs(ms);
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** The value, if all its integers are signed 64-bit ones, which is what the protocol has. */
function exact(json: JsonValue): JsonValue {
  if (typeof json === 'bigint' && (json < INT64_MIN || json > INT64_MAX)) throw new Inexpressible('an integer beyond 64 bits with a sign');
  if (typeof json === 'object' && json !== null) for (const member of Object.values(json)) exact(member);
  return json;
}

/** REST has two spellings of what the protocol calls `with_vectors`. */
export function withVectors({ with_vector: one, with_vectors: many, ...members }: Members): Members {
  if (one !== undefined && many !== undefined) throw new Inexpressible('with_vector and with_vectors');
  return { ...members, with_vectors: many ?? one };
}
