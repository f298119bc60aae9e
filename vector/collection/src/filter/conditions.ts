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
