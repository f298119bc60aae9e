/** Schemas of reads: retrieve, scroll, count, facet, search and the query endpoint. */
import { count, maybe, oneOf, schemaOf, strict } from '@sextant/foundation-contract';
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
import type { CountRequest, FacetHit, FacetRequest, OrderBy, ScrollResult, SearchParams } from './query.ts';
import { accepted, integer64 } from './schema.ts';

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
const shardKey = { shard_key: maybe(accepted) };
const filter = { filter: maybe(filterSchema) };

export const searchParamsSchema = schemaOf<SearchParams>()(
  strict(
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
      idf: maybe(Type.Union([Type.Literal('global'), strict({ corpus: filterSchema }, { title: 'IdfCorpus' })])),
    },
    { title: 'SearchParams' },
  ),
);

const orderBySchema = schemaOf<OrderBy>()(
  strict(
    {
      key: payloadKeySchema,
      direction: maybe(oneOf('asc', 'desc')),
      start_from: maybe(Type.Union([Type.Number(), integer64, Type.String()], { title: 'StartFrom' })),
    },
    { title: 'OrderBy' },
  ),
);
export const orderByOrKeySchema = Type.Union([payloadKeySchema, orderBySchema], { title: 'OrderByInterface' });

export const retrieveSchema = strict(
  { ids: Type.Array(pointIdSchema, { maxItems: POINTS_PER_REQUEST_MAX }), ...shownMembers, ...shardKey },
  { title: 'RetrievePoints' },
);

export const scrollSchema = strict(
  { offset: maybe(pointIdSchema), limit: maybe(limitSchema), ...filter, ...shownMembers, order_by: maybe(orderByOrKeySchema), ...shardKey },
  { title: 'ScrollPoints' },
);

export const countSchema = schemaOf<CountRequest>()(
  strict({ ...filter, exact: maybe(Type.Boolean()), ...shardKey }, { title: 'CountPoints' }),
);

export const facetSchema = schemaOf<FacetRequest>()(
  strict({ key: payloadKeySchema, limit: maybe(limitSchema), ...filter, exact: maybe(Type.Boolean()), ...shardKey }, { title: 'Facet' }),
);

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

export const scrollResultSchema = schemaOf<ScrollResult>()(
  Type.Object(
    { points: Type.Array(pointRecordSchema), next_page_offset: Type.Union([pointIdSchema, Type.Null()]) },
    { title: 'ScrollResult' },
  ),
);

export const countResultSchema = Type.Object({ count }, { title: 'CountResult' });

export const facetResultSchema = Type.Object(
  {
    hits: Type.Array(
      schemaOf<FacetHit>()(Type.Object({ value: Type.Union([Type.String(), integer64, Type.Boolean()]), count }, { title: 'FacetHit' })),
    ),
  },
  { title: 'FacetResult' },
);

export const searchResultSchema = Type.Array(scoredPointSchema);
export const searchBatchResultSchema = Type.Array(searchResultSchema);
export const queryResultSchema = Type.Object({ points: Type.Array(scoredPointSchema) }, { title: 'QueryResult' });
export const queryBatchResultSchema = Type.Array(queryResultSchema);
