// SPDX-License-Identifier: Apache-2.0
/**
 * The filter language by its plainest reading, point by point: written from the contract, sharing no line with the engine.
 * It knows the part of the language that the model test generates; text, dates and geography are proved beside the engine.
 */
import type { Condition, FieldCondition, Filter, Match, MatchValue, Payload, PointId, Range, ValuesCount } from '@sextant/contracts-vector';
import { idKey } from './point-order.ts';

/** What a filter may look at. */
export type Candidate = { readonly id: PointId; readonly payload: Payload; readonly vectorNames: readonly string[] };

export function matches(filter: Filter, candidate: Candidate): boolean {
  const holds = (condition: Condition) => conditionHolds(condition, candidate);
  const should = listOf(filter.should);
  if (!listOf(filter.must).every(holds)) return false;
  if (should.length > 0 && !should.some(holds)) return false;
  if (listOf(filter.must_not).some(holds)) return false;
  // A list without conditions asks for nothing, here as above.
  if (filter.min_should == null || filter.min_should.conditions.length === 0) return true;
  return filter.min_should.conditions.filter(holds).length >= filter.min_should.min_count;
}

function listOf(conditions: Condition | readonly Condition[] | null | undefined): readonly Condition[] {
  if (conditions == null) return [];
  return isList(conditions) ? conditions : [conditions];
}

/** `Array.isArray` that also narrows a readonly array. */
function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value);
}

function conditionHolds(condition: Condition, candidate: Candidate): boolean {
  if ('has_id' in condition) return condition.has_id.some((id) => idKey(id) === idKey(candidate.id));
  if ('has_vector' in condition) return candidate.vectorNames.includes(condition.has_vector);
  if ('nested' in condition) return nestedHolds(condition.nested.key, condition.nested.filter, candidate);
  if ('key' in condition) return fieldHolds(condition, candidate.payload);
  if ('is_empty' in condition) return resolve(candidate.payload, condition.is_empty.key).every(isEmpty);
  if ('is_null' in condition) return resolve(candidate.payload, condition.is_null.key).includes(null);
  if ('slice' in condition) throw new Error('the model test generates no slices');
  return matches(condition, candidate);
}

/** True where one element of the array, taken as a payload of its own, satisfies the whole filter. */
function nestedHolds(key: string, filter: Filter, candidate: Candidate): boolean {
  return resolve(candidate.payload, key)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .some((element) => isObject(element) && matches(filter, { ...candidate, payload: element }));
}

function fieldHolds(condition: FieldCondition, payload: Payload): boolean {
  const found = resolve(payload, condition.key);
  const values = found.flatMap((value) => (Array.isArray(value) ? value : [value]));
  const { match, range, values_count } = condition;
  if (match != null && !values.some((value) => matchHolds(match, value))) return false;
  if (range != null && !values.some((value) => inRange(range, value))) return false;
  if (values_count != null && !countHolds(values_count, found)) return false;
  return true;
}

function matchHolds(match: Match, value: unknown): boolean {
  if ('value' in match) return same(match.value, value);
  if ('any' in match) return match.any.some((wanted) => same(wanted, value));
  if ('except' in match) return value != null && !match.except.some((unwanted) => same(unwanted, value));
  throw new Error('the model test generates no text matches');
}

function same(wanted: MatchValue, value: unknown): boolean {
  return wanted === value;
}

function inRange({ lt, gt, lte, gte }: Range, value: unknown): boolean {
  if (typeof value !== 'number') return false;
  return (
    (lt == null || value < Number(lt)) &&
    (gt == null || value > Number(gt)) &&
    (lte == null || value <= Number(lte)) &&
    (gte == null || value >= Number(gte))
  );
}

function countHolds(bounds: ValuesCount, found: readonly unknown[]): boolean {
  const sizes = found.map((value) => (Array.isArray(value) ? value.length : value === null ? 0 : 1));
  return (sizes.length === 0 ? [0] : sizes).some((size) => inRange(bounds, size));
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values at a path of keys, each with or without `[]`: `a`, `a.b`, `a[].b`. A key never enters an array by itself. */
function resolve(payload: Payload, path: string): readonly unknown[] {
  return path.split('.').reduce<readonly unknown[]>(
    (values, step) => {
      const key = step.replace(/\[\]$/, '');
      const members = values.flatMap((value) => (isObject(value) && key in value ? [value[key]] : []));
      return step.endsWith('[]') ? members.flatMap((member) => (Array.isArray(member) ? member : [])) : members;
    },
    [payload],
  );
}
