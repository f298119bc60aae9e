// SPDX-License-Identifier: Apache-2.0
/**
 * Writes `oneOf` where no value fits two branches of a union: then readers know that it is an either-or, and generated clients can tell the
 * branches apart. Where that cannot be shown from the schemas, the union stays an `anyOf`.
 */
import type { Components, JsonSchema } from './openapi-schemas.ts';

const PREFIX = '#/components/schemas/';
const EVERY_TYPE = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
/** Schemas that hold each other are compared so deep. */
const DEPTH_MAX = 6;

/** A document whose unions say so where they are an either-or. */
export function withExclusiveUnions<Document extends { readonly components: { readonly schemas: Components } }>(
  document: Document,
): Document {
  return rewrite(document, document.components.schemas) as Document;
}

function rewrite(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, components));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rewrite(member, components)]));
  const { anyOf, ...others } = members;
  if (!Array.isArray(anyOf)) return members;
  return areExclusive(anyOf as JsonSchema[], components) ? { oneOf: anyOf, ...others } : members;
}

function areExclusive(branches: readonly JsonSchema[], components: Components): boolean {
  return branches.every((branch, index) =>
    branches.slice(index + 1).every((other) => areDisjoint(branch, other, { components, depth: 0 })),
  );
}

type Place = { readonly components: Components; readonly depth: number };

/** Whether it is certain that no value fits both. */
function areDisjoint(first: JsonSchema, second: JsonSchema, { components, depth }: Place): boolean {
  if (depth > DEPTH_MAX) return false;
  const deeper = { components, depth: depth + 1 };
  const [left, right] = [resolve(first, components), resolve(second, components)];
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const branches = branchesOf(one);
    if (branches !== undefined) return branches.every((branch) => areDisjoint(branch, other, deeper));
  }
  const shared = typesOf(left).filter((type) => typesOf(right).includes(type));
  if (shared.length === 0 || enumsDiffer(left, right)) return true;
  const [type] = shared;
  if (shared.length > 1) return false;
  if (type === 'array') return itemsDiffer(left, right, deeper);
  return type === 'object' && (needsWhatIsRefused(left, right, deeper) || needsWhatIsRefused(right, left, deeper));
}

function resolve(schema: JsonSchema, components: Components): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  return components[schema.$ref.slice(PREFIX.length)] ?? {};
}

function branchesOf({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] | undefined {
  return (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
}

function typesOf({ type }: JsonSchema): readonly string[] {
  if (type === undefined) return EVERY_TYPE;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.flatMap((each) => (typeof each === 'string' ? [each === 'integer' ? 'number' : each] : []));
}

function enumsDiffer(left: JsonSchema, right: JsonSchema): boolean {
  if (!Array.isArray(left.enum) || !Array.isArray(right.enum)) return false;
  const known: readonly unknown[] = right.enum;
  return left.enum.every((value) => !known.includes(value));
}

/** Empty arrays fit both unless one of them needs an item. */
function itemsDiffer(left: JsonSchema, right: JsonSchema, place: Place): boolean {
  const needsItem = [left, right].some(({ minItems }) => Number(minItems ?? 0) > 0);
  return needsItem && areDisjoint((left.items ?? {}) as JsonSchema, (right.items ?? {}) as JsonSchema, place);
}

/** Whether one needs a member that the other does not take, or takes only with other values. */
function needsWhatIsRefused({ required = [], properties = {} }: JsonSchema, other: JsonSchema, place: Place): boolean {
  return required.some((name) => {
    const taken = other.properties?.[name] ?? other.additionalProperties ?? {};
    return taken === false || (taken !== true && areDisjoint(properties[name] ?? {}, taken as JsonSchema, place));
  });
}
