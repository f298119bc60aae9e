// SPDX-License-Identifier: Apache-2.0
/** What the scalar parser understands. Every node knows where it began, for messages. */
import type { Position } from './tokens.ts';

export type Expression = { readonly at: Position } & (
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  /** An attribute, a variable or a transformation. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'negate'; readonly operand: Expression }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'arithmetic'; readonly operator: ArithmeticOperator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'concatenation'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'comparison'; readonly operator: ComparisonOperator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'logic'; readonly operator: 'AND' | 'OR'; readonly operands: readonly Expression[] }
  | { readonly kind: 'is-null'; readonly operand: Expression; readonly negated: boolean }
  | { readonly kind: 'in'; readonly operand: Expression; readonly items: readonly Expression[]; readonly negated: boolean }
  | {
      readonly kind: 'between';
      readonly operand: Expression;
      readonly low: Expression;
      readonly high: Expression;
      readonly negated: boolean;
    }
  | { readonly kind: 'like'; readonly operand: Expression; readonly pattern: string; readonly negated: boolean }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
      readonly otherwise: Expression | null;
    }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly target: CastTarget }
  | { readonly kind: 'call'; readonly name: string; readonly parameters: readonly Expression[] }
  /** Over all rows of a group; only metrics have them. No operand is `count(*)`. */
  | { readonly kind: 'aggregate'; readonly aggregate: Aggregate; readonly operand: Expression | null }
);

export const AGGREGATES = ['min', 'max', 'count', 'avg', 'sum', 'distinct', 'variance', 'median', 'stddev'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type CastTarget = 'text' | 'number' | 'date' | 'timestamp' | 'boolean';
