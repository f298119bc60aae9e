export type { Alias, AliasAction } from './aliases.ts';
export { builtCapabilities, type Capability, capabilities, isServed, unavailable } from './capabilities.ts';
export type {
  CollectionInfo,
  CollectionStatus,
  CreateCollection,
  Distance,
  FieldSchema,
  FieldType,
  HnswConfig,
  OptimizationReport,
  OptimizationRun,
  OptimizersConfig,
  PayloadIndexInfo,
  QuantizationConfig,
  SparseVectorParams,
  SparseVectorsConfig,
  Tokenizer,
  UpdateCollection,
  VectorNameConfig,
  VectorParams,
  VectorStatus,
  VectorsConfig,
} from './collections.ts';
export type { RawDocument } from './document-schema.ts';
export type { CapabilityName, Endpoint, Envelope, Method, OperationThread, Refusal, Requirement } from './endpoints/endpoint.ts';
export { ALWAYS_OPEN } from './endpoints/possible-errors.ts';
export type { BodyOf, Endpoints, OperationId, ParamsOf, QueryOf, ResultOf } from './endpoints.ts';
export { type ErrorCode, type ErrorDetails, errorCatalogue, ServiceError } from './errors.ts';
export { FIELD_TYPES } from './field-types.ts';
export type {
  Condition,
  FieldCondition,
  Filter,
  GeoBoundingBox,
  GeoPoint,
  GeoPolygon,
  GeoRadius,
  Match,
  MatchValue,
  Range,
  ValuesCount,
} from './filter.ts';
export type { RawGroupedQuery } from './group-schemas.ts';
export { MEMBER_ALIASES, UNKNOWN_MEMBERS, type UnknownMembers } from './other-revisions.ts';
export { normalisePointId, parsePointId } from './point-id-forms.ts';
export type { RawDenseVector, RawSparseVector } from './point-schemas.ts';
export type {
  Bm25Options,
  DenseVector,
  MultiVector,
  NamedVectorInput,
  NamedVectorOutput,
  Payload,
  PointId,
  PointInput,
  PointRecord,
  PointSelector,
  PointVectors,
  ScoredPoint,
  SparseVector,
  UpdateMode,
  UpdateResult,
  UpsertCondition,
  VectorInput,
  VectorOutput,
  WithPayload,
  WithVector,
} from './points.ts';
export type {
  CountRequest,
  FacetHit,
  FacetRequest,
  MatrixOffsets,
  MatrixPair,
  NearestRequest,
  OrderBy,
  RetrieveRequest,
  SampleRequest,
  ScoredPoints,
  ScrollRequest,
  ScrollResult,
  SearchParams,
} from './query.ts';
export type {
  ContextPair,
  DecayParams,
  Expression,
  FeedbackItem,
  Grouping,
  LookupLocation,
  Mmr,
  PointGroup,
  Prefetch,
  Query,
  QueryRequest,
  QueryVector,
  RecommendStrategy,
} from './query-language.ts';
export type { RawContextPair, RawExample, RawPrefetch, RawQuery, RawQueryRequest } from './query-language-schemas.ts';
export { isSnapshotMember, isSnapshotName, type SnapshotDescription, type SnapshotManifest } from './snapshots.ts';
export { type ClusterEndpoint, clusterEndpoints } from './standalone.ts';
export type { StrictModeConfig } from './strict-mode.ts';
export type { CollectionTelemetry, RequestTelemetry, Telemetry } from './telemetry-schemas.ts';
