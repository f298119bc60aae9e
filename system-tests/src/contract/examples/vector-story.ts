// SPDX-License-Identifier: Apache-2.0
/** A small shop of films: one request for each operation of the vector service, in an order in which each has something to answer. */
import type { OperationId } from '@sextant/contracts-vector';

export type Step = {
  readonly operation: OperationId;
  /** Of the path. */
  readonly params?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly body?: object;
};

/** What earlier answers say that later requests need. */
export type Known = { readonly snapshot: string; readonly fullSnapshot: string /** Absolute. */; readonly snapshotsDirectory: string };

const COLLECTION = { collection_name: 'films' };
const PASSWORD = 'Correct-Horse-42';

const FILMS = [
  { id: 1, vector: [0.9, 0.1, 0.2, 0.1], payload: { title: 'The Lighthouse Keeper', year: 1958, genres: ['drama'] } },
  { id: 2, vector: [0.1, 0.8, 0.3, 0.2], payload: { title: 'Northern Line', year: 1994, genres: ['comedy'] } },
  { id: 3, vector: [0.8, 0.2, 0.1, 0.3], payload: { title: 'A Winter at Sea', year: 1994, genres: ['drama', 'adventure'] } },
  { id: 4, vector: [0.2, 0.3, 0.9, 0.1], payload: { title: 'Signals', year: 2011, genres: ['science fiction'] } },
];
const QUERY = [0.85, 0.15, 0.15, 0.2];
const DRAMAS = { must: [{ key: 'genres', match: { value: 'drama' } }] };

