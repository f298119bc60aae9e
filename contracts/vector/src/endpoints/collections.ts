// SPDX-License-Identifier: Apache-2.0
/** Collections and their field indexes. */
import Type from 'typebox';
import {
  collectionClusterInfoSchema,
  createShardKeySchema,
  dropShardKeySchema,
  updateCollectionClusterSchema,
} from '../cluster-schemas.ts';
import {
  collectionInfoSchema,
  collectionListSchema,
  createCollectionSchema,
  createFieldIndexSchema,
  createVectorSchema,
  inputNormsSchema,
  updateCollectionSchema,
} from '../collection-schemas.ts';
import { updateResultSchema } from '../point-schemas.ts';
import { shardKeySchema } from '../shard-key-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { OF_COLLECTIONS } from './possible-errors.ts';
import { collectionQuery, noQuery, writeQuery } from './query-strings.ts';

const shared = { tag: 'Collections', envelope: 'result', failure: 'internal', refusal: 'envelope' } as const;
const read = { ...shared, method: 'GET', needs: 'read', thread: 'serving', query: noQuery } as const;
const write = { ...shared, needs: 'write', thread: 'writer' } as const;
const change = { ...write, query: collectionQuery, result: Type.Boolean() } as const;
const vectorChange = { ...write, query: writeQuery, result: updateResultSchema } as const;
const fieldIndex = {
  ...vectorChange,
  tag: 'Indexes',
  errors: [...OF_COLLECTIONS, 'strict_mode', 'rate_limit_exceeded'],
  failure: 'field_index_failed',
} as const;

export const collectionEndpoints = {
  list_collections: {
    ...read,
    path: '/collections',
    summary: 'List collections',
    result: collectionListSchema,
  },
  get_collection: {
    ...read,
    path: '/collections/{collection_name}',
    summary: 'Describe a collection',
    result: collectionInfoSchema,
    errors: OF_COLLECTIONS,
  },
  input_norms: {
    ...read,
    path: '/collections/{collection_name}/input_norms',
    summary: 'Lengths of vectors before normalization, for vectors with the distance Cosine',
    result: inputNormsSchema,
    errors: OF_COLLECTIONS,
  },
  create_collection: {
    ...change,
    method: 'PUT',
    path: '/collections/{collection_name}',
    summary: 'Create a collection',
    body: createCollectionSchema,
    bodyMissing: 'vectors_config_required',
    errors: ['vectors_config_required', 'not_supported_yet', 'collection_exists', 'collection_deleted'],
  },
  update_collection: {
    ...change,
    method: 'PATCH',
    path: '/collections/{collection_name}',
    summary: 'Change the settings of a collection',
    body: updateCollectionSchema,
    errors: ['vector_name_unknown', ...OF_COLLECTIONS],
  },
  delete_collection: {
    ...change,
    method: 'DELETE',
    path: '/collections/{collection_name}',
    summary: 'Delete a collection; the result is false if it does not exist',
    failure: 'delete_failed',
  },
  collection_exists: {
    ...read,
    path: '/collections/{collection_name}/exists',
    summary: 'Check whether a collection exists',
    result: Type.Object({ exists: Type.Boolean() }, { title: 'CollectionExistence' }),
  },
  collection_cluster_info: {
    ...shared,
    method: 'GET',
    path: '/collections/{collection_name}/cluster',
    summary: 'Describe the shard of a collection, and in a cluster its replicas',
    needs: 'read',
    thread: 'writer',
    query: noQuery,
    result: collectionClusterInfoSchema,
    errors: OF_COLLECTIONS,
  },
  update_collection_cluster: {
    ...change,
    method: 'POST',
    path: '/collections/{collection_name}/cluster',
    summary:
      'Copy or move a shard to another node of a cluster, drop a copy, abort a transfer, start or abort resharding, or create or drop a shard key; answers once the operation has started',
    body: updateCollectionClusterSchema,
    errors: ['standalone_mode', ...OF_COLLECTIONS, 'peer_not_found', 'shard_change_refused', 'shard_key_not_found', 'not_supported_yet'],
  },
  create_shard_key: {
    ...change,
    method: 'PUT',
    path: '/collections/{collection_name}/shards',
    summary: 'Create a shard key and its shards in a collection with shard keys',
    body: createShardKeySchema,
    errors: ['standalone_mode', ...OF_COLLECTIONS, 'peer_not_found', 'shard_change_refused', 'not_supported_yet'],
  },
  delete_shard_key: {
    ...change,
    method: 'POST',
    path: '/collections/{collection_name}/shards/delete',
    summary: 'Drop a shard key, and all points under it',
    body: dropShardKeySchema,
    errors: ['standalone_mode', ...OF_COLLECTIONS, 'shard_change_refused', 'shard_key_not_found'],
  },
  list_shard_keys: {
    ...read,
    path: '/collections/{collection_name}/shards',
    summary: 'List the shard keys of a collection in the order of their creation; a single node has none',
    result: Type.Object({ shard_keys: Type.Array(Type.Object({ key: shardKeySchema })) }, { title: 'ShardKeys' }),
    errors: OF_COLLECTIONS,
  },
  create_vector: {
    ...vectorChange,
    method: 'PUT',
    path: '/collections/{collection_name}/vectors/{vector_name}',
    summary: 'Add a vector to a collection; existing points have no such vector until they are written again',
    body: createVectorSchema,
    errors: ['vector_exists', 'not_supported_yet', ...OF_COLLECTIONS, 'memory_exhausted'],
  },
  delete_vector: {
    ...vectorChange,
    method: 'DELETE',
    path: '/collections/{collection_name}/vectors/{vector_name}',
    summary: 'Remove a vector from a collection and all its points',
    errors: ['vector_name_unknown', ...OF_COLLECTIONS],
  },
  create_field_index: {
    ...fieldIndex,
    method: 'PUT',
    path: '/collections/{collection_name}/index',
    summary: 'Create a field index',
    body: createFieldIndexSchema,
  },
  delete_field_index: {
    ...fieldIndex,
    method: 'DELETE',
    path: '/collections/{collection_name}/index/{field_name}',
    summary: 'Delete a field index',
  },
} as const satisfies Record<string, Endpoint>;
