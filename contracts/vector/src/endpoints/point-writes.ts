// SPDX-License-Identifier: Apache-2.0
/** Everything that changes points. Each write is on disk, whole, when it is answered; `points/batch` runs its steps one by one. */
import Type from 'typebox';
import {
  deletePayloadSchema,
  deleteVectorsSchema,
  pointSelectorSchema,
  pointsBatchSchema,
  setPayloadSchema,
  updateResultSchema,
  updateVectorsSchema,
  upsertSchema,
} from '../point-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { writeQuery } from './query-strings.ts';

const shared = {
  tag: 'Points',
  needs: 'write',
  envelope: 'result',
  thread: 'writer',
  query: writeQuery,
  result: updateResultSchema,
  refusal: 'envelope',
} as const;

const ofCollection = ['collection_not_found', 'collection_deleted', 'shard_key_not_found', 'strict_mode', 'rate_limit_exceeded'] as const;
const ofGrowth = ['collection_full', 'resident_memory_exhausted'] as const;
const ofVectors = ['dimension_mismatch', 'vector_name_unknown', 'not_supported_yet', 'memory_exhausted', ...ofGrowth] as const;

export const pointWriteEndpoints = {
  upsert_points: {
    ...shared,
    method: 'PUT',
    path: '/collections/{collection_name}/points',
    summary: 'Insert points, or replace those of the same id',
    body: upsertSchema,
    errors: [...ofCollection, ...ofVectors, 'shard_key_required'],
    failure: 'upsert_failed',
  },
  delete_points: {
    ...shared,
    method: 'POST',
    path: '/collections/{collection_name}/points/delete',
    summary: 'Delete points by ids or by filter',
    body: pointSelectorSchema,
    errors: ofCollection,
    failure: 'delete_failed',
  },
  update_vectors: {
    ...shared,
    method: 'PUT',
    path: '/collections/{collection_name}/points/vectors',
    summary: 'Replace the given vectors of points',
    body: updateVectorsSchema,
    errors: [...ofCollection, ...ofVectors, 'point_not_found'],
    failure: 'upsert_failed',
  },
  delete_vectors: {
    ...shared,
    method: 'POST',
    path: '/collections/{collection_name}/points/vectors/delete',
    summary: 'Delete named vectors of points',
    body: deleteVectorsSchema,
    errors: [...ofCollection, 'vector_name_unknown', 'point_not_found'],
    failure: 'delete_failed',
  },
  set_payload: {
    ...shared,
    method: 'POST',
    path: '/collections/{collection_name}/points/payload',
    summary: 'Merge a payload into points; a null member removes its key',
    body: setPayloadSchema,
    errors: [...ofCollection, ...ofGrowth, 'point_not_found'],
    failure: 'payload_failed',
  },
  overwrite_payload: {
    ...shared,
    method: 'PUT',
    path: '/collections/{collection_name}/points/payload',
    summary: 'Replace the payload of points',
    body: setPayloadSchema,
    errors: [...ofCollection, ...ofGrowth, 'point_not_found'],
    failure: 'payload_failed',
  },
  delete_payload: {
    ...shared,
    method: 'POST',
    path: '/collections/{collection_name}/points/payload/delete',
    summary: 'Delete payload keys of points',
    body: deletePayloadSchema,
    errors: [...ofCollection, 'point_not_found'],
    failure: 'payload_failed',
  },
  clear_payload: {
    ...shared,
    method: 'POST',
    path: '/collections/{collection_name}/points/payload/clear',
    summary: 'Remove the whole payload of points',
    body: pointSelectorSchema,
    errors: [...ofCollection, 'point_not_found'],
    failure: 'payload_failed',
  },
  batch_update: {
    ...shared,
    method: 'POST',
    path: '/collections/{collection_name}/points/batch',
    summary: 'Run several writes in order; earlier writes stay applied if a later one fails',
    body: pointsBatchSchema,
    result: Type.Array(updateResultSchema),
    errors: [...ofCollection, ...ofVectors, 'shard_key_required', 'point_not_found'],
    failure: 'upsert_failed',
  },
} as const satisfies Record<string, Endpoint>;
