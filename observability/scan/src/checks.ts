// SPDX-License-Identifier: Apache-2.0
/** What rules and expressions compile to, so that the plan can fuse them into its own statements. */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from './dialect/dialect.ts';

/** A rule as SQL over one row of the scanned relation, whose columns are in scope by their quoted names. */
export type RuleCheck = {
  readonly monitorId: string;
  /** Whether the row meets the rule; null counts as not. */
  readonly validSql: string;
  /** Rows that the rule speaks of (`ignore_nulls`); undefined means all of them. */
  readonly appliesSql?: string;
  /** Window expressions that the other two refer to by these (quoted) names, such as how often a value occurs. */
  readonly windows: readonly { readonly name: string; readonly sql: string }[];
  /** The attributes that are read, the validated one first; they are what a failed-row sample shows. */
  readonly attributes: readonly string[];
  /** What is expected, in words, for the samples. */
  readonly reason: string;
};

/** A user-defined metric as SQL. */
export type MetricCheck =
  | {
      /** One aggregate expression over the scanned relation: fused into the pass over all columns. */
      readonly kind: 'aggregate';
      readonly monitorId: string;
      readonly sql: string;
    }
  | {
      /** A whole SELECT over `relation`: the first column is the metric, the others are dimensions. */
      readonly kind: 'statement';
      readonly monitorId: string;
      readonly sql: string;
      /** Whether the text is a tenant's own SQL. */
      readonly raw: boolean;
    };

/** What a compiler may know. `relation` is the quoted name under which the rows are found. */
export type CompileContext = {
  readonly dialect: Dialect;
  readonly columns: readonly Column[];
  readonly relation: string;
  readonly nowMs: number;
};

/** What does not fit, and where in the text: both from 1. */
export type ExpressionFault = Error & { readonly line: number; readonly column: number };

/** A compiler's answer: the check, or why there is none, in words for the person who wrote the expression. */
export type Compiled<Check> =
  | { readonly kind: 'compiled'; readonly check: Check }
  | { readonly kind: 'refused'; readonly reason: string; readonly error?: ExpressionFault };
