// SPDX-License-Identifier: Apache-2.0
/** A rule as the parser understood it. */
import type { ComparisonOperator, Expression } from '../expressions/syntax-tree.ts';
import type { Position } from '../expressions/tokens.ts';

export type Rule = {
  readonly transformations: readonly { readonly name: string; readonly at: Position; readonly expression: Expression }[];
  readonly validated: Expression;
  readonly expectation: Expectation;
  /** The expectation as it was written. */
  readonly expected: string;
};

export type Expectation = { readonly at: Position } & (
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Expectation[] }
  | { readonly kind: 'not'; readonly expectation: Expectation }
  | { readonly kind: 'test'; readonly test: Test }
  | { readonly kind: 'regex'; readonly context: TextContext; readonly pattern: string }
  | { readonly kind: 'comparison'; readonly context: Context; readonly operator: ComparisonOperator; readonly operand: Operand }
  | ({ readonly kind: 'list'; readonly items: readonly Operand[] } & Membership)
  | ({ readonly kind: 'range'; readonly low: Operand; readonly high: Operand } & Membership)
  /** A variable alone, whose kind decides what is asked: one value, one of a list, or a range. */
  | ({ readonly kind: 'variable'; readonly asked: 'any' | 'list' | 'range'; readonly name: string } & Membership)
);

type Membership = {
  readonly context: Context;
  /** NOT_IN, OUT_OF_RANGE: the value is outside, which null is as little as it is inside. */
  readonly outside: boolean;
};

export const CONTEXTS = [
  'VALUE',
  'NUMERIC_VALUE',
  'DATE_TIME_VALUE',
  'LENGTH',
  'SPACE_COUNT',
  'SPEC_CHAR_COUNT',
  'FREQUENCY',
  'EXPANDED_PATTERN',
  'COMPRESSED_PATTERN',
] as const;

/** What of the validated value is looked at. */
export type Context = (typeof CONTEXTS)[number];
export type TextContext = Extract<Context, 'VALUE' | 'EXPANDED_PATTERN' | 'COMPRESSED_PATTERN'>;

export const TESTS = [
  'IS_DATE',
  'IS_DATE_TIME',
  'IS_NUMBER',
  'IS_ALPHA',
  'IS_EMAIL',
  'IS_TRUE',
  'IS_FALSE',
  'IS_TRIMMED_STRING',
  'IS_NULL',
  'CONTAINS_PII',
  'CONTAINS_PII_CREDIT_CARD',
  'CONTAINS_PII_IP_ADDRESS',
  'CONTAINS_PII_PHONE_NUMBER',
  'CONTAINS_PII_SSN',
] as const;

export type Test = (typeof TESTS)[number];

/** What a value is compared with: computed, or a moment relative to the scan (`@now`, `-2d`). */
export type Operand =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'moment'; readonly offsetMs: number; readonly at: Position };
