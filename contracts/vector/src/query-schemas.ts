// SPDX-License-Identifier: Apache-2.0
/** Schemas of reads: retrieve, scroll, count, facet, search and the query endpoint. */
import { count, maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { filterSchema } from './filter-schema.ts';
import { pointIdSchema } from './point-id.ts';
import {
  anyVectorSchema,
  denseVectorSchema,
  otherVectors,
  POINTS_PER_REQUEST_MAX,
  payloadKeySchema,
  pointRecordSchema,
  scoredPointSchema,
  vectorNameSchema,
  withPayloadSchema,
  withVectorSchema,
} from './point-schemas.ts';
import { integer64 } from './schema.ts';
import { shardKeySelectorSchema } from './shard-key-schemas.ts';

/** Hits or points of one answer. */
export const LIMIT_MAX = 1_000_000;
/** Searches of one batch. */
export const SEARCHES_PER_BATCH_MAX = 1_000;

export const limitSchema = Type.Integer({ minimum: 1, maximum: LIMIT_MAX });
export const offsetSchema = Type.Integer({ minimum: 0, maximum: LIMIT_MAX });

export const shownMembers = {
  with_payload: maybe(withPayloadSchema),
  with_vector: maybe(withVectorSchema),
  with_vectors: maybe(withVectorSchema),
};
const shardKey = { shard_key: maybe(shardKeySelectorSchema) };
const filter = { filter: maybe(filterSchema) };

export const searchParamsSchema = strict(
  {
    hnsw_ef: maybe(Type.Integer({ minimum: 1, maximum: LIMIT_MAX })),
    exact: maybe(Type.Boolean()),
    quantization: maybe(
      strict(
        {
          ignore: maybe(Type.Boolean()),
          rescore: maybe(Type.Boolean()),
          oversampling: maybe(Type.Number({ minimum: 1, maximum: 1_000 })),
        },
        { title: 'QuantizationSearchParams' },
      ),
    ),
    indexed_only: maybe(Type.Boolean()),
    acorn: maybe(
      strict(
        { enable: maybe(Type.Boolean()), max_selectivity: maybe(Type.Number({ minimum: 0, maximum: 1 })) },
        { title: 'AcornSearchParams' },
      ),
    ),
    /** Which points say how rare an index is, where a sparse vector has the modifier `idf`: all, or those of a filter. */
    idf: maybe(Type.Union([Type.Literal('global'), strict({ corpus: filterSchema }, { title: 'IdfCorpus' })])),
  },
  { title: 'SearchParams' },
);
export type SearchParams = Static<typeof searchParamsSchema>;

const orderBySchema = strict(
  {
    key: payloadKeySchema,
    direction: maybe(oneOf('asc', 'desc')),
    start_from: maybe(Type.Union([Type.Number(), integer64, Type.String()], { title: 'StartFrom' })),
  },
  { title: 'OrderBy' },
);
export type OrderBy = Static<typeof orderBySchema>;
export const orderByOrKeySchema = Type.Union([payloadKeySchema, orderBySchema], { title: 'OrderByInterface' });

export const retrieveSchema = strict(
  { ids: Type.Array(pointIdSchema, { maxItems: POINTS_PER_REQUEST_MAX }), ...shownMembers, ...shardKey },
  { title: 'RetrievePoints' },
);

export const scrollSchema = strict(
  { offset: maybe(pointIdSchema), limit: maybe(limitSchema), ...filter, ...shownMembers, order_by: maybe(orderByOrKeySchema), ...shardKey },
  { title: 'ScrollPoints' },
);

export const countSchema = strict({ ...filter, exact: maybe(Type.Boolean()), ...shardKey }, { title: 'CountPoints' });
export type CountRequest = Static<typeof countSchema>;

export const facetSchema = strict(
  { key: payloadKeySchema, limit: maybe(limitSchema), ...filter, exact: maybe(Type.Boolean()), ...shardKey },
  { title: 'Facet' },
);
export type FacetRequest = Static<typeof facetSchema>;

/** Both spellings of a member at once would leave its meaning to chance. */
function oneSpelling(first: string, second: string) {
  return {
    holds: (value: object) => !(first in value && second in value),
    text: () => `give either \`${first}\` or its other spelling \`${second}\`, not both`,
  };
}
const limitOrTop = oneSpelling('limit', 'top');

export const searchVectorSchema = Type.Union(
  [denseVectorSchema, strict({ name: vectorNameSchema, vector: anyVectorSchema }, { title: 'NamedVector' }), ...otherVectors],
  { title: 'SearchVector' },
);

const searchMembers = {
  vector: searchVectorSchema,
  limit: maybe(limitSchema),
  offset: maybe(offsetSchema),
  ...filter,
  params: maybe(searchParamsSchema),
  ...shownMembers,
  score_threshold: maybe(Type.Number()),
  ...shardKey,
};

export const searchSchema = Type.Refine(
  strict(
    {
      ...searchMembers,
      top: maybe(limitSchema),
    },
    { title: 'SearchPoints', 'x-written': strict(searchMembers) },
  ),
  limitOrTop.holds,
  limitOrTop.text,
);

export const searchBatchSchema = strict(
  { searches: Type.Array(searchSchema, { maxItems: SEARCHES_PER_BATCH_MAX }) },
  { title: 'SearchPointsBatch' },
);

export const scrollResultSchema = Type.Object(
  { points: Type.Array(pointRecordSchema), next_page_offset: Type.Union([pointIdSchema, Type.Null()]) },
  { title: 'ScrollResult' },
);
export type ScrollResult = Static<typeof scrollResultSchema>;

export const countResultSchema = Type.Object({ count }, { title: 'CountResult' });

export const facetResultSchema = Type.Object(
  {
    hits: Type.Array(Type.Object({ value: Type.Union([Type.String(), integer64, Type.Boolean()]), count }, { title: 'FacetHit' })),
  },
  { title: 'FacetResult' },
);
export type FacetHit = Static<typeof facetResultSchema>['hits'][number];

export const searchResultSchema = Type.Array(scoredPointSchema);
export type ScoredPoints = Static<typeof searchResultSchema>;
export const searchBatchResultSchema = Type.Array(searchResultSchema);
export const queryResultSchema = Type.Object({ points: Type.Array(scoredPointSchema) }, { title: 'QueryResult' });
export const queryBatchResultSchema = Type.Array(queryResultSchema);
