// SPDX-License-Identifier: Apache-2.0
/**
 * How a contract's schemas are built. A schema is JSON Schema as TypeBox writes it, so one definition validates requests, documents
 * them (OpenAPI 3.1) and gives their types.
 *
 * A `title` makes a schema a named component of the OpenAPI document. `x-written` is the schema that the document has in place of this
 * one, where validation says a rule by a refinement or by text and JSON Schema has words for it; `x-also` are keywords that it has besides.
 */
import Type, { type TNull, type TOptional, type TSchema, type TUnion, type TUnsafe } from 'typebox';

/** An object that refuses members it does not know, so that a typo is an error. */
export function strict<P extends Record<string, TSchema>>(
  properties: P,
  options: { title?: string; description?: string; 'x-written'?: TSchema; 'x-also'?: object } = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** A member that may be absent or null. */
export function maybe<S extends TSchema>(schema: S): TOptional<TUnion<[S, TNull]>> {
  return Type.Optional<TUnion<[S, TNull]>>(Type.Union([schema, Type.Null()]));
}

/** Members each of which may be absent or null. */
export function eachMaybe<Members extends Record<string, TSchema>>(members: Members) {
  const all = Object.entries(members).map(([name, schema]) => [name, maybe(schema)]);
  // `fromEntries` forgets which keys it was given.
  return Object.fromEntries(all) as { [Name in keyof Members]: ReturnType<typeof maybe<Members[Name]>> };
}

/** A closed set of strings. */
export function oneOf<const Values extends readonly string[]>(...values: Values) {
  return Type.Unsafe<Values[number]>(Type.Enum([...values]));
}

/**
 * A part of the published contract that this release does not serve. No value passes; one that has `shape` is
 * answered with `not_supported_yet` and the name of the feature. It is left out of the OpenAPI document.
 */
export function notYet(feature: string, shape: TSchema = Type.Unknown()): TUnsafe<never> {
  const marked = Type.Unsafe<unknown>({ 'x-not-yet': feature, 'x-shape': shape });
  return Type.Refine(marked, () => false) as unknown as TUnsafe<never>;
}

export const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const positive = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Deepest nesting of a free JSON object. */
const JSON_DEPTH_MAX = 100;

/** Whether a JSON value nests at most `levels` objects and arrays. */
export function depthAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.every((member) => depthAtMost(member, levels - 1));
}

/** A free JSON object that can always be written back as it came: of bounded depth, and without numbers that overflowed. */
export function jsonObjectOf(options: { readonly title?: string } = {}) {
  return Type.Refine(
    Type.Record(Type.String(), Type.Unknown(), options),
    (value: object) => depthAtMost(value, JSON_DEPTH_MAX) && allFinite(value),
    (value) =>
      depthAtMost(value, JSON_DEPTH_MAX)
        ? 'holds a number beyond the range of double precision'
        : `nested deeper than ${JSON_DEPTH_MAX} levels`,
  );
}

export const jsonObject = jsonObjectOf();

function allFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value) ? value.every(allFinite) : Object.values(value).every(allFinite);
}
