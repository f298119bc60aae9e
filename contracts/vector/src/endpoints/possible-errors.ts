// SPDX-License-Identifier: Apache-2.0
/** What a caller of an endpoint can run into: what its row of the table says, and what follows from what it needs and reads. */
import type { ErrorCode } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';

/** Wherever a collection is named that must exist. */
export const OF_COLLECTIONS = ['collection_not_found', 'collection_deleted'] as const satisfies readonly ErrorCode[];
/** Wherever the points of a collection are read or written. */
export const OF_POINTS = [
  ...OF_COLLECTIONS,
  'shard_key_not_found',
  'strict_mode',
  'rate_limit_exceeded',
] as const satisfies readonly ErrorCode[];
/** Wherever points are compared with a vector. */
export const OF_SEARCHES = [
  ...OF_POINTS,
  'dimension_mismatch',
  'vector_name_unknown',
  'not_supported_yet',
] as const satisfies readonly ErrorCode[];

/** Wherever a credential is required. */
const OF_ACCESS = ['unauthorized', 'forbidden'] as const satisfies readonly ErrorCode[];
/** Of web pages that have no permission, before anything else is looked at. */
const OF_PAGES = ['host_not_allowed', 'origin_not_allowed'] as const satisfies readonly ErrorCode[];
/** Wherever there is work to do. */
const OF_WORK = ['engine_not_initialized', 'shutting_down'] as const satisfies readonly ErrorCode[];
/** The disk may have no room; and in a cluster, a write goes through the log. */
const OF_WRITES = ['disk_full', 'operation_too_large', 'log_unavailable', 'not_in_cluster'] as const satisfies readonly ErrorCode[];
/** Wherever a body is read. */
const OF_BODIES = ['body_too_large', 'overloaded'] as const satisfies readonly ErrorCode[];

/** Health, metrics and the title answer in every state of the service. */
export const ALWAYS_OPEN: ReadonlySet<string> = new Set(['/', '/healthz', '/livez', '/readyz', '/metrics']);

export function errorsOf(endpoint: Endpoint): readonly ErrorCode[] {
  const { path, method, needs, thread, query, body, upload, errors, failure } = endpoint;
  const codes: readonly ErrorCode[] = [
    ...(readsInput(endpoint) ? (['invalid_request'] as const) : []),
    ...(body !== undefined && upload === undefined ? (['unsupported_media_type'] as const) : []),
    ...(needs === 'none' ? [] : OF_ACCESS),
    ...OF_PAGES,
    ...(thread === 'writer' && method !== 'GET' ? OF_WRITES : []),
    ...(ALWAYS_OPEN.has(path) ? [] : OF_WORK),
    ...(method === 'GET' ? [] : OF_BODIES),
    ...(takesConsistency(query) ? (['consistency_unavailable'] as const) : []),
    ...(errors ?? []),
    ...(ALWAYS_OPEN.has(path) ? [] : [failure]),
  ];
  return [...new Set(codes)];
}

/** A query string is read where its members are listed, and is refused where the list is empty. */
function readsInput({ path, query, body }: Endpoint): boolean {
  return query !== undefined || body !== undefined || path.includes('{');
}

/** The schemas of query strings are objects; most threads do without the library that makes them. */
function takesConsistency(query: Endpoint['query']): boolean {
  const { properties = {} } = (query ?? {}) as { readonly properties?: object };
  return 'consistency' in properties;
}
