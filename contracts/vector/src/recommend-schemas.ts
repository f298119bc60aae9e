// SPDX-License-Identifier: Apache-2.0
/** Schemas of the endpoints that came before the query language: recommendations and discovery. */
import { maybe, oneOf, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { filterSchema } from './filter-schema.ts';
import { vectorNameSchema } from './point-schemas.ts';
import { contextPairsSchema, exampleSchema, examplesSchema, lookupLocationSchema } from './query-language-schemas.ts';
import { limitSchema, offsetSchema, SEARCHES_PER_BATCH_MAX, searchParamsSchema, shownMembers } from './query-schemas.ts';
import { shardKeySelectorSchema } from './shard-key-schemas.ts';

const searchMembers = {
  filter: maybe(filterSchema),
  params: maybe(searchParamsSchema),
  limit: maybe(limitSchema),
  offset: maybe(offsetSchema),
  ...shownMembers,
  using: maybe(vectorNameSchema),
  lookup_from: maybe(lookupLocationSchema),
  shard_key: maybe(shardKeySelectorSchema),
};

export const recommendMembers = {
  positive: maybe(examplesSchema),
  negative: maybe(examplesSchema),
  strategy: maybe(oneOf('average_vector', 'best_score', 'sum_scores')),
  score_threshold: maybe(Type.Number()),
  ...searchMembers,
};

export const recommendSchema = strict(recommendMembers, { title: 'RecommendPoints' });

export const recommendBatchSchema = strict(
  { searches: Type.Array(recommendSchema, { maxItems: SEARCHES_PER_BATCH_MAX }) },
  { title: 'RecommendPointsBatch' },
);

export const discoverSchema = Type.Refine(
  strict({ target: maybe(exampleSchema), context: maybe(contextPairsSchema), ...searchMembers }, { title: 'DiscoverPoints' }),
  ({ target, context }) => (target !== undefined && target !== null) || (context !== undefined && context !== null),
  () => 'required member `target` or `context` is missing',
);

export const discoverBatchSchema = strict(
  { searches: Type.Array(discoverSchema, { maxItems: SEARCHES_PER_BATCH_MAX }) },
  { title: 'DiscoverPointsBatch' },
);
