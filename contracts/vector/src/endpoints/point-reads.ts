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
import { OF_POINTS, OF_SEARCHES } from './possible-errors.ts';
import { readQuery } from './query-strings.ts';

const shared = {
  method: 'POST',
  needs: 'read',
  envelope: 'result',
  thread: 'serving',
  query: readQuery,
  failure: 'search_failed',
  refusal: 'envelope',
} as const;
const points = { ...shared, tag: 'Points' } as const;
const search = { ...shared, tag: 'Search' } as const;

export const pointReadEndpoints = {
  get_point: {
    ...points,
    method: 'GET',
    path: '/collections/{collection_name}/points/{id}',
    summary: 'Get one point with its payload and vectors',
    result: pointRecordSchema,
    errors: [...OF_POINTS, 'point_not_found'],
  },
  retrieve_points: {
    ...points,
    path: '/collections/{collection_name}/points',
    summary: 'Get points by their ids; ids that do not exist are skipped',
    body: retrieveSchema,
    result: Type.Array(pointRecordSchema),
    errors: OF_POINTS,
  },
  scroll_points: {
    ...points,
    path: '/collections/{collection_name}/points/scroll',
    summary: 'Page through points by id, or ordered by a payload key',
    body: scrollSchema,
    bodyOptional: true,
    result: scrollResultSchema,
    errors: [...OF_POINTS, 'range_index_required'],
  },
  count_points: {
    ...points,
    path: '/collections/{collection_name}/points/count',
    summary: 'Count points',
    body: countSchema,
    bodyOptional: true,
    result: countResultSchema,
    errors: OF_POINTS,
  },
  facet: {
    ...points,
    path: '/collections/{collection_name}/facet',
    summary: 'Count points by the values of a payload key',
    body: facetSchema,
    result: facetResultSchema,
    errors: [...OF_POINTS, 'index_required'],
  },
  search_points: {
    ...search,
    path: '/collections/{collection_name}/points/search',
    summary: 'Find the nearest points to a vector',
    body: searchSchema,
    result: searchResultSchema,
    errors: OF_SEARCHES,
  },
  search_batch: {
    ...search,
    path: '/collections/{collection_name}/points/search/batch',
    summary: 'Several searches in one request',
    body: searchBatchSchema,
    result: searchBatchResultSchema,
    errors: OF_SEARCHES,
  },
  search_matrix_pairs: {
    ...search,
    path: '/collections/{collection_name}/points/search/matrix/pairs',
    summary: 'Distances between the points of a random sample, as pairs',
    body: searchMatrixSchema,
    bodyOptional: true,
    result: matrixPairsResultSchema,
    errors: [...OF_POINTS, 'vector_name_unknown'],
  },
  search_matrix_offsets: {
    ...search,
    path: '/collections/{collection_name}/points/search/matrix/offsets',
    summary: 'Distances between the points of a random sample, as a sparse matrix: rows, columns and scores',
    body: searchMatrixSchema,
    bodyOptional: true,
    result: matrixOffsetsResultSchema,
    errors: [...OF_POINTS, 'vector_name_unknown'],
  },
  query_points: {
    ...search,
    path: '/collections/{collection_name}/points/query',
    summary: 'Nearest to a vector or to a stored point, ordered by a payload key, random, or by id',
    body: querySchema,
    bodyOptional: true,
    result: queryResultSchema,
    errors: [...OF_SEARCHES, 'point_not_found', 'range_index_required'],
  },
  query_batch: {
    ...search,
    path: '/collections/{collection_name}/points/query/batch',
    summary: 'Several queries in one request',
    body: queryBatchSchema,
    result: queryBatchResultSchema,
    errors: [...OF_SEARCHES, 'point_not_found', 'range_index_required'],
  },
} as const satisfies Record<string, Endpoint>;
