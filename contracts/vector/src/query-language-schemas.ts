// SPDX-License-Identifier: Apache-2.0
/** Schemas of the query language: queries, and prefetches to any depth. */

import { depthAtMost, maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import type { RawDocument } from './document-schema.ts';
import type { Filter } from './filter.ts';
import { filterDefinitions, geoPointSchema } from './filter-schema.ts';
import { pointIdSchema } from './point-id.ts';
import type { WithPayload, WithVector } from './point-schemas.ts';
import {
  denseVectorSchema,
  otherVectors,
  payloadKeySchema,
  payloadSchema,
  type RawDenseVector,
  type RawSparseVector,
  vectorNameSchema,
} from './point-schemas.ts';
import type { Payload, PointId } from './points.ts';
import type { Expression, RecommendStrategy } from './query-language.ts';
import type { OrderBy, SearchParams } from './query-schemas.ts';
import {
  limitSchema,
  offsetSchema,
  orderByOrKeySchema,
  SEARCHES_PER_BATCH_MAX,
  searchParamsSchema,
  shownMembers,
} from './query-schemas.ts';
import { type ShardKeySelector, shardKeySelectorSchema } from './shard-key-schemas.ts';

/** Levels of a body; each prefetch takes two, and so does each operand of a formula. */
export const QUERY_DEPTH_MAX = 256;
const EXAMPLES_MAX = 1_000;
const OPERANDS_MAX = 1_000;
/** Of maximal marginal relevance, as the published API bounds it. */
const CANDIDATES_MAX = 16_384;

/** A vector, or the id of a point that has it, as they are sent. */
export type RawExample = RawDenseVector | readonly RawDenseVector[] | RawSparseVector | RawDocument | PointId;
export type RawContextPair = { readonly positive: RawExample; readonly negative: RawExample };

export type RawQuery =
  | RawExample
  | { readonly nearest: RawExample; readonly mmr?: Mmr | null }
  | {
      readonly recommend: {
        readonly positive?: readonly RawExample[] | null;
        readonly negative?: readonly RawExample[] | null;
        readonly strategy?: RecommendStrategy | null;
      };
    }
  | { readonly discover: { readonly target: RawExample; readonly context?: RawContextPair | readonly RawContextPair[] | null } }
  | { readonly context: RawContextPair | readonly RawContextPair[] }
  | {
      readonly relevance_feedback: {
        readonly target: RawExample;
        readonly feedback: readonly { readonly example: RawExample; readonly score: number }[];
        readonly strategy: { readonly naive: { readonly a: number; readonly b: number; readonly c: number } };
      };
    }
  | { readonly order_by: string | OrderBy }
  | { readonly sample: 'random' }
  | { readonly fusion: 'rrf' | 'dbsf' }
  | { readonly rrf: { readonly k?: number | null; readonly weights?: readonly number[] | null } }
  | { readonly formula: Expression; readonly defaults?: Payload | null };

export type RawPrefetch = {
  readonly prefetch?: RawPrefetch | readonly RawPrefetch[] | null;
  readonly query?: RawQuery | null;
  readonly using?: string | null;
  readonly filter?: Filter | null;
  readonly params?: SearchParams | null;
  readonly score_threshold?: number | null;
  readonly limit?: number | null;
  readonly lookup_from?: LookupLocation | null;
};

export type RawQueryRequest = RawPrefetch & {
  readonly shard_key?: ShardKeySelector | null;
  readonly offset?: number | null;
  readonly with_payload?: WithPayload | null;
  readonly with_vector?: WithVector | null;
  readonly with_vectors?: WithVector | null;
};

const example = [denseVectorSchema, pointIdSchema, ...otherVectors] as const;
export const exampleSchema = Type.Union([...example], { title: 'VectorOrPoint' });
export const examplesSchema = Type.Array(exampleSchema, { maxItems: EXAMPLES_MAX });

const mmr = strict(
  {
    diversity: maybe(Type.Number({ minimum: 0, maximum: 1 })),
    candidates_limit: maybe(Type.Integer({ minimum: 1, maximum: CANDIDATES_MAX })),
  },
  { title: 'Mmr' },
);
/** How many candidates maximal marginal relevance chooses from, and how much it prefers what is unlike the chosen: 0 not at all, 1 only that. */
export type Mmr = Static<typeof mmr>;

const contextPair = strict({ positive: exampleSchema, negative: exampleSchema }, { title: 'ContextPair' });
export const contextPairsSchema = Type.Union([contextPair, Type.Array(contextPair, { maxItems: EXAMPLES_MAX })], { title: 'ContextPairs' });

const coefficient = Type.Number();
const naiveStrategy = strict(
  // The confidence of a pair is raised to the power of b: below 0 the least certain pair would count most.
  { a: coefficient, b: Type.Number({ minimum: 0 }), c: coefficient },
  { title: 'NaiveFeedbackStrategyParams' },
);
const relevanceFeedback = strict(
  {
    target: exampleSchema,
    feedback: Type.Array(strict({ example: exampleSchema, score: Type.Number() }, { title: 'FeedbackItem' }), {
      minItems: 1,
      maxItems: EXAMPLES_MAX,
    }),
    strategy: strict({ naive: naiveStrategy }, { title: 'FeedbackStrategy' }),
  },
  { title: 'RelevanceFeedbackInput' },
);

const expression = Type.Ref('Expression');
const operands = Type.Array(expression, { maxItems: OPERANDS_MAX });
const decay = strict(
  {
    x: expression,
    target: maybe(expression),
    scale: maybe(Type.Number({ exclusiveMinimum: 0, 'x-expected': 'a number above 0' })),
    midpoint: maybe(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, 'x-expected': 'a number between 0 and 1' })),
  },
  { title: 'DecayParams' },
);

