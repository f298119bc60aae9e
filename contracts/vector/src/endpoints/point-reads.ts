// SPDX-License-Identifier: Apache-2.0
/** Everything that reads points. */
import Type from 'typebox';
import { matrixOffsetsResultSchema, matrixPairsResultSchema, searchMatrixSchema } from '../matrix-schemas.ts';
import { pointRecordSchema } from '../point-schemas.ts';
import { queryBatchSchema, querySchema } from '../query-language-schemas.ts';
import {
  countResultSchema,
  countSchema,
  facetResultSchema,
  facetSchema,
  queryBatchResultSchema,
  queryResultSchema,
  retrieveSchema,
  scrollResultSchema,
  scrollSchema,
  searchBatchResultSchema,
  searchBatchSchema,
  searchResultSchema,
  searchSchema,
} from '../query-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { readQuery } from './query-strings.ts';

const shared = {
  needs: 'read',
  envelope: 'result',
  thread: 'serving',
  query: readQuery,
  failure: 'search_failed',
  refusal: 'envelope',
} as const;

const ofCollection = ['collection_not_found', 'collection_deleted', 'shard_key_not_found', 'strict_mode', 'rate_limit_exceeded'] as const;
const ofSearch = [...ofCollection, 'dimension_mismatch', 'vector_name_unknown', 'not_supported_yet'] as const;

export const pointReadEndpoints = {
  get_point: {
    ...shared,
    tag: 'Points',
    method: 'GET',
    path: '/collections/{collection_name}/points/{id}',
    summary: 'Get one point with its payload and vectors',
    result: pointRecordSchema,
    errors: [...ofCollection, 'point_not_found'],
  },
  retrieve_points: {
    ...shared,
    tag: 'Points',
    method: 'POST',
    path: '/collections/{collection_name}/points',
    summary: 'Get points by their ids; ids that do not exist are skipped',
    body: retrieveSchema,
    result: Type.Array(pointRecordSchema),
    errors: ofCollection,
  },
  scroll_points: {
    ...shared,
    tag: 'Points',
    method: 'POST',
    path: '/collections/{collection_name}/points/scroll',
    summary: 'Page through points by id, or ordered by a payload key',
    body: scrollSchema,
    bodyOptional: true,
    result: scrollResultSchema,
    errors: [...ofCollection, 'range_index_required'],
  },
  count_points: {
    ...shared,
    tag: 'Points',
    method: 'POST',
    path: '/collections/{collection_name}/points/count',
    summary: 'Count points',
    body: countSchema,
    bodyOptional: true,
    result: countResultSchema,
    errors: ofCollection,
  },
  facet: {
    ...shared,
    tag: 'Points',
    method: 'POST',
    path: '/collections/{collection_name}/facet',
    summary: 'Count points by the values of a payload key',
    body: facetSchema,
    result: facetResultSchema,
    errors: [...ofCollection, 'index_required'],
  },
  search_points: {
    ...shared,
    tag: 'Search',
    method: 'POST',
    path: '/collections/{collection_name}/points/search',
    summary: 'Find the nearest points to a vector',
    body: searchSchema,
    result: searchResultSchema,
    errors: ofSearch,
  },
  search_batch: {
    ...shared,
    tag: 'Search',
    method: 'POST',
    path: '/collections/{collection_name}/points/search/batch',
    summary: 'Several searches in one request',
    body: searchBatchSchema,
    result: searchBatchResultSchema,
    errors: ofSearch,
  },
  search_matrix_pairs: {
    ...shared,
    tag: 'Search',
    method: 'POST',
    path: '/collections/{collection_name}/points/search/matrix/pairs',
    summary: 'Distances between the points of a random sample, as pairs',
    body: searchMatrixSchema,
    bodyOptional: true,
    result: matrixPairsResultSchema,
    errors: [...ofCollection, 'vector_name_unknown'],
  },
  search_matrix_offsets: {
    ...shared,
    tag: 'Search',
    method: 'POST',
    path: '/collections/{collection_name}/points/search/matrix/offsets',
    summary: 'Distances between the points of a random sample, as a sparse matrix: rows, columns and scores',
    body: searchMatrixSchema,
    bodyOptional: true,
    result: matrixOffsetsResultSchema,
    errors: [...ofCollection, 'vector_name_unknown'],
  },
  query_points: {
    ...shared,
    tag: 'Search',
    method: 'POST',
    path: '/collections/{collection_name}/points/query',
    summary: 'Nearest to a vector or to a stored point, ordered by a payload key, random, or by id',
    body: querySchema,
    bodyOptional: true,
    result: queryResultSchema,
    errors: [...ofSearch, 'point_not_found', 'range_index_required'],
  },
  query_batch: {
    ...shared,
    tag: 'Search',
    method: 'POST',
    path: '/collections/{collection_name}/points/query/batch',
    summary: 'Several queries in one request',
    body: queryBatchSchema,
    result: queryBatchResultSchema,
    errors: [...ofSearch, 'point_not_found', 'range_index_required'],
  },
} as const satisfies Record<string, Endpoint>;
