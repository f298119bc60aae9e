// SPDX-License-Identifier: Apache-2.0
/**
 * The REST contract as functions, for tests that are about the data rather than about the wire. A reply other than 200 is thrown as
 * `RequestError`. Results are given the contract's types without a look: the tests that use them compare every value anyway.
 */
import type {
  CollectionInfo,
  CountRequest,
  CreateCollection,
  FacetHit,
  FacetRequest,
  FieldSchema,
  FieldType,
  Filter,
  Payload,
  PointId,
  PointInput,
  PointRecord,
  PointSelector,
  PointVectors,
  ScoredPoint,
  ScrollRequest,
  ScrollResult,
  SnapshotDescription,
  UpdateResult,
  VectorNameConfig,
} from '@sextant/contracts-vector';
import type { JsonClient } from '@sextant/foundation-testing';

export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;

  constructor(request: string, status: number, body: unknown) {
    super(`${request} answered ${status}: ${JSON.stringify(body)}`);
    this.status = status;
  }
}

export type SearchRequest = {
  readonly vector: readonly number[] | { readonly name: string; readonly vector: readonly number[] };
  readonly limit: number;
  readonly filter?: Filter;
  readonly params?: { readonly exact?: boolean; readonly hnsw_ef?: number };
  readonly with_payload?: boolean;
  readonly with_vector?: boolean;
};

export type PayloadRequest = PointSelector & { readonly payload: Payload; readonly key?: string };

/** One collection, or the list of them, through a client. */
export function vectorApi(client: JsonClient) {
  async function call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const reply = await client.request(method, path, body);
    if (reply.status !== 200) throw new RequestError(`${method} ${path}`, reply.status, reply.body);
    // The envelope's `result` is what its caller says that it is; see the head of this file.
    return (reply.body as { result: Result }).result;
  }

  return {
    call,
    collections: () => call<{ collections: { name: string }[] }>('GET', '/collections'),
    collection(name: string) {
      const path = `/collections/${encodeURIComponent(name)}`;
      return {
        create: (request: CreateCollection) => call<boolean>('PUT', path, request),
        remove: () => call<boolean>('DELETE', path),
        exists: () => call<{ exists: boolean }>('GET', `${path}/exists`).then(({ exists }) => exists),
        info: () => call<CollectionInfo>('GET', path),
        upsert: (points: readonly PointInput[], options: { readonly [name: string]: unknown } = {}) =>
          call<UpdateResult>('PUT', `${path}/points`, { points, ...options }),
        deletePoints: (selector: PointSelector) => call<UpdateResult>('POST', `${path}/points/delete`, selector),
        updateVectors: (points: readonly PointVectors[]) => call<UpdateResult>('PUT', `${path}/points/vectors`, { points }),
        deleteVectors: (selector: PointSelector, vector: readonly string[]) =>
          call<UpdateResult>('POST', `${path}/points/vectors/delete`, { ...selector, vector }),
        setPayload: (request: PayloadRequest) => call<UpdateResult>('POST', `${path}/points/payload`, request),
        overwritePayload: (request: PayloadRequest) => call<UpdateResult>('PUT', `${path}/points/payload`, request),
        deletePayload: (selector: PointSelector, keys: readonly string[]) =>
          call<UpdateResult>('POST', `${path}/points/payload/delete`, { ...selector, keys }),
        clearPayload: (selector: PointSelector) => call<UpdateResult>('POST', `${path}/points/payload/clear`, selector),
        batch: (operations: readonly unknown[]) => call<UpdateResult[]>('POST', `${path}/points/batch`, { operations }),
        addVector: (vector: string, config: VectorNameConfig) =>
          call<UpdateResult>('PUT', `${path}/vectors/${encodeURIComponent(vector)}`, config),
        removeVector: (vector: string) => call<UpdateResult>('DELETE', `${path}/vectors/${encodeURIComponent(vector)}`),
        createIndex: (field: string, schema: FieldType | FieldSchema) =>
          call<UpdateResult>('PUT', `${path}/index`, { field_name: field, field_schema: schema }),
        deleteIndex: (field: string) => call<UpdateResult>('DELETE', `${path}/index/${encodeURIComponent(field)}`),
        retrieve: (ids: readonly PointId[]) =>
          call<PointRecord[]>('POST', `${path}/points`, { ids, with_payload: true, with_vector: true }),
        scroll: (request: ScrollRequest) => call<ScrollResult>('POST', `${path}/points/scroll`, request),
        count: (request: CountRequest = {}) => call<{ count: number }>('POST', `${path}/points/count`, request).then(({ count }) => count),
        facet: (request: FacetRequest) => call<{ hits: FacetHit[] }>('POST', `${path}/facet`, request).then(({ hits }) => hits),
        search: (request: SearchRequest) => call<ScoredPoint[]>('POST', `${path}/points/search`, request),
        searchBatch: (searches: readonly SearchRequest[]) => call<ScoredPoint[][]>('POST', `${path}/points/search/batch`, { searches }),
        queryBatch: (searches: readonly { readonly [name: string]: unknown }[]) =>
          call<{ points: ScoredPoint[] }[]>('POST', `${path}/points/query/batch`, { searches }).then((results) =>
            results.map(({ points }) => points),
          ),
        snapshots: () => call<SnapshotDescription[]>('GET', `${path}/snapshots`),
        createSnapshot: () => call<SnapshotDescription>('POST', `${path}/snapshots`),
        deleteSnapshot: (snapshot: string) => call<boolean>('DELETE', `${path}/snapshots/${snapshot}`),
        recover: (location: string) => call<boolean>('PUT', `${path}/snapshots/recover`, { location }),
        query: (request: { readonly [name: string]: unknown }) =>
          call<{ points: ScoredPoint[] }>('POST', `${path}/points/query`, request).then(({ points }) => points),
      };
    },
  };
}

export type VectorApi = ReturnType<typeof vectorApi>;
export type CollectionApi = ReturnType<VectorApi['collection']>;

/** Every point of a collection with payload and vectors, read page by page. */
export async function scrollAll(collection: CollectionApi, filter?: Filter, limit = 256): Promise<PointRecord[]> {
  const points: PointRecord[] = [];
  let offset: PointId | null = null;
  do {
    const page: ScrollResult = await collection.scroll({
      limit,
      with_payload: true,
      with_vector: true,
      ...(filter && { filter }),
      ...(offset !== null && { offset }),
    });
    points.push(...page.points);
    offset = page.next_page_offset;
  } while (offset !== null);
  return points;
}
