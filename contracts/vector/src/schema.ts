/**
 * How the contract's schemas are built. A schema is JSON Schema as TypeBox writes it, so one definition validates
 * requests, documents them (OpenAPI 3.1) and gives their types. Integers beyond 2^53 arrive as `bigint`
 * (`parseJson`), hence the `bigint` branches beside `integer`.
 *
 * A `title` makes a schema a named component of the OpenAPI document.
 */
import Type, { type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox';

export const FLOAT32_MAX = 3.4028234663852886e38;
export const UINT64_MAX = 18_446_744_073_709_551_615n;
const INT64_MIN = -9_223_372_036_854_775_808n;

/** Says that a schema's values have the type `T`; fails to compile when they do not. */
export function schemaOf<T>() {
  return <S extends TSchema>(
    schema: Static<S> extends T ? S : { error: 'the schema admits values that the type does not'; value: Static<S> },
  ) => Type.Unsafe<T>(schema);
}

/** An object that refuses members it does not know, so that a typo is told. */
export function strict<P extends Record<string, TSchema>>(properties: P, options: { title?: string; description?: string } = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** A member that may be absent or null. */
export function maybe<S extends TSchema>(schema: S): TOptional<TUnsafe<Static<S> | null>> {
  return Type.Optional(Type.Unsafe<Static<S> | null>(Type.Union([schema, Type.Null()])));
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

/** Accepted because clients of this API family send it; this server has nothing to do with it. */
export const accepted = Type.Unknown({ description: 'Accepted for compatibility; has no effect on a single node.' });

export const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const positive = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** A signed or unsigned 64-bit integer, exact. */
export const integer64 = Type.Unsafe<number | bigint>(
  Type.Union([
    Type.Integer(),
    Type.Refine(
      Type.BigInt(),
      (value: bigint) => value >= INT64_MIN && value <= UINT64_MAX,
      () => 'expected a 64-bit integer',
    ),
  ]),
);

export const PAYLOAD_DEPTH_MAX = 100;

/** Whether a JSON value nests at most `levels` objects and arrays. */
export function depthAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.every((member) => depthAtMost(member, levels - 1));
}

/** A free JSON object that can always be written back as it came: of bounded depth, and without numbers that overflowed. */
export const jsonObject = Type.Refine(
  Type.Record(Type.String(), Type.Unknown()),
  (value: object) => depthAtMost(value, PAYLOAD_DEPTH_MAX) && allFinite(value),
  (value) =>
    depthAtMost(value, PAYLOAD_DEPTH_MAX)
      ? 'holds a number beyond the range of double precision'
      : `nested deeper than ${PAYLOAD_DEPTH_MAX} levels`,
);

function allFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value) ? value.every(allFinite) : Object.values(value).every(allFinite);
}
