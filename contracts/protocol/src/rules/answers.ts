// SPDX-License-Identifier: Apache-2.0
/**
 * Answers about points, each with what REST has as its `result` and `time`. Components and scores are float32 in the protocol; read into as few
 * digits as tell them apart, they are what REST says.
 */
import { create } from '@bufbuild/protobuf';
import {
  type BatchResult,
  DenseVectorSchema,
  type FacetHit,
  type FacetValue,
  type GroupId,
  type SearchMatrixOffsets as OffsetsMessage,
  type OrderValue,
  type QueryBatchResponse,
  type RetrievedPoint,
  type ScoredPoint,
  type UpdateResult,
  type VectorOutput,
  type VectorsOutput,
} from '@qdrant/js-client-grpc';
import type {
  FacetHit as FacetHitResult,
  ScoredPoint as Hit,
  MatrixOffsets,
  MatrixPair,
  PointGroup,
  PointRecord,
} from '@sextant/contracts-vector';
import { shortestFloat32 } from '@sextant/foundation-std/portable';
import { Inexpressible } from '../inexpressible.ts';
import { fromValues, isInt64 } from '../json-values.ts';
import type { MessageReader } from '../message-reader.ts';
import { type Members, type Rule, type Rules, readChoice } from '../rule.ts';

type Answer = { readonly result: Members; readonly time: number };

export const answerRules: Rules = {
  'qdrant.UpdateResult': {
    read: ({ operationId }: UpdateResult) => ({ operation_id: Number(operationId ?? 0), status: 'Completed' }),
    write: ({ operation_id }: Members) => ({ operation_id, status: 'completed' }),
  },
  'qdrant.RetrievedPoint': { read: readRecord, write: writeRecord },
  'qdrant.ScoredPoint': {
    read: (hit: ScoredPoint, reader) => ({
      ...readRecord(hit, reader),
      score: shortestFloat32(hit.score),
      version: Number(hit.version),
    }),
    write: (hit: Hit) => ({ ...writeRecord(hit), score: Number(hit.score), version: hit.version }),
  },
  'qdrant.OrderValue': {
    read: ({ variant }: OrderValue, reader) => readChoice(variant, reader),
    write: (order: number | bigint) => {
      const integer = typeof order === 'bigint' || Number.isSafeInteger(order) ? BigInt(order) : undefined;
      return integer !== undefined && isInt64(integer) ? { int: integer } : { float: Number(order) };
    },
  },
  'qdrant.VectorsOutput': {
    read: readVectors,
    write: (vectors: unknown) => (Array.isArray(vectors) ? { vector: vectors } : { vectors: { vectors } }),
  },
  'qdrant.VectorOutput': { read: readVector, write: writeVector },

  'qdrant.ScrollResponse': {
    read: (message: never, reader) => {
      const { result: points, next_page_offset = null } = reader.members(message);
      return { result: { points, next_page_offset } };
    },
    write: ({ result: { points, next_page_offset }, time }: Answer) => ({ result: points, next_page_offset, time }),
  },
  'qdrant.FacetResponse': {
    read: (message: never, reader) => ({ result: { hits: reader.members(message).hits } }),
    write: ({ result: { hits }, time }: Answer) => ({ hits, time }),
  },
  'qdrant.FacetHit': {
    read: ({ value, count }: FacetHit, reader) => ({ value: reader.optional(value) ?? '', count: Number(count) }),
  },
  'qdrant.FacetValue': {
    read: ({ variant }: FacetValue, reader) => readChoice(variant, reader),
    write: (value: FacetHitResult['value']) => {
      if (typeof value === 'string') return { string_value: value };
      return typeof value === 'boolean' ? { bool_value: value } : { integer_value: value };
    },
  },
  'qdrant.BatchResult': {
    read: ({ result }: BatchResult, reader) => reader.readAll(result),
    write: (result: unknown) => ({ result }),
  },
  'qdrant.QueryResponse': {
    read: (message: never, reader) => ({ result: { points: reader.members(message).result } }),
    write: ({ result: { points }, time }: Answer) => ({ result: points, time }),
  },
  'qdrant.QueryBatchResponse': {
    read: ({ result }: QueryBatchResponse, reader) => ({ result: result.map((hits) => ({ points: reader.read(hits) })) }),
    write: ({ result, time }: { readonly result: readonly Members[]; readonly time: number }) => ({
      result: result.map(({ points }) => points),
      time,
    }),
  },
  'qdrant.GroupId': {
    read: ({ kind }: GroupId, reader) => readChoice(kind, reader),
    write: (id: PointGroup['id']) => {
      if (typeof id === 'string') return { string_value: id };
      return id < 0 ? { integer_value: id } : { unsigned_value: id };
    },
  },
  'qdrant.SearchMatrixPair': {
    read: (pair: never, reader) => {
      const { score, ...ids } = reader.members(pair);
      return { ...ids, score: readScore(score as number) };
    },
    write: ({ score, ...ids }: MatrixPair) => ({ ...ids, score: score ?? Number.NaN }),
  },
  'qdrant.SearchMatrixOffsets': {
    read: (offsets: OffsetsMessage, reader) => ({ ...reader.members(offsets), scores: offsets.scores.map(readScore) }),
    write: ({ scores, ...offsets }: MatrixOffsets) => ({ ...offsets, scores: scores.map((score) => score ?? Number.NaN) }),
  },
};

