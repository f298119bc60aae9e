// SPDX-License-Identifier: Apache-2.0
/** The types of the vector service's requests and answers: those of its contract, as callers of the SDK see them. */
import type * as wire from '@sextant/contracts-vector';
import type { ClientQuery, ClientType } from './client-type.ts';

type Row<Id extends wire.OperationId> = wire.Endpoints[Id];

/** What each operation of the vector service takes and answers. */
export type VectorOperations = {
  readonly [Id in wire.OperationId]: {
    readonly params: keyof wire.ParamsOf<Id> extends never
      ? undefined
      : { readonly [Name in keyof wire.ParamsOf<Id>]: string | number | bigint };
    readonly query: ClientQuery<wire.QueryOf<Id>>;
    readonly body: Row<Id> extends { readonly upload: string } ? Blob : ClientType<wire.BodyOf<Id>>;
    readonly result: Row<Id> extends { readonly envelope: 'file' } ? ReadableStream<Uint8Array> : ClientType<wire.ResultOf<Id>>;
  };
};

type Body<Id extends wire.OperationId> = NonNullable<VectorOperations[Id]['body']>;
type Result<Id extends wire.OperationId> = VectorOperations[Id]['result'];

export type PointId = wire.PointId;
export type DenseVector = ClientType<wire.RawDenseVector>;
export type SparseVector = ClientType<wire.RawSparseVector>;
export type MultiVector = readonly DenseVector[];
export type VectorOrPoint = ClientType<wire.RawExample>;
export type ContextPair = ClientType<wire.RawContextPair>;
export type VectorParams = ClientType<wire.VectorParams>;
export type Document = ClientType<wire.RawDocument>;
export type Bm25Options = ClientType<wire.Bm25Options>;
export type FieldSchema = NonNullable<PayloadIndexInfo['params']>;

export type Filter = ClientType<wire.Filter>;
export type Condition = ClientType<wire.Condition>;
export type FieldCondition = ClientType<wire.FieldCondition>;
export type Match = ClientType<wire.Match>;
export type Range = ClientType<wire.Range>;
export type GeoPoint = ClientType<wire.GeoPoint>;
export type GeoBoundingBox = ClientType<wire.GeoBoundingBox>;
export type GeoRadius = ClientType<wire.GeoRadius>;
export type GeoPolygon = ClientType<wire.GeoPolygon>;
export type ValuesCount = ClientType<wire.ValuesCount>;

export type PointStruct = Extract<Body<'upsert_points'>, { readonly points: unknown }>['points'][number];
export type PointsBatch = Extract<Body<'upsert_points'>, { readonly batch: unknown }>['batch'];
export type QueryPoints = Body<'query_points'>;
export type QueryPointGroups = Body<'query_groups'>;
export type Query = NonNullable<QueryPoints['query']>;
export type Prefetch = ClientType<wire.RawPrefetch>;
export type Expression = ClientType<wire.Expression>;
export type DecayParams = ClientType<wire.DecayParams>;
export type LookupLocation = ClientType<wire.LookupLocation>;
export type OrderBy = ClientType<wire.OrderBy>;
export type SearchParams = ClientType<wire.SearchParams>;
export type WithPayload = ClientType<wire.WithPayload>;
export type WithVector = ClientType<wire.WithVector>;

