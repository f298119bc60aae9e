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
import { OF_POINTS } from './possible-errors.ts';
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

const ofGrowth = ['collection_full', 'resident_memory_exhausted'] as const;
const ofVectors = ['dimension_mismatch', 'vector_name_unknown', 'not_supported_yet', 'memory_exhausted', ...ofGrowth] as const;
const payload = { ...shared, errors: [...OF_POINTS, 'point_not_found'], failure: 'payload_failed' } as const;

export const pointWriteEndpoints = {
  upsert_points: {
    ...shared,
    method: 'PUT',
    path: '/collections/{collection_name}/points',
    summary: 'Insert points, or replace those of the same id',
    body: upsertSchema,
    errors: [...OF_POINTS, ...ofVectors, 'shard_key_required'],
    failure: 'upsert_failed',
  },
  delete_points: {
    ...shared,
    method: 'POST',
    path: '/collections/{collection_name}/points/delete',
    summary: 'Delete points by ids or by filter',
    body: pointSelectorSchema,
    errors: OF_POINTS,
    failure: 'delete_failed',
  },
  update_vectors: {
    ...shared,
    method: 'PUT',
    path: '/collections/{collection_name}/points/vectors',
    summary: 'Replace the given vectors of points',
    body: updateVectorsSchema,
    errors: [...OF_POINTS, ...ofVectors, 'point_not_found'],
    failure: 'upsert_failed',
  },
  delete_vectors: {
    ...shared,
    method: 'POST',
    path: '/collections/{collection_name}/points/vectors/delete',
    summary: 'Delete named vectors of points',
    body: deleteVectorsSchema,
    errors: [...OF_POINTS, 'vector_name_unknown', 'point_not_found'],
    failure: 'delete_failed',
  },
  set_payload: {
    ...payload,
    method: 'POST',
    path: '/collections/{collection_name}/points/payload',
    summary: 'Merge a payload into points; a null member removes its key',
    body: setPayloadSchema,
    errors: [...OF_POINTS, ...ofGrowth, 'point_not_found'],
  },
  overwrite_payload: {
    ...payload,
    method: 'PUT',
    path: '/collections/{collection_name}/points/payload',
    summary: 'Replace the payload of points',
    body: setPayloadSchema,
    errors: [...OF_POINTS, ...ofGrowth, 'point_not_found'],
  },
  delete_payload: {
    ...payload,
    method: 'POST',
    path: '/collections/{collection_name}/points/payload/delete',
    summary: 'Delete payload keys of points',
    body: deletePayloadSchema,
  },
  clear_payload: {
    ...payload,
    method: 'POST',
    path: '/collections/{collection_name}/points/payload/clear',
    summary: 'Remove the whole payload of points',
    body: pointSelectorSchema,
  },
  batch_update: {
    ...shared,
    method: 'POST',
    path: '/collections/{collection_name}/points/batch',
    summary: 'Run several writes in order; earlier writes stay applied if a later one fails',
    body: pointsBatchSchema,
    result: Type.Array(updateResultSchema),
    errors: [...OF_POINTS, ...ofVectors, 'shard_key_required', 'point_not_found'],
    failure: 'upsert_failed',
  },
} as const satisfies Record<string, Endpoint>;
