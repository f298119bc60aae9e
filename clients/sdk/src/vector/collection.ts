// SPDX-License-Identifier: Apache-2.0
/** One collection: its points, searches and field indexes. */
import type {
  CollectionClusterInfo,
  CollectionInfo,
  Condition,
  CountPoints,
  CreateFieldIndex,
  CreateShardKey,
  DiscoverPoints,
  Facet,
  FacetHit,
  InputNorms,
  PointId,
  PointStruct,
  PointsBatch,
  PointVectors,
  QueryPointGroups,
  QueryPoints,
  RecommendPointGroups,
  RecommendPoints,
  RetrievePoints,
  ScrollPoints,
  SearchMatrix,
  SearchMatrixOffsets,
  SearchMatrixPairs,
  SearchPointGroups,
  SearchPoints,
  ShardKey,
  UpdateCollection,
  UpdateCollectionCluster,
  UpdateOperation,
  UpdateResult,
  VectorOperations,
} from '../contract/vector-types.ts';
import type { RequestOptions } from '../http/request-options.ts';
import type { JsonObject } from '../json.ts';
import { type TypedHit, type TypedRecord, withNumbers } from './records.ts';
import { type ScrollAll, scrollPages } from './scroll.ts';
import { type CallOperation, CollectionSnapshots } from './snapshots.ts';
import { type UpsertAllOptions, type UpsertAllResult, upsertAll } from './upsert-all.ts';

/** Selects points by ids, by a filter, or by a single condition. */
export type PointSelection = readonly PointId[] | Condition;

/** Hits that share a value of the payload key. */
export type HitGroup<Payload extends JsonObject> = {
  readonly id: string | number | bigint;
  readonly hits: readonly TypedHit<Payload>[];
  readonly lookup?: TypedRecord<JsonObject> | undefined;
};

export type ScrollPage<Payload extends JsonObject> = {
  readonly points: readonly TypedRecord<Payload>[];
  /** The offset of the next page; null after the last one. */
  readonly next_page_offset: PointId | null;
};

/** Payloads have the type that the caller states. */
export class Collection<Payload extends JsonObject = JsonObject> {
  readonly name: string;
  /** Of this collection. */
  readonly snapshots: CollectionSnapshots;
  readonly #call: CallOperation;

  /** Use {@link VectorClient.collection}. */
  constructor(name: string, call: CallOperation) {
    this.name = name;
    this.snapshots = new CollectionSnapshots(name, call);
    this.#call = call;
  }

  /** @throws NotFoundError if the collection does not exist */
  info(options?: RequestOptions): Promise<CollectionInfo> {
    return this.#call('get_collection', { params: this.#params }, options);
  }

  /** The lengths of vectors before normalisation; see the type. */
  inputNorms(options?: RequestOptions): Promise<InputNorms> {
    return this.#call('input_norms', { params: this.#params }, options);
  }

  /** The nodes that hold each shard, and the transfers that are in progress. */
  cluster(options?: RequestOptions): Promise<CollectionClusterInfo> {
    return this.#call('collection_cluster_info', { params: this.#params }, options);
  }

  /** Moves or replicates a shard, drops a replica, or aborts a transfer. Resolves when the operation has started. */
  updateCluster(change: UpdateCollectionCluster, options?: RequestOptions): Promise<boolean> {
    return this.#call('update_collection_cluster', { params: this.#params, body: change }, options);
  }

  /** The shard keys, in the order of their creation; empty if ids divide the points. */
  async shardKeys(options?: RequestOptions): Promise<readonly ShardKey[]> {
    const { shard_keys: keys } = await this.#call('list_shard_keys', { params: this.#params }, options);
    return keys.map(({ key }) => key);
  }

  /** Creates a shard key and its shards. */
  createShardKey(key: ShardKey, shards: Omit<CreateShardKey, 'shard_key'> = {}, options?: RequestOptions): Promise<boolean> {
    return this.#call('create_shard_key', { params: this.#params, body: { ...shards, shard_key: key } }, options);
  }

  /** Deletes a shard key with all points under it. */
  deleteShardKey(key: ShardKey, options?: RequestOptions): Promise<boolean> {
    return this.#call('delete_shard_key', { params: this.#params, body: { shard_key: key } }, options);
  }

  update(changes: UpdateCollection, options?: RequestOptions): Promise<boolean> {
    return this.#call('update_collection', { params: this.#params, body: changes }, options);
  }

  /** Returns false if it did not exist. */
  delete(options?: RequestOptions): Promise<boolean> {
    return this.#call('delete_collection', { params: this.#params }, options);
  }

  async exists(options?: RequestOptions): Promise<boolean> {
    const { exists } = await this.#call('collection_exists', { params: this.#params }, options);
    return exists;
  }

  /** The aliases of the collection. */
  async aliases(options?: RequestOptions): Promise<readonly string[]> {
    const { aliases } = await this.#call('list_collection_aliases', { params: this.#params }, options);
    return aliases.map(({ alias_name }) => alias_name);
  }

