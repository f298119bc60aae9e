// SPDX-License-Identifier: Apache-2.0
/** Maintenance and status, which are off until an operator switches them on. */
import Type from 'typebox';
import { collectionStatusSchema, optimizationReportSchema } from '../maintenance-schemas.ts';
import { updateResultSchema } from '../point-schemas.ts';
import { waitQuery } from '../snapshot-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { OF_COLLECTIONS } from './possible-errors.ts';
import { noQuery, optimizationsQuery } from './query-strings.ts';

const collection = '/collections/{collection_name}';
const shared = {
  tag: 'Maintenance',
  envelope: 'result',
  refusal: 'envelope',
  errors: OF_COLLECTIONS,
} as const;
const operation = { ...shared, capability: 'maintenance', method: 'POST', needs: 'write', thread: 'writer' } as const;
const status = { ...shared, capability: 'status', method: 'GET', needs: 'read', thread: 'serving', failure: 'internal' } as const;

export const maintenanceEndpoints = {
  flush_collection: {
    ...operation,
    path: `${collection}/operations/flush`,
    summary: 'Wait until every earlier write is on disk',
    query: noQuery,
    result: updateResultSchema,
    failure: 'internal',
  },
  optimize_collection: {
    ...operation,
    path: `${collection}/operations/optimize`,
    summary: 'Link pending rows, release the memory of deleted points, and save the graphs',
    query: waitQuery,
    result: Type.Boolean(),
    failure: 'optimization_failed',
  },
  rebuild_index: {
    ...operation,
    path: `${collection}/operations/rebuild_index`,
    summary: 'Rebuild every graph while searches use the current graphs',
    query: waitQuery,
    result: Type.Boolean(),
    errors: [...OF_COLLECTIONS, 'memory_exhausted'],
    failure: 'index_rebuild_failed',
  },
  collection_status: {
    ...status,
    path: `${collection}/status`,
    summary: 'Report the progress, memory and maintenance of the graphs of a collection',
    query: noQuery,
    result: collectionStatusSchema,
  },
  optimizations: {
    ...status,
    path: `${collection}/optimizations`,
    summary: 'Report the progress of the graphs in terms of segments and optimizers',
    query: optimizationsQuery,
    result: optimizationReportSchema,
  },
} as const satisfies Record<string, Endpoint>;
