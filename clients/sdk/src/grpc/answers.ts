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
import { shortestFloat32 } from '@sextant/foundation-std/portable';
import type {
  FacetHit,
  PointGroup,
  PointId,
  PointRecord,
  ScoredPoint,
  SearchMatrixOffsets,
  SearchMatrixPairs,
  UpdateResult,
} from '../contract/vector-types.ts';

/** The body that REST would have had. */
type Members = { readonly [name: string]: unknown };
type SparseOutput = { readonly indices: readonly number[]; readonly values: readonly number[] };
type Hits = { readonly result: readonly ScoredPointMessage[] };

/** The client's package does not export it by name. */
type PointIdMessage = NonNullable<RetrievedPoint['id']>;

export function updated({ result }: PointsOperationResponse): UpdateResult {
  return updateOf(result);
}

export function updatedAll({ result }: UpdateBatchResponse): readonly UpdateResult[] {
  return result.map(updateOf);
}

export function retrieved({ result }: GetResponse, body: Members): readonly PointRecord[] {
  return result.map((point) => recordOf(point, showsPayload(body, true)));
}

export function scrolled({ result, nextPageOffset: next }: ScrollResponse, body: Members) {
  const isShown = showsPayload(body, true);
  return { points: result.map((point) => recordOf(point, isShown)), next_page_offset: next === undefined ? null : idOf(next) };
}

export function counted({ result }: CountResponse) {
  return { count: Number(result?.count ?? 0) };
}

export function faceted({ hits }: FacetResponse) {
  return { hits: hits.map(facetOf) };
}

/** Of a search, a recommendation or a discovery. */
export function searched({ result }: Hits, body: Members): readonly ScoredPoint[] {
  return hitsOf(result, body);
}

export function searchedAll({ result }: { readonly result: readonly BatchResult[] }, { searches }: Members) {
  return result.map((hits, index) => hitsOf(hits.result, (searches as readonly Members[])[index] ?? {}));
}

export function queried({ result }: QueryResponse, body: Members) {
  return { points: hitsOf(result, body) };
}

export function queriedAll({ result }: QueryBatchResponse, { searches }: Members) {
  return result.map((hits, index) => ({ points: hitsOf(hits.result, (searches as readonly Members[])[index] ?? {}) }));
}

export function grouped(
  { result }: { readonly result?: GroupsResult | undefined },
  body: Members,
): { readonly groups: readonly PointGroup[] } {
  const { with_lookup: lookedUp } = body;
  const isLookupShown = typeof lookedUp === 'string' || showsPayload((lookedUp ?? {}) as Members, true);
  const groups = (result?.groups ?? []).map(({ id, hits, lookup }) => ({
    id: typeof id?.kind.value === 'bigint' ? exactInteger(id.kind.value) : (id?.kind.value ?? ''),
    hits: hitsOf(hits, body),
    ...(lookup === undefined ? {} : { lookup: recordOf(lookup, isLookupShown) }),
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

/** The protocol cannot tell an empty payload from none; the request tells. */
function showsPayload({ with_payload: shown }: Members, isShownUnasked: boolean): boolean {
  return shown === undefined || shown === null ? isShownUnasked : shown !== false;
}

function recordOf({ id, payload, vectors, orderValue }: RetrievedPoint | ScoredPointMessage, isPayloadShown: boolean): PointRecord {
  const order = orderValue?.variant.value;
  const vector = vectors === undefined ? undefined : vectorsOf(vectors);
  return {
    id: idOf(id),
    ...(isPayloadShown && { payload: fromValues(payload) }),
    ...(vector !== undefined && { vector }),
    ...(order !== undefined && { order_value: typeof order === 'bigint' ? exactInteger(order) : order }),
  };
}

function hitsOf(hits: readonly ScoredPointMessage[], body: Members): readonly ScoredPoint[] {
  const isShown = showsPayload(body, false);
  return hits.map((hit) => ({ ...recordOf(hit, isShown), score: shortestFloat32(hit.score), version: Number(hit.version) }));
}

function idOf(id: PointIdMessage | undefined): PointId {
  const value = id?.pointIdOptions.value;
  return typeof value === 'bigint' ? exactInteger(value) : (value ?? '');
}

function vectorsOf({ vectorsOptions: { case: kind, value } }: VectorsOutput): PointRecord['vector'] {
  if (kind === undefined) return undefined;
  if (kind === 'vectors') return Object.fromEntries(Object.entries(value.vectors).map(([name, vector]) => [name, vectorOf(vector)]));
  // Only vectors with names can be of another kind.
  if (value.vector.case !== 'dense') throw new Inexpressible('an unnamed vector that is not dense');
  return value.vector.value.data.map(shortestFloat32);
}

/** Of each kind that REST has a shape for; another is read over REST. */
function vectorOf({ vector }: VectorOutput): readonly number[] | SparseOutput {
  if (vector.case === 'dense') return vector.value.data.map(shortestFloat32);
  if (vector.case === 'sparse') return { indices: vector.value.indices, values: vector.value.values.map(shortestFloat32) };
  throw new Inexpressible('a vector of a kind that is not known here');
}

function facetOf({ value, count }: FacetHitMessage): FacetHit {
  const kept = value?.variant.value;
  return { value: typeof kept === 'bigint' ? exactInteger(kept) : (kept ?? ''), count: Number(count) };
}
