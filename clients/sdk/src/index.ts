// SPDX-License-Identifier: Apache-2.0
export type * from './contract/observability-types.ts';
export type * from './contract/vector-types.ts';
export {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  NotReadyError,
  PermissionError,
  RateLimitError,
  ServerError,
  type ServiceName,
  SextantError,
  type SextantErrorCode,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors/errors.ts';
export { type Bound, type Bounds, Field, type FilterBuilder, filter } from './filter/filter.ts';
export type { TokenSource } from './http/credentials.ts';
export type { RequestOptions } from './http/request-options.ts';
export { ADVISED_RETRIES, type RetryPolicy } from './http/retry.ts';
export type { Fetch } from './http/transport.ts';
export type { UploadBody, UploadProgress } from './http/upload-body.ts';
export type { JsonObject, JsonValue } from './json.ts';
export {
  ObservabilityClient,
  type ObservabilityClientOptions,
  type UploadOptions,
  type WaitForJobOptions,
} from './observability/observability-client.ts';
export type { OperationId as ObservabilityOperationId, RequestOf, ResultOf } from './observability/request.ts';
export { Sextant, type SextantOptions } from './sextant.ts';
export { Collection, type HitGroup, type PointSelection, type ScrollPage } from './vector/collection.ts';
export type { TypedHit, TypedRecord } from './vector/records.ts';
export type { ScrollAll } from './vector/scroll.ts';
export { CollectionSnapshots, StorageSnapshots } from './vector/snapshots.ts';
export type { UpsertAllOptions, UpsertAllResult, UpsertProgress } from './vector/upsert-all.ts';
export {
  type NewCollection,
  type VectorCall,
  VectorClient,
  type VectorClientOptions,
  type VectorOperationId,
} from './vector/vector-client.ts';