export type AccessToken = Result<'list_tokens'>[number];
export type Alias = Result<'list_aliases'>['aliases'][number];
export type AliasAction = Body<'change_aliases'>['actions'][number];
export type AliasList = Result<'list_aliases'>;
export type AuthEnabled = Body<'set_enforced'>;
export type AuthMessage = Result<'create_admin'>;
export type ChangeAliases = Body<'change_aliases'>;
export type ClusterStatus = Result<'cluster'>;
export type CollectionClusterInfo = Result<'collection_cluster_info'>;
export type CollectionExistence = Result<'collection_exists'>;
export type CollectionInfo = Result<'get_collection'>;
export type CollectionList = Result<'list_collections'>;
export type CollectionStatus = Result<'collection_status'>;
export type CollectionTelemetry = NonNullable<Result<'telemetry'>['collections']['collections']>[number];
export type CompletedOptimization = NonNullable<Result<'optimizations'>['completed']>[number];
export type CountPoints = Body<'count_points'>;
export type CountResult = Result<'count_points'>;
export type CreateAccessToken = Body<'create_token'>;
export type CreateCollection = Body<'create_collection'>;
export type CreateFieldIndex = Body<'create_field_index'>;
export type DeletePayload = Body<'delete_payload'>;
export type DeleteVectors = Body<'delete_vectors'>;
export type DiscoverPoints = Body<'discover_points'>;
export type Facet = Body<'facet'>;
export type FacetHit = Result<'facet'>['hits'][number];
export type FacetResult = Result<'facet'>;
export type GroupsResult = Result<'query_groups'>;
export type HnswConfig = NonNullable<Body<'create_collection'>['hnsw_config']>;
export type IdTrackerParams = NonNullable<Body<'create_collection'>['id_tracker']>;
export type InputNormInterval = Result<'input_norms'>['vectors'][string]['intervals'][number];
export type InputNorms = Result<'input_norms'>;
export type Issue = Result<'issues'>['issues'][number];
export type IssuedAccessToken = Result<'create_token'>;
export type Issues = Result<'issues'>;
export type LocalShard = Result<'collection_cluster_info'>['local_shards'][number];
export type LoginReply = Result<'login'>;
export type NewPassword = Body<'create_admin'>;
export type OptimizationReport = Result<'optimizations'>;
export type OptimizedSegment = NonNullable<Result<'optimizations'>['idle_segments']>[number];
export type OptimizersConfig = NonNullable<Body<'create_collection'>['optimizers_config']>;
export type Password = Body<'login'>;
export type Payload = Body<'set_payload'>['payload'];
export type PayloadIndexInfo = Result<'get_collection'>['payload_schema'][string];
export type PayloadStorageParams = NonNullable<Body<'create_collection'>['payload']>;
export type PointGroup = Result<'query_groups'>['groups'][number];
export type PointRecord = Result<'get_point'>;
export type PointVectors = Body<'update_vectors'>['points'][number];
export type PointsSelector = Body<'delete_points'>;
export type QuantizationConfig = NonNullable<Body<'create_collection'>['quantization_config']>;
export type QuantizationConfigDiff = NonNullable<Body<'update_collection'>['quantization_config']>;
export type QueryResult = Result<'query_points'>;
export type RecommendPointGroups = Body<'recommend_groups'>;
export type RecommendPoints = Body<'recommend_points'>;
export type RequestStatistic = Result<'telemetry'>['requests']['rest']['responses'][string][string];
export type RequestStatistics = Result<'telemetry'>['requests']['rest'];
export type RetrievePoints = Body<'retrieve_points'>;
export type RunningOptimization = NonNullable<Result<'optimizations'>['running']>[number];
export type ScoredPoint = Result<'search_points'>[number];
export type ScrollPoints = Body<'scroll_points'>;
export type ScrollResult = Result<'scroll_points'>;
export type SearchMatrix = Body<'search_matrix_pairs'>;
export type SearchMatrixOffsets = Result<'search_matrix_offsets'>;
export type SearchMatrixPair = Result<'search_matrix_pairs'>['pairs'][number];
export type SearchMatrixPairs = Result<'search_matrix_pairs'>;
export type SearchPointGroups = Body<'search_groups'>;
export type SearchPoints = Body<'search_points'>;
export type SearchVector = Body<'search_points'>['vector'];
export type SetPayload = Body<'set_payload'>;
export type ShardKeys = Result<'list_shard_keys'>;
export type SnapshotDescription = NonNullable<Result<'create_snapshot'>>;
export type SnapshotRecover = Body<'recover_snapshot'>;
export type SnapshotRecoverNamed = Body<'recover_named_snapshot'>;
export type SparseVectorParams = NonNullable<Body<'create_collection'>['sparse_vectors']>[string];
export type StrictModeConfig = NonNullable<Body<'create_collection'>['strict_mode_config']>;
export type Telemetry = Result<'telemetry'>;
export type UpdateCollection = Body<'update_collection'>;
export type UpdateCollectionCluster = Body<'update_collection_cluster'>;
export type UpdateOperation = Body<'batch_update'>['operations'][number];
export type UpdateOperations = Body<'batch_update'>;
export type UpdateResult = Result<'set_payload'>;
export type UpdateVectors = Body<'update_vectors'>;
export type UpsertPoints = Body<'upsert_points'>;
export type VectorInput = NonNullable<PointVectors['vector']>;
export type VectorInputNorms = Result<'input_norms'>['vectors'][string];
export type VectorNameConfig = Body<'create_vector'>;
export type VectorOutput = NonNullable<PointRecord['vector']>;
export type VectorParamsDiff = NonNullable<Body<'update_collection'>['vectors']>[string];
export type VectorStatus = Result<'collection_status'>['vectors'][string];
export type VectorsConfig = NonNullable<Body<'create_collection'>['vectors']>;
export type VersionInfo = Result<'root'>;
export type WithLookupInterface = NonNullable<Body<'search_groups'>['with_lookup']>;
