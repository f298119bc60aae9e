// SPDX-License-Identifier: Apache-2.0
/**
 * Every error that a caller can act on, with its REST status, its gRPC status and its sentence.
 * `{name}` in a sentence is replaced by the detail of that name. The texts of the specification are exact.
 */
const CATALOGUE = {
  invalid_request: { rest: 400, grpc: 'INVALID_ARGUMENT', message: '{reason}' },
  vectors_config_required: { rest: 400, grpc: 'INVALID_ARGUMENT', message: 'vectors_config is required' },
  dimension_mismatch: {
    rest: 400,
    grpc: 'INVALID_ARGUMENT',
    message: 'Dimension mismatch for vector: expected {expected}, got {actual}',
  },
  vector_exists: {
    rest: 400,
    grpc: 'INVALID_ARGUMENT',
    message: 'Vector `{vector}` already exists with a different configuration',
  },
  vector_name_unknown: { rest: 400, grpc: 'INVALID_ARGUMENT', message: 'Not existing vector name error: {vector}' },
  invalid_filter: { rest: 400, grpc: 'INVALID_ARGUMENT', message: 'Invalid filter: {reason}' },
  range_index_required: {
    rest: 400,
    grpc: 'INVALID_ARGUMENT',
    message:
      'No range index for `order_by` key: `{key}`. Create an integer, float or datetime index on it in the collection `{collection}`.',
  },
  index_required: {
    rest: 400,
    grpc: 'INVALID_ARGUMENT',
    message: 'Index required but not found for "{key}" of one of the following types: [{types}]',
  },
  not_supported_yet: { rest: 400, grpc: 'INVALID_ARGUMENT', message: '{feature} is not supported by this release' },
  snapshot_invalid: { rest: 400, grpc: 'INVALID_ARGUMENT', message: 'Nothing was recovered: {reason}' },
  strict_mode: { rest: 400, grpc: 'INVALID_ARGUMENT', message: '{reason}. Help: {help}' },
  alias_exists: {
    rest: 400,
    grpc: 'INVALID_ARGUMENT',
    message: 'An alias is already named {alias}; a collection cannot have the same name',
  },
  collection_full: { rest: 400, grpc: 'INVALID_ARGUMENT', message: '{reason}' },
  unauthorized: { rest: 401, grpc: 'UNAUTHENTICATED', message: 'Invalid or missing authorization token' },
  forbidden: { rest: 403, grpc: 'PERMISSION_DENIED', message: '{reason}' },
  origin_not_allowed: {
    rest: 403,
    grpc: 'PERMISSION_DENIED',
    message: 'Web pages of {origin} may not use this service; its operator lists those that may in SERVICE_ALLOWED_ORIGINS',
  },
  host_not_allowed: {
    rest: 403,
    grpc: 'PERMISSION_DENIED',
    message: 'This service does not answer to the name {host}; its operator lists further names in SERVICE_ALLOWED_HOSTS',
  },
  collection_not_found: { rest: 404, grpc: 'NOT_FOUND', message: 'Collection not found: {collection}' },
  point_not_found: { rest: 404, grpc: 'NOT_FOUND', message: 'No point with id {id} found' },
  alias_not_found: { rest: 404, grpc: 'NOT_FOUND', message: 'Alias not found: {alias}' },
  snapshot_not_found: { rest: 404, grpc: 'NOT_FOUND', message: 'Snapshot not found: {snapshot}' },
  path_not_found: { rest: 404, grpc: 'UNIMPLEMENTED', message: 'No such path: {method} {path}' },
  method_not_allowed: { rest: 405, grpc: 'UNIMPLEMENTED', message: 'Method {method} is not allowed on {path}; allowed: {allowed}' },
  standalone_mode: {
    rest: 405,
    grpc: 'UNIMPLEMENTED',
    message: '{endpoint} needs a cluster, and this service is a single node (standalone mode); {instead}',
  },
  peer_not_found: { rest: 404, grpc: 'NOT_FOUND', message: 'The cluster has no peer {peer}; its description lists them' },
  peer_alive: { rest: 409, grpc: 'FAILED_PRECONDITION', message: 'The node {peer} is alive and would rejoin the cluster; stop it first' },
  node_full: {
    rest: 507,
    grpc: 'RESOURCE_EXHAUSTED',
    message:
      'The disk of the node {node}, which holds a copy of what is written to {collection}, is full; free disk space there, move shards to other nodes, or delete points, which is still possible',
  },
  credentials_changed: {
    rest: 409,
    grpc: 'ABORTED',
    message: 'Another node of the cluster is changing credentials at the same moment; try again',
  },
  shard_change_refused: { rest: 400, grpc: 'INVALID_ARGUMENT', message: 'The placement stays as it is: {reason}' },
  shard_key_not_found: {
    rest: 404,
    grpc: 'NOT_FOUND',
    message: 'Shard key {key} not found in {collection}; list its shard keys to see the existing ones',
  },
  shard_key_required: {
    rest: 400,
    grpc: 'INVALID_ARGUMENT',
    message:
      'Shard key not specified: the points of {collection} are divided by shard keys, so an upsert must name the shard_key of its points',
  },
  peer_has_shards: {
    rest: 409,
    grpc: 'FAILED_PRECONDITION',
    message:
      'The node {peer} holds or receives {shards} shards of collections; start it again, or remove it with force=true: shards with copies on other nodes are copied again, and all others are lost',
  },
  not_in_cluster: { rest: 501, grpc: 'UNIMPLEMENTED', message: '{operation} is not served in a cluster: {reason}' },
  recovery_ended: {
    rest: 409,
    grpc: 'ABORTED',
    message:
      'Nothing was recovered: the collection {collection} was deleted while the snapshot was written to it. A collection that was created with this name since then is unchanged',
  },
  collection_exists: { rest: 409, grpc: 'ALREADY_EXISTS', message: 'Collection already exists: {collection}' },
  engine_not_initialized: { rest: 412, grpc: 'FAILED_PRECONDITION', message: 'Engine not initialized' },
  collection_deleted: { rest: 412, grpc: 'FAILED_PRECONDITION', message: 'Collection deleted' },
  body_too_large: {
    rest: 413,
    grpc: 'RESOURCE_EXHAUSTED',
    message: 'Request body is larger than the limit of {limit} bytes; send smaller batches or raise SERVICE_BODY_LIMIT_BYTES',
  },
  operation_too_large: {
    rest: 413,
    grpc: 'RESOURCE_EXHAUSTED',
    message: 'The write takes {bytes} bytes in the log of the cluster, which accepts at most {limit}; send fewer points at a time',
  },
  unsupported_media_type: {
    rest: 415,
    grpc: 'INVALID_ARGUMENT',
    message: 'The body has {type}; send Content-Type: application/json',
  },
  overloaded: {
    rest: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    message: 'The memory for request bodies is full. Try again in {seconds} s, or send smaller or fewer concurrent batches',
  },
  snapshots_busy: {
    rest: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    message: 'Too many snapshots and recoveries are waiting; try again in {seconds} s',
  },
  rate_limited: { rest: 429, grpc: 'RESOURCE_EXHAUSTED', message: 'Too many attempts; try again in {seconds} s' },
  rate_limit_exceeded: { rest: 429, grpc: 'RESOURCE_EXHAUSTED', message: 'Rate limiting exceeded: {reason}' },
  collection_unreadable: {
    rest: 500,
    grpc: 'INTERNAL',
    message: 'Collection {collection} could not be opened: {reason}. Other collections are served; see the log of the server for details',
  },
  record_damaged: {
    rest: 500,
    grpc: 'DATA_LOSS',
    message:
      'Collection {collection}: {what} is damaged on the disk. Recover the collection from a snapshot; see the log of the server for details',
  },
  upsert_failed: { rest: 500, grpc: 'INTERNAL', message: 'Upsert failed' },
  delete_failed: { rest: 500, grpc: 'INTERNAL', message: 'Delete failed' },
  search_failed: { rest: 500, grpc: 'INTERNAL', message: 'Search failed' },
  payload_failed: { rest: 500, grpc: 'INTERNAL', message: 'Payload operation failed' },
  field_index_failed: { rest: 500, grpc: 'INTERNAL', message: 'Field index failed' },
  index_rebuild_failed: { rest: 500, grpc: 'INTERNAL', message: 'Index rebuild failed' },
  optimization_failed: { rest: 500, grpc: 'INTERNAL', message: 'Optimization failed' },
  snapshot_failed: { rest: 500, grpc: 'INTERNAL', message: 'Snapshot failed' },
  internal: { rest: 500, grpc: 'INTERNAL', message: 'Internal error' },
  not_implemented: { rest: 501, grpc: 'UNIMPLEMENTED', message: 'Not implemented: {endpoint}' },
  memory_exhausted: {
    rest: 507,
    grpc: 'RESOURCE_EXHAUSTED',
    message:
      'There is not enough memory for these vectors of collection {collection}: the vectors of all collections may take {limit} bytes (SERVICE_VECTOR_MEMORY_BYTES); nothing of this request was written',
  },
  disk_full: {
    rest: 507,
    grpc: 'RESOURCE_EXHAUSTED',
    message:
      'The disk of the data directory is full ({free} bytes are free, {reserve} are kept in reserve); nothing of this request was written. Reads and deletions continue; writes are accepted again once there is free space',
  },
  collections_exhausted: {
    rest: 507,
    grpc: 'RESOURCE_EXHAUSTED',
    message:
      'At most {max} collections are possible: each takes {each} of the {limit} file descriptors of the process, and SERVICE_CONNECTIONS_MAX reserves {connections} for connections. Delete collections, lower SERVICE_CONNECTIONS_MAX, or raise the limit (ulimit -n, LimitNOFILE of systemd) and restart',
  },
  snapshot_no_room: {
    rest: 507,
    grpc: 'RESOURCE_EXHAUSTED',
    message:
      'The disk of the snapshots has {free} bytes left, but this needs {wanted} bytes; delete snapshots, or set SERVICE_SNAPSHOTS_DIR',
  },
  resident_memory_exhausted: {
    rest: 507,
    grpc: 'RESOURCE_EXHAUSTED',
    message:
      'The process holds {used} % of the memory, and collection {collection} allows writes that need more up to {limit} % (max_resident_memory_percent); delete points, or raise the limit',
  },
  embedding_unavailable: {
    rest: 503,
    grpc: 'UNAVAILABLE',
    message: 'Texts cannot be embedded by the model {model}: {reason}. Nothing of this request was done; try again in {seconds} s',
  },
  connections_exhausted: {
    rest: 503,
    grpc: 'RESOURCE_EXHAUSTED',
    message: 'The server has reached its maximum number of connections ({max}, SERVICE_CONNECTIONS_MAX); try again in {seconds} s',
  },
  collections_in_use: {
    rest: 503,
    grpc: 'RESOURCE_EXHAUSTED',
    message:
      'The maximum number of open collections ({max}, by {bound}) is in use, so none can be closed to open this one; try again in {seconds} s',
  },
  descriptors_exhausted: {
    rest: 503,
    grpc: 'RESOURCE_EXHAUSTED',
    message:
      'The process has no file descriptor left for this; try again in {seconds} s, or raise the limit (ulimit -n, LimitNOFILE of systemd) and start again',
  },
  log_unavailable: {
    rest: 503,
    grpc: 'UNAVAILABLE',
    message:
      'The log of the cluster cannot be reached, so it is unknown whether this write was applied; reads continue. Send the write again when the log is reachable',
  },
  shard_unavailable: {
    rest: 503,
    grpc: 'UNAVAILABLE',
    message: 'A shard of {collection} cannot be reached, so the response would be incomplete ({reason})',
  },
  collection_recovering: {
    rest: 503,
    grpc: 'UNAVAILABLE',
    message:
      'Collection {collection} is being recovered from a snapshot and is incomplete; it can be read and written when the recovery ends. Until then its description has a warning. To abort the recovery, delete the collection',
  },
  replicas_missing: {
    rest: 503,
    grpc: 'UNAVAILABLE',
    message:
      'Nothing was written: the write_consistency_factor of {collection} requires {needed} copies of a shard, but the number of copies alive is {alive} ({away} away)',
  },
  write_unconfirmed: {
    rest: 503,
    grpc: 'UNAVAILABLE',
    message:
      'The write is in the log and every node will apply it, but only {confirmed} of the {needed} copies that the write_consistency_factor of {collection} requires have confirmed it in time ({reason})',
  },
  consistency_unavailable: {
    rest: 503,
    grpc: 'UNAVAILABLE',
    message:
      'The log of the cluster cannot be reached, so this node does not know whether it is up to date; without consistency it answers with the data that it has',
  },
  shutting_down: { rest: 503, grpc: 'UNAVAILABLE', message: 'The server is shutting down' },
} as const;

export type ErrorCode = keyof typeof CATALOGUE;

export type ErrorDetails = { readonly [name: string]: string | number | bigint };

/** An error that its reader can act on. The servers turn `code` into a reply in one place. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(sentence(code, details), options);
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

function sentence(code: ErrorCode, details: ErrorDetails): string {
  return CATALOGUE[code].message.replace(/\{(\w+)\}/g, (hole, name: string) => String(details[name] ?? hole));
}
