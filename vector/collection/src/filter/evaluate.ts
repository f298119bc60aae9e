// SPDX-License-Identifier: Apache-2.0
/** Evaluates a clause on one point, by its payload alone. */
import type { PointId } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';
import { isJsonArray, isJsonObject, resolvePath } from '../payload/json-path.ts';
import { type Clause, canonicalNumber, type ElementTest, type FieldTest, type Scalar, within } from './clause.ts';
import { parseDatetime } from './datetime.ts';
import { geoPointOf, haversine, inBox, inPolygon } from './geo.ts';
import { sliceOf } from './slice.ts';
import type { TextAnalyzer } from './text/text-analyzer.ts';

export type FilterPoint = {
  readonly id: PointId;
  /** The payload as `parseJson` reads it. */
  readonly payload: JsonValue;
  /** Whether the point has the vector of this name; the unnamed one is `""`. */
  readonly hasVector: (name: string) => boolean;
};

export function evaluate(clause: Clause, point: FilterPoint): boolean {
  switch (clause.kind) {
    case 'all':
      return clause.clauses.every((inner) => evaluate(inner, point));
    case 'at-least':
      return countReaches(clause.clauses, clause.count, point);
    case 'not':
      return !evaluate(clause.clause, point);
    case 'field':
      return testValues(clause.test, resolvePath(clause.path, point.payload));
    case 'is-empty':
      return resolvePath(clause.path, point.payload).every(isEmpty);
    case 'has-id':
      return clause.ids.has(typeof point.id === 'string' ? point.id : canonicalNumber(point.id));
    case 'has-vector':
      return point.hasVector(clause.name);
    case 'slice':
      return sliceOf(point.id, clause.total) === clause.index;
    case 'nested':
      return resolvePath(clause.path, point.payload).some(
        (element) => isJsonObject(element) && evaluate(clause.clause, { ...point, payload: element }),
      );
  }
}

/** Whether the values that a path led to pass the test. */
export function testValues(test: FieldTest, values: readonly JsonValue[]): boolean {
  switch (test.kind) {
    case 'values-count':
      return values.length === 0 ? within(0, test.bounds) : values.some((value) => within(elementCount(value), test.bounds));
    case 'empty':
      return values.length === 0 ? test.expected : values.some((value) => isEmpty(value) === test.expected);
    case 'null':
      return values.some(hasNull) === test.expected;
    default:
      return values.some((value) => (isJsonArray(value) ? value.some((element) => testElement(test, element)) : testElement(test, value)));
  }
}

export function isEmpty(value: JsonValue): boolean {
  return value === null || (isJsonArray(value) && value.length === 0);
}

export function hasNull(value: JsonValue): boolean {
  return value === null || (isJsonArray(value) && value.includes(null));
}

export function elementCount(value: JsonValue): number {
  if (isJsonArray(value)) return value.length;
  return value === null ? 0 : 1;
}

function countReaches(clauses: readonly Clause[], count: number, point: FilterPoint): boolean {
  let held = 0;
  for (const clause of clauses) {
    if (evaluate(clause, point)) held++;
    if (held >= count) return true;
  }
  return false;
}

function testElement(test: ElementTest, element: JsonValue): boolean {
  switch (test.kind) {
    case 'equals': {
      const scalar = scalarOf(element);
      return scalar !== undefined && test.values.has(scalar);
    }
    case 'except': {
      const scalar = scalarOf(element);
      return element !== null && (scalar === undefined || !test.values.has(scalar));
    }
    case 'text':
      return typeof element === 'string' && testText(test.mode, test.tokens, test.analyzer, element);
    case 'prefix':
      return typeof element === 'string' && element.startsWith(test.prefix);
    case 'number-range':
      return (typeof element === 'number' || typeof element === 'bigint') && within(element, test.bounds);
    case 'datetime-range': {
      const micros = typeof element === 'string' ? parseDatetime(element) : undefined;
      return micros !== undefined && within(micros, test.bounds);
    }
    case 'geo-box': {
      const point = geoPointOf(element);
      return point !== undefined && inBox(point, test.topLeft, test.bottomRight);
    }
    case 'geo-radius': {
      const point = geoPointOf(element);
      return point !== undefined && haversine(test.center, point) < test.radius;
    }
    case 'geo-polygon': {
      const point = geoPointOf(element);
      return point !== undefined && inPolygon(point, test.polygon);
    }
  }
}

function scalarOf(value: JsonValue): Scalar | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? canonicalNumber(value) : undefined;
}

function testText(mode: 'all' | 'any' | 'phrase', tokens: readonly string[], analyzer: TextAnalyzer, text: string): boolean {
  if (tokens.length === 0) return false;
  const words = analyzer.words(text);
  const known = new Set(words);
  const byPrefix = analyzer.prefixes !== undefined;
  const occurs = (token: string) => known.has(token) || (byPrefix && words.some((word) => analyzer.answers(word, token)));
  switch (mode) {
    case 'all':
      return tokens.every(occurs);
    case 'any':
      return tokens.some(occurs);
    case 'phrase':
      return words.some((_, start) => tokens.every((token, offset) => analyzer.answers(words[start + offset] ?? '', token)));
  }
}
