// SPDX-License-Identifier: Apache-2.0
/** Conditions on a payload field: one key, and tests that must all hold. */
import type { FieldCondition, GeoPoint, Match, Range, ValuesCount } from '@sextant/contracts-vector';
import { type JsonPath, pathOf } from '../payload/json-path.ts';
import { type Bounds, type Clause, canonicalNumber, type FieldTest, type Scalar } from './clause.ts';
import { type CompileContext, refuse, spendValues } from './compile-context.ts';
import { parseDatetime } from './datetime.ts';
import { isOnEarth, type Ring } from './geo.ts';
import { textAnalyzer } from './text/text-analyzer.ts';

const TESTS = ['match', 'range', 'geo_bounding_box', 'geo_radius', 'geo_polygon', 'values_count', 'is_empty', 'is_null'];
const MATCHES = ['value', 'text', 'text_any', 'phrase', 'prefix', 'any', 'except'];
/** Each is looked for in each text. */
const TOKENS_MAX = 1000;
const COMPARISONS = ['lt', 'gt', 'lte', 'gte'] as const;

export function compileField(condition: FieldCondition, path: JsonPath, context: CompileContext): Clause {
  const { at } = context;
  const unknown = Object.keys(condition).find((name) => name !== 'key' && !TESTS.includes(name));
  if (unknown !== undefined) refuse(at, `unknown member "${unknown}"; expected key and one of ${TESTS.join(', ')}`);
  const clauses = [...compileTests(condition, path, context)].map((test) => ({ kind: 'field' as const, path, test }));
  const [only, second] = clauses;
  if (only === undefined) refuse(at, `has no test for "${condition.key}"; expected one of ${TESTS.join(', ')}`);
  return second === undefined ? only : { kind: 'all', clauses };
}

function* compileTests(condition: FieldCondition, path: JsonPath, context: CompileContext): Generator<FieldTest> {
  const { at } = context;
  const { match, range, geo_bounding_box: box, geo_radius: radius, geo_polygon: polygon, values_count: count } = condition;
  if (match != null) yield compileMatch(match, path, { ...context, at: `${at}.match` });
  if (range != null) yield compileRange(range, `${at}.range`);
  if (box != null) {
    const topLeft = compilePoint(box.top_left, `${at}.geo_bounding_box.top_left`);
    const bottomRight = compilePoint(box.bottom_right, `${at}.geo_bounding_box.bottom_right`);
    yield { kind: 'geo-box', topLeft, bottomRight };
  }
  if (radius != null) {
    const metres = radius.radius;
    if (!(Number.isFinite(metres) && metres >= 0))
      refuse(`${at}.geo_radius.radius`, `expected metres of at least 0, got ${String(metres)}`);
    yield { kind: 'geo-radius', center: compilePoint(radius.center, `${at}.geo_radius.center`), radius: metres };
  }
  if (polygon != null) {
    const inside = { ...context, at: `${at}.geo_polygon` };
    const exterior = compileRing(polygon.exterior, 'exterior', inside);
    const interiors = (polygon.interiors ?? []).map((ring, index) => compileRing(ring, `interiors[${index}]`, inside));
    yield { kind: 'geo-polygon', polygon: { exterior, interiors } };
  }
  if (count != null) yield { kind: 'values-count', bounds: compileCount(count, `${at}.values_count`) };
  if (condition.is_empty != null) yield { kind: 'empty', expected: compileFlag(condition.is_empty, `${at}.is_empty`) };
  if (condition.is_null != null) yield { kind: 'null', expected: compileFlag(condition.is_null, `${at}.is_null`) };
}

function compileMatch(match: Match, path: JsonPath, context: CompileContext): FieldTest {
  const { at } = context;
  const names = Object.keys(match);
  const [name = ''] = names;
  if (names.length !== 1 || !MATCHES.includes(name))
    refuse(at, `expected exactly one of ${MATCHES.join(', ')}, got ${names.join(', ') || 'none'}`);
  if ('value' in match) return { kind: 'equals', values: new Set([compileScalar(match.value, `${at}.value`)]) };
  if ('any' in match) return { kind: 'equals', values: compileScalars(match.any, { ...context, at: `${at}.any` }) };
  if ('except' in match) return { kind: 'except', values: compileScalars(match.except, { ...context, at: `${at}.except` }) };
  if ('prefix' in match) return { kind: 'prefix', prefix: compileString(match.prefix, `${at}.prefix`) };
  if ('text' in match) return compileText(match.text, 'all', path, { ...context, at: `${at}.text` });
  if ('text_any' in match) return compileText(match.text_any, 'any', path, { ...context, at: `${at}.text_any` });
  return compileText(match.phrase, 'phrase', path, { ...context, at: `${at}.phrase` });
}