/** What is no number has no score in JSON. */
function readScore(score: number): number | null {
  return Number.isNaN(score) ? null : shortestFloat32(score);
}

function readRecord({ id, payload, vectors, shardKey, orderValue }: RetrievedPoint | ScoredPoint, reader: MessageReader): Members {
  const vector = reader.optional(vectors);
  const key = reader.optional(shardKey);
  const order = reader.optional(orderValue);
  return {
    id: reader.optional(id) ?? '',
    payload: fromValues(payload),
    ...(vector !== undefined && { vector }),
    ...(key !== undefined && { shard_key: key }),
    ...(order !== undefined && { order_value: order }),
  };
}

function writeRecord({ id, payload, vector, shard_key, order_value }: PointRecord): Members {
  return { id, payload, vectors: vector, shard_key, order_value };
}

function readVectors({ vectorsOptions: { case: kind, value } }: VectorsOutput, reader: MessageReader): unknown {
  if (kind === undefined) return undefined;
  if (kind === 'vectors') return Object.fromEntries(Object.entries(value.vectors).map(([name, vector]) => [name, reader.read(vector)]));
  // Only vectors with names can be of another kind.
  if (value.vector.case !== 'dense') throw new Inexpressible('an unnamed vector that is not dense');
  return reader.read(value);
}

/** Of each kind that REST has a shape for; another is read over REST. */
function readVector({ vector }: VectorOutput): unknown {
  if (vector.case === 'dense') return vector.value.data.map(shortestFloat32);
  if (vector.case === 'sparse') return { indices: vector.value.indices, values: vector.value.values.map(shortestFloat32) };
  throw new Inexpressible('a vector of a kind that is not known here');
}

type Vector =
  | readonly number[]
  | readonly (readonly number[])[]
  | { readonly indices: readonly number[]; readonly values: readonly number[] };

function writeVector(vector: Vector): ReturnType<NonNullable<Rule['write']>> {
  if (!isArray(vector)) return { sparse: vector };
  // Large whole components are bigint once they are parsed, as everything is that JSON writes without a point.
  if (!isMulti(vector)) return { dense: create(DenseVectorSchema, { data: vector.map(Number) }) };
  return { multi_dense: { vectors: vector.map((each) => create(DenseVectorSchema, { data: each.map(Number) })) } };
}

/** `Array.isArray` does not narrow readonly arrays. */
function isArray(vector: Vector): vector is readonly number[] | readonly (readonly number[])[] {
  return Array.isArray(vector);
}

function isMulti(vector: readonly number[] | readonly (readonly number[])[]): vector is readonly (readonly number[])[] {
  return typeof vector[0] === 'object';
}