  /** Adds a named vector, which existing points do not have yet. */
  createVector(name: string, config: VectorOperations['create_vector']['body'], options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('create_vector', { params: { ...this.#params, vector_name: name }, body: config }, options);
  }

  /** Removes a named vector from the collection and from all its points. */
  deleteVector(name: string, options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('delete_vector', { params: { ...this.#params, vector_name: name } }, options);
  }

  /** Inserts points, or replaces points with the same ids. When this resolves, they are on disk and searchable. */
  upsert(points: readonly PointStruct[], options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('upsert_points', { params: this.#params, body: { points } }, options);
  }

  /** The same, with ids, vectors and payloads as columns. */
  upsertColumns(batch: PointsBatch, options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('upsert_points', { params: this.#params, body: { batch } }, options);
  }

  /**
   * Upserts points from any source in batches, several at a time. Reads `points` only as fast as the service stores them, so memory is
   * bounded.
   */
  upsertAll(points: Iterable<PointStruct> | AsyncIterable<PointStruct>, options?: UpsertAllOptions): Promise<UpsertAllResult> {
    return upsertAll(points, (batch, requestOptions) => this.upsert(batch, requestOptions), options);
  }

  deletePoints(selection: PointSelection, options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('delete_points', { params: this.#params, body: selected(selection) }, options);
  }

  /** Replaces the given vectors of points. Other vectors stay. */
  updateVectors(points: readonly PointVectors[], options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('update_vectors', { params: this.#params, body: { points } }, options);
  }

  deleteVectors(selection: PointSelection, names: readonly string[], options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('delete_vectors', { params: this.#params, body: { ...selected(selection), vector: names } }, options);
  }

  /**
   * Merges a payload into the payloads of the points; a null member removes its key. `key` is the path in the payload at which to merge.
   */
  setPayload(
    selection: PointSelection,
    payload: JsonObject,
    { key, ...options }: RequestOptions & { readonly key?: string | undefined } = {},
  ): Promise<UpdateResult> {
    return this.#call(
      'set_payload',
      { params: this.#params, body: { ...selected(selection), payload, ...(key !== undefined && { key }) } },
      options,
    );
  }

  /** Replaces the whole payload of the points. */
  overwritePayload(selection: PointSelection, payload: Payload, options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('overwrite_payload', { params: this.#params, body: { ...selected(selection), payload } }, options);
  }

  deletePayload(selection: PointSelection, keys: readonly string[], options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('delete_payload', { params: this.#params, body: { ...selected(selection), keys } }, options);
  }

  clearPayload(selection: PointSelection, options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('clear_payload', { params: this.#params, body: selected(selection) }, options);
  }

  /** Runs several writes in order. If one fails, the earlier ones stay. */
  batch(operations: readonly UpdateOperation[], options?: RequestOptions): Promise<readonly UpdateResult[]> {
    // The table says one result for every write; a batch answers one for each step.
    return this.#call('batch_update', { params: this.#params, body: { operations } }, options);
  }

  /** @throws NotFoundError if the point does not exist */
  async get(id: PointId, options?: RequestOptions): Promise<TypedRecord<Payload>> {
    return this.#typed(await this.#call('get_point', { params: { ...this.#params, id } }, options));
  }

  /** Points by their ids; ids that do not exist are left out. */
  async retrieve(request: RetrievePoints, options?: RequestOptions): Promise<readonly TypedRecord<Payload>[]> {
    return this.#typedAll(await this.#call('retrieve_points', { params: this.#params, body: request }, options));
  }

  /** One page. */
  async scrollPage(request: ScrollPoints = {}, options?: RequestOptions): Promise<ScrollPage<Payload>> {
    const page = await this.#call('scroll_points', { params: this.#params, body: request }, options);
    return { ...page, points: this.#typedAll(page.points) };
  }

  /** All points that match, in the order of their ids; `limit` is the size of a page. */
  scroll(request: ScrollAll = {}, options?: RequestOptions): AsyncGenerator<TypedRecord<Payload>, void> {
    return scrollPages(request, (page) => this.scrollPage(page, options));
  }

  async count(request: CountPoints = {}, options?: RequestOptions): Promise<number> {
    const { count } = await this.#call('count_points', { params: this.#params, body: request }, options);
    return count;
  }

  /** The number of points for each value of a payload key. */
  async facet(request: Facet, options?: RequestOptions): Promise<readonly FacetHit[]> {
    const { hits } = await this.#call('facet', { params: this.#params, body: request }, options);
    return hits;
  }

  /** The points nearest to a vector. */
  async search(request: SearchPoints, options?: RequestOptions): Promise<readonly TypedHit<Payload>[]> {
    return this.#typedAll(await this.#call('search_points', { params: this.#params, body: request }, options));
  }

  async searchBatch(searches: readonly SearchPoints[], options?: RequestOptions): Promise<readonly (readonly TypedHit<Payload>[])[]> {
    const results = await this.#call('search_batch', { params: this.#params, body: { searches } }, options);
    return results.map((hits) => this.#typedAll(hits));
  }

  /** The query language: nearest, recommendations, fusions of prefetches, formulas, orders and samples. */
  async query(request: QueryPoints, options?: RequestOptions): Promise<readonly TypedHit<Payload>[]> {
    const { points } = await this.#call('query_points', { params: this.#params, body: request }, options);
    return this.#typedAll(points);
  }

  async queryBatch(searches: readonly QueryPoints[], options?: RequestOptions): Promise<readonly (readonly TypedHit<Payload>[])[]> {
    const results = await this.#call('query_batch', { params: this.#params, body: { searches } }, options);
    return results.map(({ points }) => this.#typedAll(points));
  }

  /** Points similar to some examples and dissimilar to others. Requires the capability `recommendations`. */
  async recommend(request: RecommendPoints, options?: RequestOptions): Promise<readonly TypedHit<Payload>[]> {
    return this.#typedAll(await this.#call('recommend_points', { params: this.#params, body: request }, options));
  }

  async recommendBatch(searches: readonly RecommendPoints[], options?: RequestOptions): Promise<readonly (readonly TypedHit<Payload>[])[]> {
    const results = await this.#call('recommend_batch', { params: this.#params, body: { searches } }, options);
    return results.map((hits) => this.#typedAll(hits));
  }

  /** Points near a target, on the positive side of pairs of examples. Requires the capability `discovery`. */
  async discover(request: DiscoverPoints, options?: RequestOptions): Promise<readonly TypedHit<Payload>[]> {
    return this.#typedAll(await this.#call('discover_points', { params: this.#params, body: request }, options));
  }

  async discoverBatch(searches: readonly DiscoverPoints[], options?: RequestOptions): Promise<readonly (readonly TypedHit<Payload>[])[]> {
    const results = await this.#call('discover_batch', { params: this.#params, body: { searches } }, options);
    return results.map((hits) => this.#typedAll(hits));
  }

  /** The nearest points, grouped by the value of a payload key. All grouped searches require the capability `groups`. */
  async searchGroups(request: SearchPointGroups, options?: RequestOptions): Promise<readonly HitGroup<Payload>[]> {
    return this.#groups(await this.#call('search_groups', { params: this.#params, body: request }, options));
  }

  async queryGroups(request: QueryPointGroups, options?: RequestOptions): Promise<readonly HitGroup<Payload>[]> {
    return this.#groups(await this.#call('query_groups', { params: this.#params, body: request }, options));
  }

  /** Requires the capability `recommendations`. */
  async recommendGroups(request: RecommendPointGroups, options?: RequestOptions): Promise<readonly HitGroup<Payload>[]> {
    return this.#groups(await this.#call('recommend_groups', { params: this.#params, body: request }, options));
  }

  /** The nearest neighbours of each point of a sample, as pairs. */
  async searchMatrixPairs(request: SearchMatrix = {}, options?: RequestOptions): Promise<SearchMatrixPairs> {
    return this.#call('search_matrix_pairs', { params: this.#params, body: request }, options);
  }

  /** The same as a sparse matrix. */
  async searchMatrixOffsets(request: SearchMatrix = {}, options?: RequestOptions): Promise<SearchMatrixOffsets> {
    return this.#call('search_matrix_offsets', { params: this.#params, body: request }, options);
  }

  /** Creates a field index, with which conditions on a payload key need not read payloads. */
  createFieldIndex(field: string, schema: CreateFieldIndex['field_schema'], options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('create_field_index', { params: this.#params, body: { field_name: field, field_schema: schema } }, options);
  }

  deleteFieldIndex(field: string, options?: RequestOptions): Promise<UpdateResult> {
    return this.#call('delete_field_index', { params: { ...this.#params, field_name: field } }, options);
  }

  get #params(): { readonly collection_name: string } {
    return { collection_name: this.name };
  }

  /** The payload has whatever type the caller of `collection` said; see there. */
  #typed<Point extends Parameters<typeof withNumbers>[0]>(point: Point): Point & { readonly payload?: Payload } {
    return withNumbers(point) as Point & { readonly payload?: Payload };
  }

  #typedAll<Point extends Parameters<typeof withNumbers>[0]>(
    points: readonly Point[],
  ): readonly (Point & { readonly payload?: Payload })[] {
    return points.map((point) => this.#typed(point));
  }

  #groups({ groups }: VectorOperations['search_groups']['result']): readonly HitGroup<Payload>[] {
    return groups.map(({ hits, ...group }) => ({ ...group, hits: this.#typedAll(hits) }));
  }
}

function selected(selection: PointSelection): { readonly points: readonly PointId[] } | { readonly filter: Condition } {
  return isIds(selection) ? { points: selection } : { filter: selection };
}

/** `Array.isArray` does not narrow readonly arrays. */
function isIds(selection: PointSelection): selection is readonly PointId[] {
  return Array.isArray(selection);
}
