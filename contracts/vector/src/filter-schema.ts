// SPDX-License-Identifier: Apache-2.0
/** The schema of the filter language. Unknown members are refused at every level. */
import { count, depthAtMost, maybe, positive, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import type { Filter } from './filter.ts';
import { pointIdSchema } from './point-id.ts';
import { integer64 } from './schema.ts';

/** Each level of a filter is an object within an array, within `must`, `should` or `must_not`. */
export const FILTER_DEPTH_MAX = 64;

const key = Type.String({ minLength: 1, maxLength: 1024 });
const lists = { strings: Type.Array(Type.String()), integers: Type.Array(integer64) };

const match = Type.Union(
  [
    strict({ value: Type.Union([Type.String(), integer64, Type.Boolean()]) }, { title: 'MatchValue' }),
    strict({ text: Type.String() }, { title: 'MatchText' }),
    strict({ text_any: Type.String() }, { title: 'MatchTextAny' }),
    strict({ phrase: Type.String() }, { title: 'MatchPhrase' }),
    strict({ prefix: Type.String() }, { title: 'MatchPrefix' }),
    strict({ any: Type.Union([lists.strings, lists.integers]) }, { title: 'MatchAny' }),
    strict({ except: Type.Union([lists.strings, lists.integers]) }, { title: 'MatchExcept' }),
  ],
  { title: 'Match' },
);
export type Match = Static<typeof match>;
export type MatchValue = Extract<Match, { readonly value: unknown }>['value'];

const numericBound = Type.Union([Type.Number(), Type.BigInt()]);
/** RFC 3339; a date alone, a space in place of `T` and a missing zone (UTC) are accepted. */
const dateBound = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}(?:[Tt ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?: ?(?:[Zz]|[+-]\\d{2}:?\\d{2}))?)?$',
  'x-expected': 'an RFC 3339 date',
});
const bounds = <B extends Type.TSchema>(bound: B) => ({ lt: maybe(bound), gt: maybe(bound), lte: maybe(bound), gte: maybe(bound) });

const range = Type.Union([strict(bounds(numericBound), { title: 'NumericRange' }), strict(bounds(dateBound), { title: 'DatetimeRange' })], {
  title: 'Range',
});
/** Bounds are all numbers or all RFC 3339 date strings; null means no bound. */
export type Range = Static<typeof range>;

export const geoPointSchema = strict(
  { lon: Type.Number({ minimum: -180, maximum: 180 }), lat: Type.Number({ minimum: -90, maximum: 90 }) },
  { title: 'GeoPoint' },
);
export type GeoPoint = Static<typeof geoPointSchema>;
const geoBoundingBox = strict({ top_left: geoPointSchema, bottom_right: geoPointSchema }, { title: 'GeoBoundingBox' });
export type GeoBoundingBox = Static<typeof geoBoundingBox>;
const geoRadius = strict({ center: geoPointSchema, radius: Type.Number({ minimum: 0 }) }, { title: 'GeoRadius' });
/** `radius` in metres. */
export type GeoRadius = Static<typeof geoRadius>;

type Line = { points: { lon: number; lat: number }[] };
const lineString = Type.Refine(
  strict({ points: Type.Array(geoPointSchema, { minItems: 4, maxItems: 10_000 }) }, { title: 'GeoLineString' }),
  (line: Line) => closed(line),
  () => 'a ring is closed: its last point must equal its first',
);
function closed({ points }: Line): boolean {
  const [first, last] = [points[0], points.at(-1)];
  return first?.lon === last?.lon && first?.lat === last?.lat;
}
const geoPolygon = strict({ exterior: lineString, interiors: maybe(Type.Array(lineString, { maxItems: 1_000 })) }, { title: 'GeoPolygon' });
export type GeoPolygon = Static<typeof geoPolygon>;

const valuesCount = strict(bounds(count), { title: 'ValuesCount' });
export type ValuesCount = Static<typeof valuesCount>;

const FIELD_TESTS = ['match', 'range', 'geo_bounding_box', 'geo_radius', 'geo_polygon', 'values_count', 'is_empty', 'is_null'] as const;

const fieldCondition = Type.Refine(
  strict(
    {
      key,
      match: maybe(match),
      range: maybe(range),
      geo_bounding_box: maybe(geoBoundingBox),
      geo_radius: maybe(geoRadius),
      geo_polygon: maybe(geoPolygon),
      values_count: maybe(valuesCount),
      is_empty: maybe(Type.Boolean()),
      is_null: maybe(Type.Boolean()),
    },
    // The key and at least one test.
    { title: 'FieldCondition', 'x-also': { minProperties: 2 } },
  ),
  (condition) => FIELD_TESTS.some((test) => condition[test] !== undefined && condition[test] !== null),
  () => `a field condition needs at least one of ${FIELD_TESTS.join(', ')}`,
);
/** One key and at least one test of its values; several tests must all hold. */
export type FieldCondition = Static<typeof fieldCondition>;

const slice = Type.Refine(
  strict({ total: positive, index: count }, { title: 'Slice' }),
  ({ total, index }) => index < total,
  ({ total }) => `\`index\` must be below \`total\` (${total})`,
);

const keyed = strict({ key }, { title: 'PayloadField' });
const conditions = Type.Union([Type.Ref('Condition'), Type.Array(Type.Ref('Condition'))], { title: 'Conditions' });
const clause = Type.Optional(Type.Union([conditions, Type.Null()]));

/** The definitions of a filter, for schemas that are recursive themselves and hold filters or conditions. */
export const filterDefinitions = {
  Filter: Type.Object(
    {
      must: clause,
      should: clause,
      must_not: clause,
      min_should: maybe(strict({ conditions: Type.Array(Type.Ref('Condition')), min_count: positive }, { title: 'MinShould' })),
    },
    { additionalProperties: false },
  ),
  Condition: Type.Union([
    fieldCondition,
    strict({ is_empty: keyed }, { title: 'IsEmptyCondition' }),
    strict({ is_null: keyed }, { title: 'IsNullCondition' }),
    strict({ has_id: Type.Array(pointIdSchema, { maxItems: 1_000_000 }) }, { title: 'HasIdCondition' }),
    strict({ has_vector: Type.String() }, { title: 'HasVectorCondition' }),
    strict({ slice }, { title: 'SliceCondition' }),
    strict({ nested: strict({ key, filter: Type.Ref('Filter') }, { title: 'Nested' }) }, { title: 'NestedCondition' }),
    Type.Ref('Filter'),
  ]),
};

/** The type is recursive, which TypeBox infers only one level deep; the round trip of generated filters is a test. */
export const filterSchema = Type.Refine(
  Type.Unsafe<Filter>(Type.Cyclic(filterDefinitions, 'Filter')),
  (filter) => depthAtMost(filter, FILTER_DEPTH_MAX),
  () => `nested deeper than ${FILTER_DEPTH_MAX} levels`,
);
