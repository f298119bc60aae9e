// SPDX-License-Identifier: Apache-2.0
/** Schemas of grouped searches: the hits of a search, a query or a recommendation, by the value of a payload key. */

import { depthAtMost, maybe, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { filterSchema } from './filter-schema.ts';
import type { WithPayload, WithVector } from './point-schemas.ts';
import { payloadKeySchema, pointRecordSchema, scoredPointSchema } from './point-schemas.ts';
import { prefetchMembers, QUERY_DEPTH_MAX, queryDefinitions, type RawPrefetch } from './query-language-schemas.ts';
import { limitSchema, searchParamsSchema, searchVectorSchema, shownMembers } from './query-schemas.ts';
import { recommendMembers } from './recommend-schemas.ts';
import { integer64 } from './schema.ts';
import { type ShardKeySelector, shardKeySelectorSchema } from './shard-key-schemas.ts';

const GROUP_SIZE_MAX = 10_000;

const lookup = strict({ collection: Type.String({ minLength: 1 }), ...shownMembers }, { title: 'WithLookup' });

const groupMembers = {
  group_by: payloadKeySchema,
  group_size: maybe(Type.Integer({ minimum: 1, maximum: GROUP_SIZE_MAX })),
  /** Groups. */
  limit: maybe(limitSchema),
  with_lookup: maybe(Type.Union([Type.String({ minLength: 1 }), lookup], { title: 'WithLookupInterface' })),
  shard_key: maybe(shardKeySelectorSchema),
};

/** Members that all kinds of grouped searches have. */
export type RawGrouping = {
  readonly shard_key?: ShardKeySelector | null;
  readonly group_by: string;
  readonly group_size?: number | null;
  readonly limit?: number | null;
  readonly with_lookup?:
    | string
    | {
        readonly collection: string;
        readonly with_payload?: WithPayload | null;
        readonly with_vector?: WithVector | null;
        readonly with_vectors?: WithVector | null;
      }
    | null;
};

export type RawGroupedQuery = RawPrefetch &
  RawGrouping & {
    readonly with_payload?: WithPayload | null;
    readonly with_vector?: WithVector | null;
    readonly with_vectors?: WithVector | null;
  };

export const searchGroupsSchema = strict(
  {
    vector: searchVectorSchema,
    filter: maybe(filterSchema),
    params: maybe(searchParamsSchema),
    ...shownMembers,
    score_threshold: maybe(Type.Number()),
    ...groupMembers,
  },
  { title: 'SearchPointGroups' },
);

const { offset: _, ...recommendWithoutOffset } = recommendMembers;
export const recommendGroupsSchema = strict({ ...recommendWithoutOffset, ...groupMembers }, { title: 'RecommendPointGroups' });

const groupedQuery = Type.Object({ ...prefetchMembers, ...shownMembers, ...groupMembers }, { additionalProperties: false });

export const queryGroupsSchema = Type.Refine(
  Type.Unsafe<RawGroupedQuery>(Type.Cyclic({ ...queryDefinitions, QueryPointGroups: groupedQuery }, 'QueryPointGroups')),
  (query: object) => depthAtMost(query, QUERY_DEPTH_MAX),
  () => `nested deeper than ${QUERY_DEPTH_MAX} levels`,
);

const pointGroup = Type.Object(
  {
    id: Type.Union([Type.String(), integer64], { title: 'GroupId' }),
    hits: Type.Array(scoredPointSchema),
    lookup: Type.Optional(pointRecordSchema),
  },
  { title: 'PointGroup' },
);

export const groupsResultSchema = Type.Object({ groups: Type.Array(pointGroup) }, { title: 'GroupsResult' });
