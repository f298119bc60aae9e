// SPDX-License-Identifier: Apache-2.0
/** Generated payloads and filters for the tests: few keys and few values, so that filters often hold. */
import type { Condition, Filter, Payload, PointId } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';
import fc from 'fast-check';

/** Each path with its steps: a string is a key, a number an index. */
export const PATHS: { readonly [path: string]: readonly (string | number)[] } = {
  a: ['a'],
  b: ['b'],
  c: ['c'],
  'a.b': ['a', 'b'],
  'a[].b': ['a', '[]', 'b'],
  'a[]': ['a', '[]'],
  'b[0]': ['b', 0],
  'c.a': ['c', 'a'],
  'a[].c[]': ['a', '[]', 'c', '[]'],
  'a[1].b': ['a', 1, 'b'],
  '"q x".b': ['q x', 'b'],
  ['__proto__']: ['__proto__'],
  missing: ['missing'],
};

/** Each date with its microseconds, worked out by hand and `date -u +%s`. */
export const DATES: { readonly [date: string]: bigint } = {
  '1970-01-01': 0n,
  '2024-02-29': 1_709_164_800_000_000n,
  '2024-02-29T00:00:00Z': 1_709_164_800_000_000n,
  '2024-02-29T02:00:00+02:00': 1_709_164_800_000_000n,
  '2024-02-29 00:00:00.000001': 1_709_164_800_000_001n,
  '2024-02-28T23:59:59.999999Z': 1_709_164_799_999_999n,
  '1969-12-31T23:59:59-01:00': 3_599_000_000n,
  '1500-01-01': -14_831_769_600_000_000n,
  '2500-01-01T00:00:00.123456Z': 16_725_225_600_123_456n,
};

const UUIDS = ['6f1f3f2e-1c1a-4a57-9d3b-0a6b1c2d3e4f', '6F1F3F2E-1C1A-4A57-9D3B-0A6B1C2D3E4F', '00000000-0000-4000-8000-000000000001'];
const LONG = ['x'.repeat(600), `${'x'.repeat(600)}y`, `${'x'.repeat(470)}é`];
const TEXTS = [
  'red',
  'Red',
  'red car',
  'blue red Car',
  'car red blue',
  'naïve café',
  '😀 red',
  '\ud83d',
  'red\ud800',
  '\ufffd',
  '2024',
  '',
  're',
];
const NUMBERS = [-2, -1, 0, -0, 1, 2, 3, 0.5, -0.5, 1.5, 1e20, -1e300, 2 ** 53, 5e-324];
const INTEGERS = [-2, -1, 0, 1, 2, 3, 2 ** 53 - 1, 1e20];
const BIGS = [2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n, 2n ** 64n - 1n, 10n ** 20n, 10n ** 20n + 1n, 10n ** 40n, 10n ** 40n + 1n];

export const string = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('red', 'Red car', 're', '\ufffd', '\ud83d') },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...UUIDS) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(DATES)) },
  { weight: 1, arbitrary: fc.constantFrom(...LONG, '2024-02-30', '2024-13-01', 'today') },
);
const frequent = { weight: 6, arbitrary: fc.constantFrom<number | bigint>(0, 1, 2, 2 ** 53, 2n ** 53n + 1n) };
const integer = fc.oneof(
  frequent,
  { weight: 3, arbitrary: fc.constantFrom<number | bigint>(...INTEGERS) },
  fc.constantFrom<number | bigint>(...BIGS),
);
const number = fc.oneof(
  frequent,
  { weight: 3, arbitrary: fc.constantFrom<number | bigint>(...NUMBERS) },
  fc.constantFrom<number | bigint>(...BIGS),
);
const lon = fc.oneof(
  fc.constantFrom(-180, -179.5, -10, 0, 10, 179.5, 180),
  fc
    .integer({ min: -1800, max: 1800 })
    .map((tenths) => tenths / 10 + 0.01)
    .filter((value) => value <= 180),
);
const lat = fc.oneof(
  fc.constantFrom(-90, -45, 0, 45, 89.9, 90),
  fc.integer({ min: -899, max: 899 }).map((tenths) => tenths / 10 + 0.01),
);
const geoPoint = fc.record({ lon, lat });
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: string },
  { weight: 4, arbitrary: number },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: geoPoint },
  { weight: 1, arbitrary: fc.record({ lon: fc.constantFrom<JsonValue>(181, 'x', 0), lat: fc.constantFrom<JsonValue>(91, null, 1n) }) },
);

const { value } = fc.letrec<{ value: JsonValue; object: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 5, arbitrary: scalar },
    { weight: 3, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 3, arbitrary: tie('object') },
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'q x'), tie('value'), { maxKeys: 3 }),
}));

/** What nested filters look into. */
const objects: fc.Arbitrary<JsonValue> = fc.array(fc.dictionary(fc.constantFrom('b', 'c'), scalar, { maxKeys: 2 }), {
  minLength: 1,
  maxLength: 3,
});

