// SPDX-License-Identifier: Apache-2.0
/** Every single condition of a filter, wherever it stands. */
import type { Condition, Filter } from '@sextant/contracts-vector';
import { conditionsIn } from '../filter/conditions.ts';

export type SingleCondition = Exclude<Condition, Filter | { readonly nested: unknown }>;

export type PlacedCondition = {
  readonly condition: SingleCondition;
  /** The path of the array that the conditions around it look into, with a dot at its end; empty at the root. */
  readonly within: string;
};

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
