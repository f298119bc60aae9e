// SPDX-License-Identifier: Apache-2.0
/** Every call of the protocol that has an operation. */
import type { DescMessage } from '@bufbuild/protobuf';
import type { OperationId } from '@sextant/contracts-vector';
import { services } from './protocol.ts';

export type Call = {
  readonly operation: OperationId;
  /** Members of the request that are parameters of the path to REST. */
  readonly params: readonly PathMember[];
  readonly hasBody: boolean;
  readonly input: DescMessage;
  readonly output: DescMessage;
};

type PathMember = 'collection_name' | 'field_name' | 'vector_name' | 'snapshot_name';
type Row = Pick<Call, 'operation' | 'params' | 'hasBody'>;

const rows: { readonly [method: string]: Row } = {
  'qdrant.Collections/Get': withoutBody('get_collection', 'collection_name'),
  'qdrant.Collections/List': withoutBody('list_collections'),
  'qdrant.Collections/Create': withBody('create_collection', 'collection_name'),
  'qdrant.Collections/Update': withBody('update_collection', 'collection_name'),
  'qdrant.Collections/Delete': withoutBody('delete_collection', 'collection_name'),
  'qdrant.Collections/CollectionExists': withoutBody('collection_exists', 'collection_name'),
  'qdrant.Collections/UpdateAliases': withBody('change_aliases'),
  'qdrant.Collections/ListAliases': withoutBody('list_aliases'),
  'qdrant.Collections/ListCollectionAliases': withoutBody('list_collection_aliases', 'collection_name'),
  'qdrant.Collections/CollectionClusterInfo': withoutBody('collection_cluster_info', 'collection_name'),
  'qdrant.Collections/UpdateCollectionClusterSetup': withBody('update_collection_cluster', 'collection_name'),
  'qdrant.Collections/ListShardKeys': withoutBody('list_shard_keys', 'collection_name'),
  'qdrant.Collections/CreateShardKey': withBody('create_shard_key', 'collection_name'),
  'qdrant.Collections/DeleteShardKey': withBody('delete_shard_key', 'collection_name'),

  'qdrant.Snapshots/Create': withoutBody('create_snapshot', 'collection_name'),
  'qdrant.Snapshots/List': withoutBody('list_snapshots', 'collection_name'),
  'qdrant.Snapshots/Delete': withoutBody('delete_snapshot', 'collection_name', 'snapshot_name'),
  'qdrant.Snapshots/CreateFull': withoutBody('create_full_snapshot'),
  'qdrant.Snapshots/ListFull': withoutBody('list_full_snapshots'),
  'qdrant.Snapshots/DeleteFull': withoutBody('delete_full_snapshot', 'snapshot_name'),

  'qdrant.Points/CreateFieldIndex': withBody('create_field_index', 'collection_name'),
  'qdrant.Points/DeleteFieldIndex': withoutBody('delete_field_index', 'collection_name', 'field_name'),
  'qdrant.Points/CreateVectorName': withBody('create_vector', 'collection_name', 'vector_name'),
  'qdrant.Points/DeleteVectorName': withoutBody('delete_vector', 'collection_name', 'vector_name'),

  'qdrant.Points/Upsert': withBody('upsert_points', 'collection_name'),
  'qdrant.Points/Delete': withBody('delete_points', 'collection_name'),
  'qdrant.Points/Get': withBody('retrieve_points', 'collection_name'),
  'qdrant.Points/UpdateVectors': withBody('update_vectors', 'collection_name'),
  'qdrant.Points/DeleteVectors': withBody('delete_vectors', 'collection_name'),
  'qdrant.Points/SetPayload': withBody('set_payload', 'collection_name'),
  'qdrant.Points/OverwritePayload': withBody('overwrite_payload', 'collection_name'),
  'qdrant.Points/DeletePayload': withBody('delete_payload', 'collection_name'),
  'qdrant.Points/ClearPayload': withBody('clear_payload', 'collection_name'),
  'qdrant.Points/UpdateBatch': withBody('batch_update', 'collection_name'),
  'qdrant.Points/Search': withBody('search_points', 'collection_name'),
  'qdrant.Points/SearchBatch': withBody('search_batch', 'collection_name'),
  'qdrant.Points/SearchGroups': withBody('search_groups', 'collection_name'),
  'qdrant.Points/SearchMatrixPairs': withBody('search_matrix_pairs', 'collection_name'),
  'qdrant.Points/SearchMatrixOffsets': withBody('search_matrix_offsets', 'collection_name'),
  'qdrant.Points/Query': withBody('query_points', 'collection_name'),
  'qdrant.Points/QueryBatch': withBody('query_batch', 'collection_name'),
  'qdrant.Points/QueryGroups': withBody('query_groups', 'collection_name'),
  'qdrant.Points/Recommend': withBody('recommend_points', 'collection_name'),
  'qdrant.Points/RecommendBatch': withBody('recommend_batch', 'collection_name'),
  'qdrant.Points/RecommendGroups': withBody('recommend_groups', 'collection_name'),
  'qdrant.Points/Discover': withBody('discover_points', 'collection_name'),
  'qdrant.Points/DiscoverBatch': withBody('discover_batch', 'collection_name'),
  'qdrant.Points/Scroll': withBody('scroll_points', 'collection_name'),
  'qdrant.Points/Count': withBody('count_points', 'collection_name'),
  'qdrant.Points/Facet': withBody('facet', 'collection_name'),
};

const calls: ReadonlyMap<string, Call> = new Map(
  services.flatMap(({ typeName, methods }) =>
    methods.flatMap(({ name, input, output }) => {
      const row = rows[`${typeName}/${name}`];
      return row === undefined ? [] : [[`${typeName}/${name}`, { ...row, input, output }] as const];
    }),
  ),
);

/** Undefined for a call of the protocol that this release does not answer. */
export function callNamed(method: string): Call | undefined {
  return calls.get(method);
}

function withBody(operation: OperationId, ...params: readonly PathMember[]): Row {
  return { operation, params, hasBody: true };
}

function withoutBody(operation: OperationId, ...params: readonly PathMember[]): Row {
  return { operation, params, hasBody: false };
}
