// SPDX-License-Identifier: Apache-2.0
export type { Alias, AliasAction } from './alias-schemas.ts';
export { builtCapabilities, type Capability, capabilities, isServed, unavailable } from './capabilities.ts';
export type { UpdateCollectionCluster } from './cluster-schemas.ts';
export type {
  CollectionInfo,
  CreateCollection,
  Distance,
  HnswConfig,
  InputNorms,
  OptimizersConfig,
  PayloadIndexInfo,
  QuantizationConfig,
  SparseVectorParams,
  SparseVectorsConfig,
  UpdateCollection,
  VectorNameConfig,
  VectorParams,
  VectorsConfig,
} from './collection-schemas.ts';
export type { Bm25Options, RawDocument } from './document-schema.ts';
export type { CapabilityName, Endpoint, Envelope, Method, OperationThread, Refusal, Requirement } from './endpoints/endpoint.ts';
export { ALWAYS_OPEN } from './endpoints/possible-errors.ts';
export type { BodyOf, Endpoints, OperationId, ParamsOf, QueryOf, ResultOf } from './endpoints.ts';
export { type ErrorCode, type ErrorDetails, errorCatalogue, ServiceError } from './errors.ts';
export type { FieldSchema, Tokenizer } from './field-schema.ts';
export type { FieldType } from './field-types.ts';
export { FIELD_TYPES } from './field-types.ts';
export type { Condition, Filter } from './filter.ts';
export type {
  FieldCondition,
  GeoBoundingBox,
  GeoPoint,
  GeoPolygon,
  GeoRadius,
  Match,
  MatchValue,
  Range,
  ValuesCount,
} from './filter-schema.ts';
export type { RawGroupedQuery } from './group-schemas.ts';
export type { CollectionStatus, OptimizationReport, OptimizationRun, VectorStatus } from './maintenance-schemas.ts';
export type { MatrixOffsets, MatrixPair } from './matrix-schemas.ts';
export { MEMBER_ALIASES, UNKNOWN_MEMBERS, type UnknownMembers } from './other-revisions.ts';
export { normalisePointId, parsePointId } from './point-id-forms.ts';
export type {
  NamedVectorOutput,
  PointRecord,
  RawDenseVector,
  RawSparseVector,
  ScoredPoint,
  UpdateResult,
  VectorOutput,
  WithPayload,
  WithVector,
} from './point-schemas.ts';
export type {
  DenseVector,
  MultiVector,
  NamedVectorInput,
  Payload,
  PointId,
  PointInput,
  PointSelector,
  PointVectors,
  SparseVector,
  UpdateMode,
  UpsertCondition,
  VectorInput,
} from './points.ts';
export type { KeyedRequest, NearestRequest, RetrieveRequest, SampleRequest, ScrollRequest } from './query.ts';
export type {
  ContextPair,
  DecayParams,
  Expression,
  FeedbackItem,
  Grouping,
  PointGroup,
  Prefetch,
  Query,
  QueryRequest,
  QueryVector,
  RecommendStrategy,
} from './query-language.ts';
export type { LookupLocation, Mmr, RawContextPair, RawExample, RawPrefetch, RawQuery, RawQueryRequest } from './query-language-schemas.ts';
export type { CountRequest, FacetHit, FacetRequest, OrderBy, ScoredPoints, ScrollResult, SearchParams } from './query-schemas.ts';
export type { ShardKey, ShardKeySelector } from './shard-key-schemas.ts';
export type {
  KeyedSnapshotManifest,
  ShardedSnapshotManifest,
  SnapshotDescription,
  SnapshotKey,
  SnapshotManifest,
} from './snapshot-schemas.ts';
export { DEFINITION_MEMBER, isShardMember, isSnapshotMember, isSnapshotName, shardMember } from './snapshots.ts';
export { type ClusterEndpoint, clusterEndpoints } from './standalone.ts';
export type { StrictModeConfig } from './strict-mode.ts';
export type { ClusterTelemetry, CollectionTelemetry, RequestTelemetry, ShardTelemetry, Telemetry } from './telemetry-schemas.ts';
export { isBm25 } from './text-model.ts';
