// SPDX-License-Identifier: Apache-2.0
/** The keys that a filter or a formula reads, and which field indexes would answer for each. */
import type { Condition, Expression, FieldCondition, FieldSchema, FieldType, Filter, Match } from '@sextant/contracts-vector';
import { encodeUuid } from '../field-index/uuid-encoding.ts';
import { conditionsOf, operandsOf, type PlacedCondition } from '../filter/conditions.ts';

/** One of the types, with what it must be able to do. */
export type NeededIndex = { readonly key: string; readonly anyOf: readonly FieldType[]; readonly serves: (schema: FieldSchema) => boolean };

const ANY: readonly FieldType[] = ['bool', 'datetime', 'float', 'geo', 'integer', 'keyword', 'text', 'uuid'];
const NUMERIC: readonly FieldType[] = ['float', 'integer'];

export function* indexesForFilter(filter: Filter): Generator<NeededIndex> {
  for (const placed of conditionsOf(filter)) yield* indexesForCondition(placed);
}

/** Of a formula: the numbers, dates and places that it computes with, and the conditions in it. */
export function* indexesForExpression(expression: Expression): Generator<NeededIndex> {
  if (typeof expression === 'number') return;
  if (typeof expression === 'string') {
    if (!expression.startsWith('$')) yield needed(expression, NUMERIC);
    return;
  }
  if ('geo_distance' in expression) yield needed(expression.geo_distance.to, ['geo']);
  else if ('datetime_key' in expression) yield needed(expression.datetime_key, ['datetime']);
  else if ('datetime' in expression) return;
  else {
    const operands = operandsOf(expression);
    // Whatever has no operands and is none of the leaves above is a condition.
    if (operands === undefined) yield* indexesForFilter({ must: expression as Condition });
    else for (const operand of operands) yield* indexesForExpression(operand);
  }
}

/** Values can be grouped where they can be looked up. */
export function indexForGroups(key: string): NeededIndex {
  return needed(key, ['integer', 'keyword', 'uuid'], servesLookup);
}

function* indexesForCondition({ condition, within }: PlacedCondition): Generator<NeededIndex> {
  if ('key' in condition) yield* indexesForField(condition, `${within}${condition.key}`);
  else if ('is_empty' in condition) yield needed(`${within}${condition.is_empty.key}`, ANY);
  else if ('is_null' in condition) yield needed(`${within}${condition.is_null.key}`, ANY);
}

function* indexesForField(condition: FieldCondition, key: string): Generator<NeededIndex> {
  const { match, range, geo_bounding_box: box, geo_radius: radius, geo_polygon: polygon, values_count: count } = condition;
  if (match != null) yield* indexesForMatch(match, key);
  if (range != null) {
    const isDate = Object.values(range).some((bound) => typeof bound === 'string');
    yield isDate ? needed(key, ['datetime']) : needed(key, NUMERIC, servesRange);
  }
  if (box != null || radius != null || polygon != null) yield needed(key, ['geo']);
  if (count != null || condition.is_empty != null || condition.is_null != null) yield needed(key, ANY);
}

function* indexesForMatch(match: Match, key: string): Generator<NeededIndex> {
  if ('value' in match) yield indexForValue(match.value, key);
  else if ('text' in match || 'text_any' in match) yield needed(key, ['text']);
  else if ('phrase' in match) yield needed(key, ['text'], ({ phrase_matching: phrases }) => phrases === true);
  else if ('prefix' in match) yield needed(key, ['keyword'], ({ prefix }) => prefix === true);
  else {
    const values = 'any' in match ? match.any : match.except;
    const [first] = values;
    // A list without values matches nothing, or everything: no index is asked.
    if (first !== undefined)
      yield values.every((value) => isUuid(value)) ? indexForValue(first, key) : needed(key, typesOf(first), servesLookup);
  }
}

function indexForValue(value: string | number | bigint | boolean, key: string): NeededIndex {
  return needed(key, isUuid(value) ? ['keyword', 'uuid'] : typesOf(value), servesLookup);
}

function typesOf(value: string | number | bigint | boolean): readonly FieldType[] {
  if (typeof value === 'boolean') return ['bool'];
  return typeof value === 'string' ? ['keyword'] : ['integer'];
}

function isUuid(value: string | number | bigint | boolean): boolean {
  return typeof value === 'string' && encodeUuid(value) !== undefined;
}

function servesLookup(schema: FieldSchema): boolean {
  return schema.type !== 'integer' || schema.lookup !== false;
}

function servesRange(schema: FieldSchema): boolean {
  return schema.type !== 'integer' || schema.range !== false;
}

function needed(key: string, anyOf: readonly FieldType[], serves: NeededIndex['serves'] = () => true): NeededIndex {
  return { key, anyOf, serves: (schema) => anyOf.includes(schema.type) && serves(schema) };
}
