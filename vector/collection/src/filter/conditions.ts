// SPDX-License-Identifier: Apache-2.0
/** What filters and formulas are made of, for those who walk through them. */
import type { Condition, DecayParams, Expression, Filter } from '@sextant/contracts-vector';

/** The conditions of a filter itself, in whichever of its members. */
export function conditionsIn({ must, should, must_not, min_should }: Filter): readonly Condition[] {
  return [must, should, must_not, min_should?.conditions].flatMap(listOf);
}

/** The conditions of one member. */
export function listOf(conditions: Condition | readonly Condition[] | null | undefined): readonly Condition[] {
  if (conditions == null) return [];
  return isList(conditions) ? conditions : [conditions];
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isList(conditions: Condition | readonly Condition[]): conditions is readonly Condition[] {
  return Array.isArray(conditions);
}

/** What an operation of a formula computes with; undefined of any other expression. */
export function operandsOf(expression: Exclude<Expression, number | string>): readonly Expression[] | undefined {
  if ('mult' in expression) return expression.mult;
  if ('sum' in expression) return expression.sum;
  if ('div' in expression) return [expression.div.left, expression.div.right];
  if ('pow' in expression) return [expression.pow.base, expression.pow.exponent];
  if ('neg' in expression) return [expression.neg];
  if ('abs' in expression) return [expression.abs];
  if ('sqrt' in expression) return [expression.sqrt];
  if ('exp' in expression) return [expression.exp];
  if ('log10' in expression) return [expression.log10];
  if ('ln' in expression) return [expression.ln];
  if ('lin_decay' in expression) return decayOperands(expression.lin_decay);
  if ('exp_decay' in expression) return decayOperands(expression.exp_decay);
  if ('gauss_decay' in expression) return decayOperands(expression.gauss_decay);
  return undefined;
}

function decayOperands({ x, target }: DecayParams): readonly Expression[] {
  return target == null ? [x] : [x, target];
}

export type SingleCondition = Exclude<Condition, Filter | { readonly nested: unknown }>;

export type PlacedCondition = {
  readonly condition: SingleCondition;
  /** The path of the array that the conditions around it look into, with a dot at its end; empty at the root. */
  readonly within: string;
};

/** Every single condition of a filter, wherever it stands. */
export function* conditionsOf(filter: Filter, within = ''): Generator<PlacedCondition> {
  for (const condition of conditionsIn(filter)) yield* placed(condition, within);
}

function* placed(condition: Condition, within: string): Generator<PlacedCondition> {
  if ('nested' in condition) {
    const { key, filter } = condition.nested;
    yield* conditionsOf(filter, `${within}${key.endsWith('[]') ? key : `${key}[]`}.`);
  } else if (isSingle(condition)) yield { condition, within };
  else yield* conditionsOf(condition, within);
}

function isSingle(condition: Exclude<Condition, { readonly nested: unknown }>): condition is SingleCondition {
  return ['key', 'is_empty', 'is_null', 'has_id', 'has_vector', 'slice'].some((name) => name in condition);
}
