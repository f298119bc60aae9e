// SPDX-License-Identifier: Apache-2.0
/** Every single condition of a filter, wherever it stands. */
import type { Condition, Filter } from '@sextant/contracts-vector';

export type SingleCondition = Exclude<Condition, Filter | { readonly nested: unknown }>;

export type PlacedCondition = {
  readonly condition: SingleCondition;
  /** The path of the array that the conditions around it look into, with a dot at its end; empty at the root. */
  readonly within: string;
};

export function* conditionsOf(filter: Filter, within = ''): Generator<PlacedCondition> {
  const { must, should, must_not: mustNot, min_should: minShould } = filter;
  for (const clause of [must, should, mustNot, minShould?.conditions]) {
    for (const condition of listOf(clause)) yield* placed(condition, within);
  }
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

function listOf(clause: Condition | readonly Condition[] | null | undefined): readonly Condition[] {
  if (clause == null) return [];
  return isList(clause) ? clause : [clause];
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(clause: Condition | readonly Condition[]): clause is readonly Condition[] {
  return Array.isArray(clause);
}
