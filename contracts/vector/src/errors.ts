// SPDX-License-Identifier: Apache-2.0
/**
 * Every error that a caller can act on, with its REST status, its gRPC status and its sentence.
 * `{name}` in a sentence is replaced by the detail of that name. The texts of the specification are exact.
 */
import { fillSentence, withStatus } from '@sextant/foundation-std';

const CATALOGUE = {
  ...withStatus({ rest: 400, grpc: 'INVALID_ARGUMENT' })({
    invalid_request: '{reason}',
    vectors_config_required: 'vectors_config is required',
    dimension_mismatch: 'Dimension mismatch for vector: expected {expected}, got {actual}',
    vector_exists: 'Vector `{vector}` already exists with a different configuration',
    vector_name_unknown: 'Not existing vector name error: {vector}',
    invalid_filter: 'Invalid filter: {reason}',
    range_index_required:
      'No range index for `order_by` key: `{key}`. Create an integer, float or datetime index on it in the collection `{collection}`.',
    index_required: 'Index required but not found for "{key}" of one of the following types: [{types}]',
    not_supported_yet: '{feature} is not supported by this release',
    snapshot_invalid: 'Nothing was recovered: {reason}',
    strict_mode: '{reason}. Help: {help}',
    alias_exists: 'An alias is already named {alias}; a collection cannot have the same name',
    collection_full: '{reason}',
    shard_change_refused: 'The placement stays as it is: {reason}',
    shard_key_required:
      'Shard key not specified: the points of {collection} are divided by shard keys, so an upsert must name the shard_key of its points',
  }),
  ...withStatus({ rest: 401, grpc: 'UNAUTHENTICATED' })({ unauthorized: 'Invalid or missing authorization token' }),
  ...withStatus({ rest: 403, grpc: 'PERMISSION_DENIED' })({
    forbidden: '{reason}',
    origin_not_allowed: 'Web pages of {origin} may not use this service; its operator lists those that may in SERVICE_ALLOWED_ORIGINS',
    host_not_allowed: 'This service does not answer to the name {host}; its operator lists further names in SERVICE_ALLOWED_HOSTS',
  }),
  ...withStatus({ rest: 404, grpc: 'NOT_FOUND' })({
    collection_not_found: 'Collection not found: {collection}',
    point_not_found: 'No point with id {id} found',
    alias_not_found: 'Alias not found: {alias}',
    snapshot_not_found: 'Snapshot not found: {snapshot}',
    peer_not_found: 'The cluster has no peer {peer}; its description lists them',
    shard_key_not_found: 'Shard key {key} not found in {collection}; list its shard keys to see the existing ones',
  }),
  ...withStatus({ rest: 404, grpc: 'UNIMPLEMENTED' })({ path_not_found: 'No such path: {method} {path}' }),
  ...withStatus({ rest: 405, grpc: 'UNIMPLEMENTED' })({
    method_not_allowed: 'Method {method} is not allowed on {path}; allowed: {allowed}',
    standalone_mode: '{endpoint} needs a cluster, and this service is a single node (standalone mode); {instead}',
  }),
  ...withStatus({ rest: 409, grpc: 'FAILED_PRECONDITION' })({
    peer_alive: 'The node {peer} is alive and would rejoin the cluster; stop it first',
    peer_has_shards:
      'The node {peer} holds or receives {shards} shards of collections; start it again, or remove it with force=true: shards with copies on other nodes are copied again, and all others are lost',
  }),
  ...withStatus({ rest: 409, grpc: 'ABORTED' })({
    credentials_changed: 'Another node of the cluster is changing credentials at the same moment; try again',
    recovery_ended:
      'Nothing was recovered: the collection {collection} was deleted while the snapshot was written to it. A collection that was created with this name since then is unchanged',
  }),
  ...withStatus({ rest: 409, grpc: 'ALREADY_EXISTS' })({ collection_exists: 'Collection already exists: {collection}' }),
  ...withStatus({ rest: 412, grpc: 'FAILED_PRECONDITION' })({
    engine_not_initialized: 'Engine not initialized',
    collection_deleted: 'Collection deleted',
  }),
  ...withStatus({ rest: 413, grpc: 'RESOURCE_EXHAUSTED' })({
    body_too_large: 'Request body is larger than the limit of {limit} bytes; send smaller batches or raise SERVICE_BODY_LIMIT_BYTES',
    operation_too_large:
      'The write takes {bytes} bytes in the log of the cluster, which accepts at most {limit}; send fewer points at a time',
  }),
  ...withStatus({ rest: 415, grpc: 'INVALID_ARGUMENT' })({
    unsupported_media_type: 'The body has {type}; send Content-Type: application/json',
  }),
  ...withStatus({ rest: 429, grpc: 'RESOURCE_EXHAUSTED' })({
    overloaded: 'The memory for request bodies is full. Try again in {seconds} s, or send smaller or fewer concurrent batches',
    snapshots_busy: 'Too many snapshots and recoveries are waiting; try again in {seconds} s',
    rate_limited: 'Too many attempts; try again in {seconds} s',
    rate_limit_exceeded: 'Rate limiting exceeded: {reason}',
  }),
  ...withStatus({ rest: 500, grpc: 'INTERNAL' })({
    collection_unreadable:
      'Collection {collection} could not be opened: {reason}. Other collections are served; see the log of the server for details',
    upsert_failed: 'Upsert failed',
    delete_failed: 'Delete failed',
    search_failed: 'Search failed',
    payload_failed: 'Payload operation failed',
    field_index_failed: 'Field index failed',
    index_rebuild_failed: 'Index rebuild failed',
    optimization_failed: 'Optimization failed',
    snapshot_failed: 'Snapshot failed',
    internal: 'Internal error',
  }),
  ...withStatus({ rest: 500, grpc: 'DATA_LOSS' })({
    record_damaged:
      'Collection {collection}: {what} is damaged on the disk. Recover the collection from a snapshot; see the log of the server for details',
  }),
  ...withStatus({ rest: 501, grpc: 'UNIMPLEMENTED' })({
    not_in_cluster: '{operation} is not served in a cluster: {reason}',
    not_implemented: 'Not implemented: {endpoint}',
  }),
  ...withStatus({ rest: 503, grpc: 'UNAVAILABLE' })({
    embedding_unavailable:
      'Texts cannot be embedded by the model {model}: {reason}. Nothing of this request was done; try again in {seconds} s',
    log_unavailable:
      'The log of the cluster cannot be reached, so it is unknown whether this write was applied; reads continue. Send the write again when the log is reachable',
    shard_unavailable: 'A shard of {collection} cannot be reached, so the response would be incomplete ({reason})',
    collection_recovering:
      'Collection {collection} is being recovered from a snapshot and is incomplete; it can be read and written when the recovery ends. Until then its description has a warning. To abort the recovery, delete the collection',
    replicas_missing:
      'Nothing was written: the write_consistency_factor of {collection} requires {needed} copies of a shard, but the number of copies alive is {alive} ({away} away)',
    write_unconfirmed:
      'The write is in the log and every node will apply it, but only {confirmed} of the {needed} copies that the write_consistency_factor of {collection} requires have confirmed it in time ({reason})',
    consistency_unavailable:
      'The log of the cluster cannot be reached, so this node does not know whether it is up to date; without consistency it answers with the data that it has',
    shutting_down: 'The server is shutting down',
  }),
  ...withStatus({ rest: 503, grpc: 'RESOURCE_EXHAUSTED' })({
    connections_exhausted:
      'The server has reached its maximum number of connections ({max}, SERVICE_CONNECTIONS_MAX); try again in {seconds} s',
    collections_in_use:
      'The maximum number of open collections ({max}, by {bound}) is in use, so none can be closed to open this one; try again in {seconds} s',
    descriptors_exhausted:
      'The process has no file descriptor left for this; try again in {seconds} s, or raise the limit (ulimit -n, LimitNOFILE of systemd) and start again',
  }),
  ...withStatus({ rest: 507, grpc: 'RESOURCE_EXHAUSTED' })({
    node_full:
      'The disk of the node {node}, which holds a copy of what is written to {collection}, is full; free disk space there, move shards to other nodes, or delete points, which is still possible',
    memory_exhausted:
      'There is not enough memory for these vectors of collection {collection}: the vectors of all collections may take {limit} bytes (SERVICE_VECTOR_MEMORY_BYTES); nothing of this request was written',
    disk_full:
      'The disk of the data directory is full ({free} bytes are free, {reserve} are kept in reserve); nothing of this request was written. Reads and deletions continue; writes are accepted again once there is free space',
    collections_exhausted:
      'At most {max} collections are possible: each takes {each} of the {limit} file descriptors of the process, and SERVICE_CONNECTIONS_MAX reserves {connections} for connections. Delete collections, lower SERVICE_CONNECTIONS_MAX, or raise the limit (ulimit -n, LimitNOFILE of systemd) and restart',
    snapshot_no_room:
      'The disk of the snapshots has {free} bytes left, but this needs {wanted} bytes; delete snapshots, or set SERVICE_SNAPSHOTS_DIR',
    resident_memory_exhausted:
      'The process holds {used} % of the memory, and collection {collection} allows writes that need more up to {limit} % (max_resident_memory_percent); delete points, or raise the limit',
  }),
} as const;

export type ErrorCode = keyof typeof CATALOGUE;

export type ErrorDetails = { readonly [name: string]: string | number | bigint };

/** An error that its reader can act on. The servers turn `code` into a reply in one place. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(fillSentence(CATALOGUE[code].message, details), options);
    this.code = code;
    this.details = details;
  }

  get restStatus(): number {
    return CATALOGUE[this.code].rest;
  }

  get grpcStatus(): string {
    return CATALOGUE[this.code].grpc;
  }
}

/** The catalogue as rows, for the reference page. */
export function errorCatalogue(): readonly { code: string; rest: number; grpc: string; message: string }[] {
  return Object.entries(CATALOGUE).map(([code, row]) => ({ code, ...row }));
}
