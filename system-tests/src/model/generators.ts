// SPDX-License-Identifier: Apache-2.0
/** What the model test writes and asks: few ids and few values, so that operations meet. */
import type { Condition, Filter, Payload, PointId, VectorInput } from '@sextant/contracts-vector';
import fc, { type Arbitrary } from 'fast-check';
import type { VectorShape } from './collection-model.ts';

/** Small integers, integers around 2^53 and 2^64, UUIDs. */
export const ID_POOL: readonly PointId[] = [
  ...Array.from({ length: 24 }, (_, index) => index),
  9007199254740991,
  9007199254740992n,
  9007199254740993n,
  18446744073709551614n,
  18446744073709551615n,
  ...Array.from({ length: 7 }, (_, index) => `${index}50e8400-e29b-41d4-a716-44665544000${index}`),
];

export const id: Arbitrary<PointId> = fc.constantFrom(...ID_POOL);

export function ids(maxLength: number): Arbitrary<readonly PointId[]> {
  return fc.uniqueArray(id, { minLength: 1, maxLength, selector: String });
}

/** Halves, so that sums are exact in 32 bits; never all zero, which has no direction for Cosine. */
export function vector(size: number): Arbitrary<readonly number[]> {
  return fc
    .array(fc.integer({ min: -16, max: 16 }), { minLength: size, maxLength: size })
    .map((values) => (values.some((value) => value !== 0) ? values.map((value) => value / 2) : values.map(() => 1)));
}

/** A point's vectors: the unnamed one, or any of the named ones. */
export function vectors(shapes: ReadonlyMap<string, VectorShape>): Arbitrary<VectorInput> {
  const unnamed = shapes.get('');
  if (unnamed !== undefined) return vector(unnamed.size);
  const members = [...shapes].map(([name, { size }]) => fc.option(vector(size).map((values) => [name, values] as const)));
  return fc.tuple(...members).map((entries) => Object.fromEntries(entries.filter((entry) => entry !== null)));
}

/** Objects as a JSON parser makes them, with any of their members. */
const AS_PARSED: { requiredKeys: []; noNullPrototype: true } = { requiredKeys: [], noNullPrototype: true };

const color = fc.constantFrom('red', 'green', 'blue');
const size = fc.integer({ min: -4, max: 12 });
const part = fc.record({ a: fc.integer({ min: 0, max: 3 }), b: color }, AS_PARSED);

export const payload: Arbitrary<Payload> = fc.record(
  {
    color: fc.oneof({ weight: 5, arbitrary: color }, fc.uniqueArray(color, { maxLength: 3 }), fc.constant(null), fc.constant(7)),
    size: fc.oneof({ weight: 9, arbitrary: size }, fc.constant('big')),
    weight: size.map((value) => value / 4),
    flag: fc.boolean(),
    nested: part,
    parts: fc.array(part, { maxLength: 3 }),
  },
  AS_PARSED,
);

/** A change of payload: as a payload, and null takes a member away. */
export const payloadChange: Arbitrary<Payload> = fc
  .tuple(payload, fc.subarray(['color', 'size', 'flag', 'nested']))
  .map(([change, removed]) => ({ ...change, ...Object.fromEntries(removed.map((key) => [key, null])) }));

export const nestedChange: Arbitrary<Payload> = part;

export const payloadPath = fc.constantFrom('color', 'size', 'weight', 'flag', 'nested', 'nested.a', 'parts', 'unknown');

export const fieldIndex = fc.constantFrom(
  ['color', 'keyword'] as const,
  ['size', 'integer'] as const,
  ['weight', 'float'] as const,
  ['flag', 'bool'] as const,
  ['nested.a', 'integer'] as const,
  ['parts[].b', 'keyword'] as const,
);

const range = (value: Arbitrary<number>) =>
  fc.record({ lt: value, gt: value, lte: value, gte: value }, { requiredKeys: [] }).filter((bounds) => Object.keys(bounds).length > 0);

const partCondition: Arbitrary<Condition> = fc.oneof(
  fc.integer({ min: 0, max: 3 }).map((value) => ({ key: 'a', match: { value } })),
  color.map((value) => ({ key: 'b', match: { value } })),
);

function leaf(vectorNames: readonly string[]): Arbitrary<Condition> {
  return fc.oneof(
    color.map((value) => ({ key: 'color', match: { value } })),
    fc.subarray(['red', 'green', 'blue']).map((any) => ({ key: 'color', match: { any } })),
    fc.subarray(['red', 'green', 'blue'], { minLength: 1 }).map((except) => ({ key: 'color', match: { except } })),
    size.map((value) => ({ key: 'size', match: { value } })),
    fc.array(size, { minLength: 1, maxLength: 4 }).map((any) => ({ key: 'size', match: { any } })),
    range(size).map((bounds) => ({ key: 'size', range: bounds })),
    range(size.map((value) => value / 4)).map((bounds) => ({ key: 'weight', range: bounds })),
    fc.boolean().map((value) => ({ key: 'flag', match: { value } })),
    fc.integer({ min: 0, max: 3 }).map((value) => ({ key: 'nested.a', match: { value } })),
    color.map((value) => ({ key: 'parts[].b', match: { value } })),
    range(fc.nat({ max: 3 })).map((bounds) => ({ key: 'color', values_count: bounds })),
    fc.constantFrom('color', 'parts', 'nested.b').map((key) => ({ is_empty: { key } })),
    fc.constantFrom('color', 'size').map((key) => ({ is_null: { key } })),
    ids(8).map((list) => ({ has_id: list })),
    fc.constantFrom(...vectorNames).map((name) => ({ has_vector: name })),
    fc.array(partCondition, { minLength: 1, maxLength: 2 }).map((must) => ({ nested: { key: 'parts', filter: { must } } })),
  );
}

/** Filters of up to two levels. */
export function filter(vectorNames: readonly string[]): Arbitrary<Filter> {
  const condition = leaf(vectorNames);
  const inner = clauses(condition);
  return clauses(fc.oneof({ weight: 3, arbitrary: condition }, inner));
}

function clauses(condition: Arbitrary<Condition>): Arbitrary<Filter> {
  const list = fc.array(condition, { maxLength: 3 });
  const minShould = fc.record({ conditions: list, min_count: fc.integer({ min: 1, max: 2 }) });
  return fc.record({ must: list, should: list, must_not: list, min_should: minShould }, { requiredKeys: [] });
}
