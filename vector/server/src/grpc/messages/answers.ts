/** From the results that REST answers as JSON to the messages of the protocol. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  BatchResultSchema,
  CountResponseSchema,
  FacetResponseSchema,
  GetResponseSchema,
  PointsOperationResponseSchema,
  QueryBatchResponseSchema,
  QueryResponseSchema,
  type RetrievedPointSchema,
  type ScoredPointSchema,
  ScrollResponseSchema,
  SearchBatchResponseSchema,
  SearchGroupsResponseSchema,
  SearchMatrixOffsetsResponseSchema,
  SearchMatrixPairsResponseSchema,
  SearchResponseSchema,
  UpdateBatchResponseSchema,
  UpdateStatus,
} from '@qdrant/js-client-grpc';
import { toValues } from '@sextant/contracts-protocol';
import type {
  FacetHit,
  MatrixOffsets,
  MatrixPair,
  NamedVectorOutput,
  PointGroup,
  PointId,
  PointRecord,
  ScoredPoint,
  ScrollResult,
  UpdateResult,
  VectorOutput,
} from '@sextant/contracts-vector';

type PointInit = MessageInitShape<typeof RetrievedPointSchema>;
type ScoredInit = MessageInitShape<typeof ScoredPointSchema>;

export function updated(result: UpdateResult, time: number) {
  return create(PointsOperationResponseSchema, { result: updateOf(result), time });
}

export function updatedAll(results: readonly UpdateResult[], time: number) {
  return create(UpdateBatchResponseSchema, { result: results.map(updateOf), time });
}

export function retrieved(points: readonly PointRecord[], time: number) {
  return create(GetResponseSchema, { result: points.map(pointOf), time });
}

export function scrolled({ points, next_page_offset: next }: ScrollResult, time: number) {
  return create(ScrollResponseSchema, { result: points.map(pointOf), time, ...(next === null ? {} : { nextPageOffset: idOf(next) }) });
}

export function counted({ count }: { readonly count: number }, time: number) {
  return create(CountResponseSchema, { result: { count: BigInt(count) }, time });
}

export function faceted({ hits }: { readonly hits: readonly FacetHit[] }, time: number) {
  return create(FacetResponseSchema, {
    hits: hits.map(({ value, count }) => ({ value: { variant: facetValue(value) }, count: BigInt(count) })),
    time,
  });
}

export function searched(hits: readonly ScoredPoint[], time: number) {
  return create(SearchResponseSchema, { result: hits.map(hitOf), time });
}

export function searchedAll(searches: readonly (readonly ScoredPoint[])[], time: number) {
  return create(SearchBatchResponseSchema, {
    result: searches.map((hits) => create(BatchResultSchema, { result: hits.map(hitOf) })),
    time,
  });
}

export function paired({ pairs }: { readonly pairs: readonly MatrixPair[] }, time: number) {
  const written = pairs.map(({ a, b, score }) => ({ a: idOf(a), b: idOf(b), score: score ?? Number.NaN }));
  return create(SearchMatrixPairsResponseSchema, { result: { pairs: written }, time });
}

export function offset({ offsets_row, offsets_col, scores, ids }: MatrixOffsets, time: number) {
  const result = {
    offsetsRow: offsets_row.map(BigInt),
    offsetsCol: offsets_col.map(BigInt),
    scores: scores.map((score) => score ?? Number.NaN),
    ids: ids.map(idOf),
  };
  return create(SearchMatrixOffsetsResponseSchema, { result, time });
}

type Queried = { readonly points: readonly ScoredPoint[] };

export function queried({ points }: Queried, time: number) {
  return create(QueryResponseSchema, { result: points.map(hitOf), time });
}

export function queriedAll(queries: readonly Queried[], time: number) {
  return create(QueryBatchResponseSchema, { result: queries.map(({ points }) => ({ result: points.map(hitOf) })), time });
}

export function grouped({ groups }: { readonly groups: readonly PointGroup[] }, time: number) {
  const result = groups.map(({ id, hits, lookup }) => ({
    id: { kind: groupId(id) },
    hits: hits.map(hitOf),
    ...(lookup === undefined ? {} : { lookup: pointOf(lookup) }),
  }));
  return create(SearchGroupsResponseSchema, { result: { groups: result }, time });
}

function groupId(id: PointGroup['id']) {
  if (typeof id === 'string') return { case: 'stringValue' as const, value: id };
  return id < 0 ? { case: 'integerValue' as const, value: BigInt(id) } : { case: 'unsignedValue' as const, value: BigInt(id) };
}

function updateOf({ operation_id: id }: UpdateResult) {
  return { operationId: BigInt(id), status: UpdateStatus.Completed };
}

function pointOf({ id, payload, vector, order_value: order }: PointRecord): PointInit & ScoredInit {
  return {
    id: idOf(id),
    ...(payload === undefined || payload === null ? {} : { payload: toValues(payload) }),
    ...(vector === undefined || vector === null ? {} : { vectors: vectorsOf(vector) }),
    ...(order === undefined ? {} : { orderValue: { variant: orderValue(order) } }),
  };
}

function hitOf(hit: ScoredPoint): ScoredInit {
  return { ...pointOf(hit), score: Number(hit.score), version: BigInt(hit.version) };
}

function idOf(id: PointId) {
  return { pointIdOptions: typeof id === 'string' ? { case: 'uuid' as const, value: id } : { case: 'num' as const, value: BigInt(id) } };
}

function vectorsOf(vectors: VectorOutput) {
  if (isArray(vectors)) return { vectorsOptions: { case: 'vector' as const, value: arrayOf(vectors) } };
  const named = Object.fromEntries(Object.entries(vectors).map(([name, vector]) => [name, namedOf(vector)]));
  return { vectorsOptions: { case: 'vectors' as const, value: { vectors: named } } };
}

function namedOf(vector: NamedVectorOutput) {
  if (isArray(vector)) return arrayOf(vector);
  return { vector: { case: 'sparse' as const, value: { indices: [...vector.indices], values: [...vector.values] } } };
}

type Arrays = readonly number[] | readonly (readonly number[])[];

function arrayOf(vector: Arrays) {
  if (!isMulti(vector)) return denseOf(vector);
  return { vector: { case: 'multiDense' as const, value: { vectors: vector.map((each) => ({ data: each.map(Number) })) } } };
}

function denseOf(vector: readonly number[]) {
  // Large whole components and scores are bigint once they are parsed, as everything is that JSON writes without a point.
  return { vector: { case: 'dense' as const, value: { data: vector.map(Number) } } };
}

function orderValue(order: number | bigint) {
  const integer = typeof order === 'bigint' || Number.isSafeInteger(order) ? BigInt(order) : undefined;
  // The message has signed integers of 64 bits.
  if (integer !== undefined && BigInt.asIntN(64, integer) === integer) return { case: 'int' as const, value: integer };
  return { case: 'float' as const, value: Number(order) };
}

function facetValue(value: FacetHit['value']) {
  switch (typeof value) {
    case 'string':
      return { case: 'stringValue' as const, value };
    case 'boolean':
      return { case: 'boolValue' as const, value };
    default:
      return { case: 'integerValue' as const, value: BigInt(value) };
  }
}

/** `Array.isArray` does not narrow readonly arrays. */
function isArray(vectors: VectorOutput | NamedVectorOutput): vectors is Arrays {
  return Array.isArray(vectors);
}

function isMulti(vector: Arrays): vector is readonly (readonly number[])[] {
  return typeof vector[0] === 'object';
}
