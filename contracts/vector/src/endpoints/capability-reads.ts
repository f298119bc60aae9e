// SPDX-License-Identifier: Apache-2.0
/** Reads that are off until an operator switches their group on. */
import { groupsResultSchema, queryGroupsSchema, recommendGroupsSchema, searchGroupsSchema } from '../group-schemas.ts';
import { searchBatchResultSchema, searchResultSchema } from '../query-schemas.ts';
import { discoverBatchSchema, discoverSchema, recommendBatchSchema, recommendSchema } from '../recommend-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { OF_SEARCHES } from './possible-errors.ts';
import { readQuery } from './query-strings.ts';

const shared = {
  tag: 'Search',
  method: 'POST',
  needs: 'read',
  envelope: 'result',
  thread: 'serving',
  query: readQuery,
  failure: 'search_failed',
  refusal: 'envelope',
  errors: [...OF_SEARCHES, 'point_not_found'],
} as const;
const recommend = { ...shared, capability: 'recommendations' } as const;
const discover = { ...shared, capability: 'discovery' } as const;
const groups = { ...shared, capability: 'groups', result: groupsResultSchema } as const;

const points = '/collections/{collection_name}/points';

export const capabilityEndpoints = {
  recommend_points: {
    ...recommend,
    path: `${points}/recommend`,
    summary: 'Find points like some examples and unlike others',
    body: recommendSchema,
    result: searchResultSchema,
  },
  recommend_batch: {
    ...recommend,
    path: `${points}/recommend/batch`,
    summary: 'Several recommendations in one request',
    body: recommendBatchSchema,
    result: searchBatchResultSchema,
  },
  recommend_groups: {
    ...recommend,
    path: `${points}/recommend/groups`,
    summary: 'Recommendations, grouped by the values of a payload key',
    body: recommendGroupsSchema,
    result: groupsResultSchema,
  },
  discover_points: {
    ...discover,
    path: `${points}/discover`,
    summary: 'Find points near a target that are nearer to the positive than to the negative example of each pair',
    body: discoverSchema,
    result: searchResultSchema,
  },
  discover_batch: {
    ...discover,
    path: `${points}/discover/batch`,
    summary: 'Several discoveries in one request',
    body: discoverBatchSchema,
    result: searchBatchResultSchema,
  },
  search_groups: {
    ...groups,
    path: `${points}/search/groups`,
    summary: 'The nearest points, grouped by the values of a payload key',
    body: searchGroupsSchema,
  },
  query_groups: {
    ...groups,
    path: `${points}/query/groups`,
    summary: 'The hits of a query, grouped by the values of a payload key',
    body: queryGroupsSchema,
  },
} as const satisfies Record<string, Endpoint>;