export const lookupLocationSchema = strict(
  { collection: Type.String({ minLength: 1 }), vector: maybe(vectorNameSchema), shard_key: maybe(shardKeySelectorSchema) },
  { title: 'LookupLocation' },
);
/** Where the vectors of points that a query names are stored, when not in the searched collection. */
export type LookupLocation = Static<typeof lookupLocationSchema>;

export const prefetchMembers = {
  prefetch: maybe(Type.Union([Type.Ref('Prefetch'), Type.Array(Type.Ref('Prefetch'))], { title: 'Prefetches' })),
  query: maybe(Type.Ref('Query')),
  using: maybe(vectorNameSchema),
  filter: maybe(Type.Ref('Filter')),
  params: maybe(searchParamsSchema),
  score_threshold: maybe(Type.Number()),
  limit: maybe(limitSchema),
  lookup_from: maybe(lookupLocationSchema),
};

export const queryDefinitions = {
  ...filterDefinitions,
  Expression: Type.Union([
    Type.Number(),
    Type.String({ minLength: 1, maxLength: 1024 }),
    strict(
      { geo_distance: strict({ origin: geoPointSchema, to: payloadKeySchema }, { title: 'GeoDistance' }) },
      { title: 'GeoDistanceExpression' },
    ),
    strict({ datetime: Type.String() }, { title: 'DatetimeExpression' }),
    strict({ datetime_key: payloadKeySchema }, { title: 'DatetimeKeyExpression' }),
    strict({ mult: operands }, { title: 'MultExpression' }),
    strict({ sum: operands }, { title: 'SumExpression' }),
    strict({ neg: expression }, { title: 'NegExpression' }),
    strict({ abs: expression }, { title: 'AbsExpression' }),
    strict({ sqrt: expression }, { title: 'SqrtExpression' }),
    strict({ exp: expression }, { title: 'ExpExpression' }),
    strict({ log10: expression }, { title: 'Log10Expression' }),
    strict({ ln: expression }, { title: 'LnExpression' }),
    strict(
      { div: strict({ left: expression, right: expression, by_zero_default: maybe(Type.Number()) }, { title: 'DivParams' }) },
      { title: 'DivExpression' },
    ),
    strict({ pow: strict({ base: expression, exponent: expression }, { title: 'PowParams' }) }, { title: 'PowExpression' }),
    strict({ lin_decay: decay }, { title: 'LinDecayExpression' }),
    strict({ exp_decay: decay }, { title: 'ExpDecayExpression' }),
    strict({ gauss_decay: decay }, { title: 'GaussDecayExpression' }),
    Type.Ref('Condition'),
  ]),
  Query: Type.Union([
    ...example,
    strict({ nearest: exampleSchema, mmr: maybe(mmr) }, { title: 'NearestQuery' }),
    strict(
      {
        recommend: strict(
          {
            positive: maybe(examplesSchema),
            negative: maybe(examplesSchema),
            strategy: maybe(oneOf('average_vector', 'best_score', 'sum_scores')),
          },
          { title: 'RecommendInput' },
        ),
      },
      { title: 'RecommendQuery' },
    ),
    strict(
      { discover: strict({ target: exampleSchema, context: maybe(contextPairsSchema) }, { title: 'DiscoverInput' }) },
      { title: 'DiscoverQuery' },
    ),
    strict({ context: contextPairsSchema }, { title: 'ContextQuery' }),
    strict({ order_by: orderByOrKeySchema }, { title: 'OrderByQuery' }),
    strict({ sample: Type.Literal('random') }, { title: 'RandomQuery' }),
    strict({ fusion: oneOf('rrf', 'dbsf') }, { title: 'FusionQuery' }),
    strict(
      {
        rrf: strict(
          {
            k: maybe(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
            weights: maybe(Type.Array(Type.Number({ minimum: 0 }), { maxItems: OPERANDS_MAX })),
          },
          { title: 'Rrf' },
        ),
      },
      { title: 'RrfQuery' },
    ),
    strict({ formula: expression, defaults: maybe(payloadSchema) }, { title: 'FormulaQuery' }),
    strict({ relevance_feedback: relevanceFeedback }, { title: 'RelevanceFeedbackQuery' }),
  ]),
  Prefetch: Type.Object(prefetchMembers, { additionalProperties: false }),
  QueryPoints: Type.Object(
    { ...prefetchMembers, offset: maybe(offsetSchema), ...shownMembers, shard_key: maybe(shardKeySelectorSchema) },
    { additionalProperties: false },
  ),
};

/** The types are recursive, which TypeBox infers only one level deep; tests send what the types allow. */
export const querySchema = Type.Refine(
  Type.Unsafe<RawQueryRequest>(Type.Cyclic(queryDefinitions, 'QueryPoints')),
  (query: object) => depthAtMost(query, QUERY_DEPTH_MAX),
  () => `nested deeper than ${QUERY_DEPTH_MAX} levels`,
);

const queries = Type.Array(querySchema, { maxItems: SEARCHES_PER_BATCH_MAX });

/** Some clients call the queries what they are. */
export const queryBatchSchema = Type.Union([strict({ searches: queries }), strict({ queries })], { title: 'QueryPointsBatch' });
