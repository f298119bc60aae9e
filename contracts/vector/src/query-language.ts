// SPDX-License-Identifier: Apache-2.0
/** The query language: one request for every way of asking, nested by prefetches. */

import type { Condition, Filter } from './filter.ts';
import type { PointRecord, ScoredPoint, WithPayload, WithVector } from './point-schemas.ts';
import type { DenseVector, MultiVector, Payload, PointId, SparseVector } from './points.ts';
import type { KeyedRequest } from './query.ts';
import type { LookupLocation, Mmr } from './query-language-schemas.ts';
import type { OrderBy, SearchParams } from './query-schemas.ts';

/** A vector, or the stored vector of a point. */
export type QueryVector = DenseVector | MultiVector | SparseVector | { readonly id: PointId };

export type ContextPair = { readonly positive: QueryVector; readonly negative: QueryVector };

export type RecommendStrategy = 'average_vector' | 'best_score' | 'sum_scores';

/** Vectors, or points, as another model has scored them: the larger the score, the better. */
export type FeedbackItem = { readonly example: QueryVector; readonly score: number };

export type Query =
  | { readonly kind: 'nearest'; readonly to: QueryVector; readonly mmr?: Mmr }
  | {
      readonly kind: 'recommend';
      readonly positive: readonly QueryVector[];
      readonly negative: readonly QueryVector[];
      readonly strategy: RecommendStrategy;
    }
  | { readonly kind: 'discover'; readonly target: QueryVector; readonly context: readonly ContextPair[] }
  | { readonly kind: 'context'; readonly context: readonly ContextPair[] }
  | {
      readonly kind: 'relevance_feedback';
      readonly target: QueryVector;
      readonly feedback: readonly FeedbackItem[];
      /** How much the target counts, how much more large differences between scores do, and how much all of them. */
      readonly naive: { readonly a: number; readonly b: number; readonly c: number };
    }
  | { readonly kind: 'order_by'; readonly orderBy: string | OrderBy }
  | { readonly kind: 'sample' }
  | { readonly kind: 'rrf'; readonly k: number; readonly weights?: readonly number[] }
  | { readonly kind: 'dbsf' }
  | { readonly kind: 'formula'; readonly expression: Expression; readonly defaults: Payload };

/** What a query and each of its prefetches have. Without a query it reads points by id. */
export type Prefetch = {
  readonly prefetch: readonly Prefetch[];
  readonly query?: Query;
  /** The vector's name; absent for the unnamed one. */
  readonly using?: string;
  readonly filter?: Filter | null;
  readonly params?: SearchParams | null;
  readonly score_threshold?: number | null;
  readonly limit: number;
  readonly lookup_from?: LookupLocation;
};

export type QueryRequest = Prefetch &
  KeyedRequest & {
    readonly offset: number;
    readonly with_payload: WithPayload;
    readonly with_vector: WithVector;
  };

/**
 * A formula over the scores and the payload of a candidate. A number is itself; a string is `$score`, `$score[i]` (of the i-th prefetch) or the
 * path of a payload key; a condition is 1 where it holds and 0 where it does not.
 */
export type Expression =
  | number
  | string
  | Condition
  | { readonly geo_distance: { readonly origin: { readonly lon: number; readonly lat: number }; readonly to: string } }
  | { readonly datetime: string }
  | { readonly datetime_key: string }
  | { readonly mult: readonly Expression[] }
  | { readonly sum: readonly Expression[] }
  | { readonly neg: Expression }
  | { readonly abs: Expression }
  | { readonly sqrt: Expression }
  | { readonly exp: Expression }
  | { readonly log10: Expression }
  | { readonly ln: Expression }
  | { readonly div: { readonly left: Expression; readonly right: Expression; readonly by_zero_default?: number | null } }
  | { readonly pow: { readonly base: Expression; readonly exponent: Expression } }
  | { readonly lin_decay: DecayParams }
  | { readonly exp_decay: DecayParams }
  | { readonly gauss_decay: DecayParams };

/** 1 at the target, `midpoint` (0.5) at a distance of `scale` (1) from it. */
export type DecayParams = {
  readonly x: Expression;
  readonly target?: Expression | null;
  readonly scale?: number | null;
  readonly midpoint?: number | null;
};

/** Hits by the value that they have at a payload key: strings and integers; a point with several is in several groups. */
export type Grouping = {
  readonly group_by: string;
  /** Hits of a group, at most. */
  readonly group_size: number;
  /** A collection whose points have the groups' values as ids. */
  readonly with_lookup?: { readonly collection: string; readonly with_payload: WithPayload; readonly with_vector: WithVector };
};

export type PointGroup<Hit extends ScoredPoint = ScoredPoint> = {
  readonly id: string | number | bigint;
  readonly hits: readonly Hit[];
  readonly lookup?: PointRecord;
};
