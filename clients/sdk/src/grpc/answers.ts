/** From the messages of the protocol to what REST answers. Components and scores are float32; in few digits they are what REST says. */
import type {
  BatchResult,
  CountResponse,
  FacetHit as FacetHitMessage,
  FacetResponse,
  GetResponse,
  GroupsResult,
  PointsOperationResponse,
  QueryBatchResponse,
  QueryResponse,
  RetrievedPoint,
  ScoredPoint as ScoredPointMessage,
  ScrollResponse,
  SearchMatrixOffsetsResponse,
  SearchMatrixPairsResponse,
  UpdateBatchResponse,
  UpdateResult as UpdateResultMessage,
  VectorOutput,
  VectorsOutput,
} from '@qdrant/js-client-grpc';
import { exactInteger, fromValues, Inexpressible } from '@sextant/contracts-protocol';
import { shortestFloat32 } from '@sextant/foundation-std';
import type {
  FacetHit,
  PointGroup,
  PointId,
  PointRecord,
  ScoredPoint,
  SearchMatrixOffsets,
  SearchMatrixPairs,
  UpdateResult,
} from '../contract/vector-types.generated.ts';

/** The client's package does not export it by name. */
type PointIdMessage = NonNullable<RetrievedPoint['id']>;

export function updated({ result }: PointsOperationResponse): UpdateResult {
  return updateOf(result);
}

export function updatedAll({ result }: UpdateBatchResponse): readonly UpdateResult[] {
  return result.map(updateOf);
}

export function retrieved({ result }: GetResponse): readonly PointRecord[] {
  return result.map(recordOf);
}

export function scrolled({ result, nextPageOffset: next }: ScrollResponse) {
  return { points: result.map(recordOf), next_page_offset: next === undefined ? null : idOf(next) };
}

export function counted({ result }: CountResponse) {
  return { count: Number(result?.count ?? 0) };
}

export function faceted({ hits }: FacetResponse) {
  return { hits: hits.map(facetOf) };
}

/** Of a search, a recommendation or a discovery. */
export function searched({ result }: { readonly result: readonly ScoredPointMessage[] }): readonly ScoredPoint[] {
  return result.map(hitOf);
}

export function searchedAll({ result }: { readonly result: readonly BatchResult[] }): readonly (readonly ScoredPoint[])[] {
  return result.map((hits) => hits.result.map(hitOf));
}

export function queried({ result }: QueryResponse) {
  return { points: result.map(hitOf) };
}

export function queriedAll({ result }: QueryBatchResponse) {
  return result.map((hits) => ({ points: hits.result.map(hitOf) }));
}

export function grouped({ result }: { readonly result?: GroupsResult | undefined }): { readonly groups: readonly PointGroup[] } {
  const groups = (result?.groups ?? []).map(({ id, hits, lookup }) => ({
    id: typeof id?.kind.value === 'bigint' ? exactInteger(id.kind.value) : (id?.kind.value ?? ''),
    hits: hits.map(hitOf),
    ...(lookup === undefined ? {} : { lookup: recordOf(lookup) }),
  }));
  return { groups };
}

export function paired({ result }: SearchMatrixPairsResponse): SearchMatrixPairs {
  return { pairs: (result?.pairs ?? []).map(({ a, b, score }) => ({ a: idOf(a), b: idOf(b), score: scoreOf(score) })) };
}

export function offset({ result }: SearchMatrixOffsetsResponse): SearchMatrixOffsets {
  return {
    offsets_row: (result?.offsetsRow ?? []).map(Number),
    offsets_col: (result?.offsetsCol ?? []).map(Number),
    scores: (result?.scores ?? []).map(scoreOf),
    ids: (result?.ids ?? []).map(idOf),
  };
}

/** What is no number has no score in JSON. */
function scoreOf(score: number): number | null {
  return Number.isNaN(score) ? null : shortestFloat32(score);
}

function updateOf(result: UpdateResultMessage | undefined): UpdateResult {
  return { operation_id: Number(result?.operationId ?? 0), status: 'Completed' };
}

function recordOf({ id, payload, vectors, orderValue }: RetrievedPoint | ScoredPointMessage): PointRecord {
  const order = orderValue?.variant.value;
  const vector = vectors === undefined ? undefined : vectorsOf(vectors);
  return {
    id: idOf(id),
    ...(Object.keys(payload).length > 0 && { payload: fromValues(payload) }),
    ...(vector !== undefined && { vector }),
    ...(order !== undefined && { order_value: typeof order === 'bigint' ? exactInteger(order) : order }),
  };
}

function hitOf(point: ScoredPointMessage): ScoredPoint {
  return { ...recordOf(point), score: shortestFloat32(point.score), version: Number(point.version) };
}

function idOf(id: PointIdMessage | undefined): PointId {
  const value = id?.pointIdOptions.value;
  return typeof value === 'bigint' ? exactInteger(value) : (value ?? '');
}

function vectorsOf({ vectorsOptions: { case: kind, value } }: VectorsOutput): PointRecord['vector'] {
  if (kind === undefined) return undefined;
  if (kind === 'vector') return vectorOf(value);
  return Object.fromEntries(Object.entries(value.vectors).map(([name, vector]) => [name, vectorOf(vector)]));
}

/** Another kind of vector is read over REST, which has a shape for it. */
function vectorOf({ vector }: VectorOutput): readonly number[] {
  if (vector.case !== 'dense') throw new Inexpressible('not a dense vector');
  return vector.value.data.map(shortestFloat32);
}

function facetOf({ value, count }: FacetHitMessage): FacetHit {
  const kept = value?.variant.value;
  return { value: typeof kept === 'bigint' ? exactInteger(kept) : (kept ?? ''), count: Number(count) };
}