// Built from entries, so that a member named __proto__ is an own one, as it is after parsing.
export const payload: fc.Arbitrary<Payload> = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('a', 'a', 'b', 'b', 'c', 'q x', '__proto__'),
      fc.oneof({ weight: 3, arbitrary: value }, objects, fc.array(scalar, { maxLength: 3 })),
    ),
    {
      maxLength: 5,
      selector: ([key]) => key,
    },
  )
  .map((members) => Object.fromEntries(members));

export const pointId: fc.Arbitrary<PointId> = fc.oneof(
  fc.nat(30),
  fc.constantFrom<PointId>(2n ** 64n - 1n, 2n ** 60n, ...UUIDS.filter((id) => id === id.toLowerCase())),
);

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'a[].b') },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(PATHS)) },
);
const bound = <Value>(one: fc.Arbitrary<Value>) =>
  fc.record({ lt: fc.option(one), gt: fc.option(one), lte: fc.option(one), gte: fc.option(one) }, { requiredKeys: [] });
const match = fc.oneof(
  { weight: 4, arbitrary: fc.record({ value: fc.oneof(string, integer, fc.boolean()) }) },
  fc.record({ any: fc.oneof(fc.array(string, { maxLength: 4 }), fc.array(integer, { maxLength: 4 })) }),
  fc.record({ except: fc.oneof(fc.array(string, { maxLength: 4 }), fc.array(integer, { maxLength: 4 })) }),
  fc.record({ text: string }),
  fc.record({ text_any: string }),
  fc.record({ phrase: string }),
  fc.record({ prefix: fc.oneof(fc.constantFrom('', 'r', 're', 'Red', 'x', '2024-', '😀', '\ud83d', 'x'.repeat(500)), string) }),
);
/** A few have their top below their bottom. */
const box = fc.tuple(lon, lon, lat, lat, fc.nat(9)).map(([left, right, one, two, turn]) => ({
  top_left: { lon: left, lat: turn === 0 ? one : Math.max(one, two) },
  bottom_right: { lon: right, lat: turn === 0 ? two : Math.min(one, two) },
}));
const rectangle = fc
  .tuple(lon, lon, lat, lat)
  .filter(([west, east, south, north]) => west < east && south < north)
  .map(([west, east, south, north]) => ({
    points: [
      { lon: west, lat: south },
      { lon: east, lat: south },
      { lon: east, lat: north },
      { lon: west, lat: north },
      { lon: west, lat: south },
    ],
  }));

const fieldCondition: fc.Arbitrary<Condition> = fc
  .tuple(
    key,
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ match }) },
      { weight: 3, arbitrary: fc.record({ range: bound(number) }) },
      { weight: 2, arbitrary: fc.record({ range: bound(fc.constantFrom(...Object.keys(DATES))) }) },
      fc.record({ geo_bounding_box: box }),
      fc.record({ geo_radius: fc.record({ center: geoPoint, radius: fc.constantFrom(0, 50_000.5, 1_500_000.5, 12_000_000.5) }) }),
      fc.record({ geo_polygon: fc.record({ exterior: rectangle, interiors: fc.array(rectangle, { maxLength: 1 }) }) }),
      fc.record({ values_count: bound(fc.nat(3)) }),
      fc.record({ is_empty: fc.boolean() }),
      fc.record({ is_null: fc.boolean() }),
      fc.record({ match, range: bound(number) }),
    ),
  )
  .map(([path, tests]) => ({ key: path, ...tests }));

/** Filters of any shape; `slice` is left to its own test, because its hash has no second reading. */
export const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter; inner: Filter; condition: Condition; innerCondition: Condition }>(
  (tie) => {
    const members = (condition: fc.Arbitrary<Condition>): fc.Arbitrary<Filter> => {
      const list = fc.oneof(fc.constant(null), condition, fc.array(condition, { maxLength: 3 }));
      const minShould = fc.record({ conditions: fc.array(condition, { maxLength: 3 }), min_count: fc.integer({ min: 1, max: 3 }) });
      return fc.oneof(
        { weight: 3, arbitrary: fc.record({ must: list, should: list, must_not: list }, { requiredKeys: [] }) },
        { weight: 3, arbitrary: fc.record({ must: condition }) },
        { weight: 1, arbitrary: fc.record({ should: list, min_should: minShould }, { requiredKeys: ['min_should'] }) },
      );
    };
    const ofPayload = (nested: fc.Arbitrary<Filter>): fc.Arbitrary<Condition>[] => [
      fc.record({ is_empty: fc.record({ key }) }),
      fc.record({ is_null: fc.record({ key }) }),
      fc.record({ nested: fc.record({ key, filter: nested }) }),
    ];
    return {
      filter: members(tie('condition')),
      inner: members(tie('innerCondition')),
      condition: fc.oneof(
        { maxDepth: 3 },
        { weight: 8, arbitrary: fieldCondition },
        { weight: 1, arbitrary: fc.record({ has_id: fc.array(pointId, { maxLength: 4 }) }) },
        { weight: 1, arbitrary: fc.record({ has_vector: fc.constantFrom('', 'image') }) },
        ...ofPayload(tie('inner')),
        tie('filter'),
      ),
      innerCondition: fc.oneof({ maxDepth: 3 }, { weight: 8, arbitrary: fieldCondition }, ...ofPayload(tie('inner')), tie('inner')),
    };
  },
).filter;