function compileText(text: string, mode: 'all' | 'any' | 'phrase', path: JsonPath, context: CompileContext): FieldTest {
  const field = context.within === undefined ? path : pathOf([...context.within.steps, ...path.steps]);
  const analyzer = textAnalyzer(context.schema(field.text));
  const words = analyzer.queryWords(compileString(text, context.at));
  const tokens = mode === 'phrase' ? words : [...new Set(words)];
  if (tokens.length > TOKENS_MAX) refuse(context.at, `expected at most ${TOKENS_MAX} words, got ${tokens.length}`);
  return { kind: 'text', mode, tokens, analyzer };
}

function compileScalar(value: unknown, at: string): Scalar {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint')
    return typeof value === 'bigint' ? canonicalNumber(value) : value;
  if (typeof value === 'number' && Number.isInteger(value)) return canonicalNumber(value);
  return refuse(
    at,
    `expected a string, an integer or a boolean, got ${String(value)}${typeof value === 'number' ? '; use range for fractions' : ''}`,
  );
}

function compileScalars(values: readonly unknown[], context: CompileContext): ReadonlySet<Scalar> {
  if (!Array.isArray(values)) refuse(context.at, 'expected a list of strings or of integers');
  spendValues(context, values.length);
  const scalars = values.map((value, index) => compileScalar(value, `${context.at}[${index}]`));
  const strings = typeof scalars[0] === 'string';
  const misfit = scalars.findIndex((scalar) => (typeof scalar === 'string') !== strings || typeof scalar === 'boolean');
  if (misfit >= 0) refuse(`${context.at}[${misfit}]`, 'expected all strings or all integers');
  return new Set(scalars);
}

/** Without any bound every number is in range. */
function compileRange(range: Range, at: string): FieldTest {
  checkComparisons(range, at);
  const given = COMPARISONS.flatMap((name) => (range[name] == null ? [] : [{ name, bound: range[name] }]));
  const dates = given.filter(({ bound }) => typeof bound === 'string');
  if (dates.length > 0 && dates.length < given.length) refuse(at, 'bounds must be all numbers or all RFC 3339 dates');
  const bounds = given.map(({ name, bound }) => [
    name,
    typeof bound === 'string' ? compileDate(bound, `${at}.${name}`) : compileNumber(bound, `${at}.${name}`),
  ]);
  return { kind: dates.length > 0 ? 'datetime-range' : 'number-range', bounds: Object.fromEntries(bounds) };
}

function compileCount(count: ValuesCount, at: string): Bounds {
  checkComparisons(count, at);
  const given = COMPARISONS.flatMap((name) => (count[name] == null ? [] : [{ name, bound: count[name] }]));
  for (const { name, bound } of given) {
    if (!Number.isInteger(bound) || bound < 0) refuse(`${at}.${name}`, `expected an integer of at least 0, got ${String(bound)}`);
  }
  return Object.fromEntries(given.map(({ name, bound }) => [name, bound]));
}

function checkComparisons(bounds: object, at: string): void {
  const unknown = Object.keys(bounds).find((name) => !COMPARISONS.some((known) => known === name));
  if (unknown !== undefined) refuse(at, `unknown member "${unknown}"; expected ${COMPARISONS.join(', ')}`);
}

function compileNumber(bound: number | bigint, at: string): number | bigint {
  return typeof bound === 'bigint' || Number.isFinite(bound)
    ? canonicalNumber(bound)
    : refuse(at, `expected a number, got ${String(bound)}`);
}

function compileDate(bound: string, at: string): number | bigint {
  return parseDatetime(bound) ?? refuse(at, `'${bound.slice(0, 80)}' is not an RFC 3339 date`);
}

function compileRing(ring: { readonly points: readonly GeoPoint[] }, name: string, context: CompileContext): Ring {
  const at = `${context.at}.${name}.points`;
  spendValues({ ...context, at }, ring.points.length);
  const points = ring.points.map((point, index) => compilePoint(point, `${at}[${index}]`));
  const [first] = points;
  const last = points.at(-1);
  if (points.length < 4) refuse(at, `expected at least 4 points, the last the same as the first, got ${points.length}`);
  if (first?.lon !== last?.lon || first?.lat !== last?.lat) refuse(at, 'the ring is not closed; repeat its first point at its end');
  return points;
}

function compilePoint({ lon, lat }: GeoPoint, at: string): GeoPoint {
  if (!isOnEarth(lon, 0)) refuse(`${at}.lon`, `expected degrees from -180 to 180, got ${String(lon)}`);
  if (!isOnEarth(0, lat)) refuse(`${at}.lat`, `expected degrees from -90 to 90, got ${String(lat)}`);
  return { lon, lat };
}

function compileString(value: unknown, at: string): string {
  return typeof value === 'string' ? value : refuse(at, `expected a string, got ${String(value)}`);
}

function compileFlag(value: unknown, at: string): boolean {
  return typeof value === 'boolean' ? value : refuse(at, `expected true or false, got ${String(value)}`);
}