export const BEFORE_SNAPSHOTS: readonly Step[] = [
  { operation: 'root' },
  { operation: 'healthz' },
  { operation: 'livez' },
  { operation: 'readyz' },
  {
    operation: 'create_collection',
    params: COLLECTION,
    body: { vectors: { size: 4, distance: 'Cosine' }, sparse_vectors: { words: { modifier: 'idf' } } },
  },
  { operation: 'create_field_index', params: COLLECTION, query: { wait: 'true' }, body: { field_name: 'genres', field_schema: 'keyword' } },
  { operation: 'upsert_points', params: COLLECTION, query: { wait: 'true' }, body: { points: FILMS } },
  {
    operation: 'batch_update',
    params: COLLECTION,
    query: { wait: 'true' },
    body: {
      operations: [
        { upsert: { points: [{ id: 5, vector: [0.3, 0.3, 0.8, 0.4], payload: { title: 'Draft' } }] } },
        { set_payload: { points: [5], payload: { year: 2020 } } },
      ],
    },
  },
  {
    operation: 'update_vectors',
    params: COLLECTION,
    query: { wait: 'true' },
    body: { points: [{ id: 5, vector: { words: { indices: [17, 208], values: [1, 0.5] } } }] },
  },
  { operation: 'delete_vectors', params: COLLECTION, query: { wait: 'true' }, body: { points: [5], vector: ['words'] } },
  { operation: 'set_payload', params: COLLECTION, query: { wait: 'true' }, body: { points: [2, 3], payload: { in_stock: true } } },
  {
    operation: 'overwrite_payload',
    params: COLLECTION,
    query: { wait: 'true' },
    body: { points: [5], payload: { title: 'The Draft', draft: true } },
  },
  { operation: 'delete_payload', params: COLLECTION, query: { wait: 'true' }, body: { points: [5], keys: ['draft'] } },
  { operation: 'clear_payload', params: COLLECTION, query: { wait: 'true' }, body: { points: [5] } },
  { operation: 'delete_points', params: COLLECTION, query: { wait: 'true' }, body: { points: [5] } },
  { operation: 'get_point', params: { ...COLLECTION, id: '3' } },
  { operation: 'retrieve_points', params: COLLECTION, body: { ids: [1, 3], with_payload: ['title'], with_vector: true } },
  { operation: 'scroll_points', params: COLLECTION, body: { limit: 2, filter: DRAMAS } },
  { operation: 'count_points', params: COLLECTION, body: { filter: DRAMAS, exact: true } },
  { operation: 'facet', params: COLLECTION, body: { key: 'genres' } },
  { operation: 'query_points', params: COLLECTION, body: { query: QUERY, filter: DRAMAS, limit: 2, with_payload: ['title'] } },
  {
    operation: 'query_batch',
    params: COLLECTION,
    body: {
      searches: [
        { query: QUERY, limit: 1 },
        { query: 4, limit: 1 },
      ],
    },
  },
  { operation: 'query_groups', params: COLLECTION, body: { query: QUERY, group_by: 'genres', group_size: 1, limit: 2 } },
  { operation: 'search_points', params: COLLECTION, body: { vector: QUERY, limit: 2, with_payload: true } },
  {
    operation: 'search_batch',
    params: COLLECTION,
    body: {
      searches: [
        { vector: QUERY, limit: 1 },
        { vector: QUERY, limit: 1, filter: DRAMAS },
      ],
    },
  },
  { operation: 'search_groups', params: COLLECTION, body: { vector: QUERY, group_by: 'genres', group_size: 1, limit: 2 } },
  { operation: 'search_matrix_pairs', params: COLLECTION, body: { sample: 3, limit: 1 } },
  { operation: 'search_matrix_offsets', params: COLLECTION, body: { sample: 3, limit: 1 } },
  { operation: 'recommend_points', params: COLLECTION, body: { positive: [1], negative: [4], limit: 1 } },
  { operation: 'recommend_batch', params: COLLECTION, body: { searches: [{ positive: [1], limit: 1 }] } },
  { operation: 'recommend_groups', params: COLLECTION, body: { positive: [1], group_by: 'genres', group_size: 1, limit: 2 } },
  { operation: 'discover_points', params: COLLECTION, body: { target: QUERY, context: [{ positive: 1, negative: 4 }], limit: 1 } },
  { operation: 'discover_batch', params: COLLECTION, body: { searches: [{ target: 1, limit: 1 }] } },
  { operation: 'list_collections' },
  { operation: 'get_collection', params: COLLECTION },
  { operation: 'collection_exists', params: COLLECTION },
  { operation: 'input_norms', params: COLLECTION },
  { operation: 'collection_status', params: COLLECTION },
  { operation: 'optimizations', params: COLLECTION, query: { with: 'completed' } },
  { operation: 'collection_cluster_info', params: COLLECTION },
  { operation: 'list_shard_keys', params: COLLECTION },
  {
    operation: 'update_collection',
    params: COLLECTION,
    body: { optimizers_config: { indexing_threshold: 20_000 }, metadata: { owner: 'shop' } },
  },
  { operation: 'create_vector', params: { ...COLLECTION, vector_name: 'poster' }, body: { dense: { size: 8, distance: 'Dot' } } },
  { operation: 'delete_vector', params: { ...COLLECTION, vector_name: 'poster' } },
  {
    operation: 'change_aliases',
    body: { actions: [{ create_alias: { alias_name: 'catalogue', collection_name: 'films' } }] },
  },
  { operation: 'list_aliases' },
  { operation: 'list_collection_aliases', params: COLLECTION },
  { operation: 'update_aliases', body: { actions: [{ delete_alias: { alias_name: 'catalogue' } }] } },
  { operation: 'flush_collection', params: COLLECTION },
  { operation: 'optimize_collection', params: COLLECTION },
  { operation: 'rebuild_index', params: COLLECTION },
  { operation: 'cluster' },
  { operation: 'issues' },
  { operation: 'clear_issues' },
  { operation: 'telemetry', query: { details_level: '1' } },
  { operation: 'create_snapshot', params: COLLECTION },
  { operation: 'list_snapshots', params: COLLECTION },
  { operation: 'create_full_snapshot' },
  { operation: 'list_full_snapshots' },
];

export function afterSnapshots({ snapshot, fullSnapshot, snapshotsDirectory }: Known): readonly Step[] {
  const named = { ...COLLECTION, snapshot_name: snapshot };
  return [
    { operation: 'recover_named_snapshot', params: named, body: { priority: 'snapshot' } },
    { operation: 'recover_snapshot', params: COLLECTION, body: { location: `file://${snapshotsDirectory}/films/${snapshot}` } },
    { operation: 'delete_snapshot', params: named },
    { operation: 'delete_full_snapshot', params: { snapshot_name: fullSnapshot } },
    { operation: 'delete_field_index', params: { ...COLLECTION, field_name: 'genres' }, query: { wait: 'true' } },
    { operation: 'delete_collection', params: COLLECTION },
    { operation: 'admin_exists' },
    { operation: 'create_admin', body: { password: PASSWORD } },
    { operation: 'login', body: { password: PASSWORD } },
    { operation: 'set_enforced', body: { enabled: true } },
    { operation: 'enforced' },
    { operation: 'create_token', body: { name: 'shop', permission: 'read,write', collections: ['films'], will_expire: false } },
    { operation: 'list_tokens' },
    { operation: 'rotate_token', params: { token_id: '1' } },
    { operation: 'delete_token', params: { token_id: '1' } },
    { operation: 'reset_password', body: { password: PASSWORD } },
  ];
}
