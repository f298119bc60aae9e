// SPDX-License-Identifier: Apache-2.0
/**
 * Says in one sentence why a value does not fit a schema: the path of the member, what is wrong, what would be right.
 * The compiled validator only answers yes or no, quickly; this walks the schema again, and only after a no.
 *
 * In a union the sentence speaks of the branch that the value comes closest to: the one that knows most of its members.
 */

import { closest } from '@sextant/foundation-std/portable';
import { describe, describeValue } from './describe.ts';

/** JSON Schema as far as the contract uses it. */
export type SchemaNode = {
  readonly $ref?: string;
  readonly $defs?: { readonly [name: string]: SchemaNode };
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly not?: unknown;
  readonly properties?: { readonly [name: string]: SchemaNode };
  readonly patternProperties?: { readonly [pattern: string]: SchemaNode };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly maxProperties?: number;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** What is expected, in words. */
  readonly 'x-expected'?: string;
  /** The same of many, such as `vectors`. */
  readonly 'x-plural'?: string;
  /** What the names of an object's members must be like, where they are free within a pattern. */
  readonly 'x-names'?: string;
  readonly 'x-not-yet'?: string;
  readonly 'x-shape'?: SchemaNode;
  readonly '~refine'?: readonly { check(value: unknown): boolean; error(value: unknown): string }[];
};

export type Problem = {
  /** Such as `points[3].vector`; empty for the value itself. */
  readonly path: string;
  readonly reason: string;
  /** The feature, when the value asks for one that this release does not serve. */
  readonly notYet?: string;
};

type Definitions = { readonly [name: string]: SchemaNode };
/** Where in the value a schema is checked, and what the schema's references mean there. */
export type Place = { readonly path: string; readonly definitions: Definitions };

/** The first problem of a value, or undefined when it fits. */
export function explain(schema: SchemaNode, value: unknown, path = ''): Problem | undefined {
  return check(schema, value, { path, definitions: {} });
}

/** As `explain`, at a place within a value. */
export function check(schema: SchemaNode, value: unknown, outer: Place): Problem | undefined {
  const place = within(schema, outer);
  return checkStructure(resolve(schema, place), value, place) ?? checkRefinements(schema, value, place);
}

function checkStructure(schema: SchemaNode, value: unknown, place: Place): Problem | undefined {
  if (schema['x-not-yet'] !== undefined) return { path: place.path, reason: 'not supported', notYet: schema['x-not-yet'] };
  if (schema.anyOf !== undefined) return checkUnion(schema, schema.anyOf, value, place);
  if (schema.not !== undefined) return { path: place.path, reason: schema['x-expected'] ?? 'no value is allowed here' };
  if (!isOfType(schema, value) || (schema.enum !== undefined && !schema.enum.includes(value))) return mismatch(schema, value, place);
  if (typeof value === 'string') return checkString(schema, value, place);
  if (typeof value === 'number') return checkNumber(schema, value, place);
  if (Array.isArray(value)) return checkArray(schema, value, place);
  if (isRecord(value)) return checkObject(schema, value, place);
  return undefined;
}

function checkRefinements(schema: SchemaNode, value: unknown, place: Place): Problem | undefined {
  for (const refinement of schema['~refine'] ?? []) {
    if (!refinement.check(value)) return { path: place.path, reason: refinement.error(value) };
  }
  return undefined;
}

export function resolve(schema: SchemaNode, place: Place): SchemaNode {
  return schema.$ref === undefined ? schema : (place.definitions[schema.$ref] ?? schema);
}

function isOfType(schema: SchemaNode, value: unknown): boolean {
  if ('const' in schema) return value === schema.const;
  switch (schema.type) {
    case undefined:
      return true;
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === schema.type;
  }
}

function mismatch(schema: SchemaNode, value: unknown, place: Place): Problem {
  const words = schema.enum?.filter((item) => typeof item === 'string') ?? [];
  const meant = typeof value === 'string' ? closest(value, words) : undefined;
  const hint = meant === undefined ? '' : `; did you mean '${meant}'?`;
  return { path: place.path, reason: `expected ${describe(schema)}, got ${describeValue(value)}${hint}` };
}

function checkString(schema: SchemaNode, value: string, place: Place): Problem | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  const length = Array.from(value).length;
  if (length < minLength) return { path: place.path, reason: 'must not be empty' };
  if (length > maxLength) return { path: place.path, reason: `must have at most ${maxLength} characters, got ${length}` };
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return mismatch(schema, value, place);
  return undefined;
}

function checkNumber(schema: SchemaNode, value: number, place: Place): Problem | undefined {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  return value < minimum || value > maximum ? mismatch(schema, value, place) : undefined;
}

function checkArray(schema: SchemaNode, value: readonly unknown[], place: Place): Problem | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
  if (value.length < minItems) return { path: place.path, reason: `expected at least ${plural(minItems, 'item')}, got ${value.length}` };
  if (value.length > maxItems) return { path: place.path, reason: `expected at most ${plural(maxItems, 'item')}, got ${value.length}` };
  if (items === undefined) return undefined;
  for (const [index, item] of value.entries()) {
    const problem = check(items, item, { ...place, path: `${place.path}[${index}]` });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkObject(schema: SchemaNode, value: object, place: Place): Problem | undefined {
  const members = Object.entries(value);
  const known = Object.keys(schema.properties ?? {});
  if (members.length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    return { path: place.path, reason: `expected at most ${plural(schema.maxProperties ?? 0, 'member')}, got ${members.length}` };
  }
  for (const [name, member] of members) {
    const path = memberPath(place.path, name);
    const memberSchema = schemaOfMember(schema, name);
    if (memberSchema === undefined)
      return {
        path,
        reason: unknownMember(
          name,
          known.filter((each) => !(each in value)),
          schema,
        ),
      };
    const problem = check(memberSchema, member, { ...place, path });
    if (problem !== undefined) return problem;
  }
  const missing = (schema.required ?? []).find((name) => !Object.hasOwn(value, name));
  return missing === undefined ? undefined : { path: place.path, reason: `required member \`${missing}\` is missing` };
}

/** Undefined for a member that the schema does not know. */
export function schemaOfMember(schema: SchemaNode, name: string): SchemaNode | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  for (const [pattern, member] of Object.entries(schema.patternProperties ?? {})) if (new RegExp(pattern, 'u').test(name)) return member;
  if (schema.additionalProperties === false) return undefined;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
}

function unknownMember(name: string, candidates: readonly string[], schema: SchemaNode): string {
  if (schema.patternProperties !== undefined) return `this name is not allowed: it must have ${schema['x-names'] ?? 'another form'}`;
  const meant = closest(name, candidates);
  if (meant !== undefined) return `unknown member; did you mean '${meant}'?`;
  const known = Object.keys(schema.properties ?? {});
  return known.length === 0 ? 'unknown member' : `unknown member; expected ${known.length > 1 ? 'one of ' : ''}${known.join(', ')}`;
}

function checkUnion(schema: SchemaNode, branches: readonly SchemaNode[], value: unknown, place: Place): Problem | undefined {
  let best: { problem: Problem; fit: number } | undefined;
  for (const branch of branches.filter((each) => each['x-not-yet'] === undefined)) {
    const problem = check(branch, value, place);
    if (problem === undefined) return undefined;
    const fit = problem.notYet === undefined ? fitOf(branch, value, place) : Number.POSITIVE_INFINITY;
    if (best === undefined || fit > best.fit) best = { problem, fit };
  }
  const feature = featureNotYet(branches, value, place);
  if (feature !== undefined) return { path: place.path, reason: 'not supported', notYet: feature };
  if (best === undefined || best.fit === NO_FIT) return mismatch(schema, value, place);
  if (best.problem.path === place.path && schema['x-expected'] !== undefined) return mismatch(schema, value, place);
  return wrongTag(branches, value, place) ?? (best.fit <= 0 ? strangeMember(branches, value, place) : undefined) ?? best.problem;
}

function featureNotYet(branches: readonly SchemaNode[], value: unknown, place: Place): string | undefined {
  return branches.find((branch) => branch['x-shape'] !== undefined && check(branch['x-shape'], value, place) === undefined)?.['x-not-yet'];
}

/** Where branches differ by a constant member, such as `type`, and the value has another constant: all that could stand there. */
function wrongTag(branches: readonly SchemaNode[], value: unknown, place: Place): Problem | undefined {
  if (!isRecord(value) || branches.length < 2) return undefined;
  const tag = Object.keys(branches[0]?.properties ?? {}).find((name) => branches.every((branch) => isConstant(branch.properties?.[name])));
  if (tag === undefined) return undefined;
  const tags = branches.map((branch) => branch.properties?.[tag]?.const);
  if (!Object.hasOwn(value, tag)) {
    if (!branches.every((branch) => branch.required?.includes(tag))) return undefined;
    return { path: place.path, reason: `required member \`${tag}\` is missing; it is ${describe({ enum: tags })}` };
  }
  return tags.includes(value[tag]) ? undefined : mismatch({ enum: tags }, value[tag], { ...place, path: memberPath(place.path, tag) });
}

/** Where the value has no member that any branch knows: all that could stand there. */
function strangeMember(branches: readonly SchemaNode[], value: unknown, place: Place): Problem | undefined {
  if (!isRecord(value)) return undefined;
  const objects = objectsAmong(branches, place);
  const properties = Object.assign({}, ...objects.map((branch) => branch.properties)) as { readonly [name: string]: SchemaNode };
  const strange = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  if (strange === undefined || objects.length === 0) return undefined;
  return { path: memberPath(place.path, strange), reason: unknownMember(strange, Object.keys(properties), { properties }) };
}

function objectsAmong(branches: readonly SchemaNode[], outer: Place): readonly SchemaNode[] {
  return branches.flatMap((branch) => {
    const place = within(branch, outer);
    const schema = resolve(branch, place);
    if (schema.anyOf !== undefined) return objectsAmong(schema.anyOf, place);
    return schema.properties === undefined ? [] : [schema];
  });
}

export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isConstant(schema: SchemaNode | undefined): boolean {
  return schema !== undefined && 'const' in schema;
}

const NO_FIT = Number.NEGATIVE_INFINITY;
/** Of a member that a map has under any name, but not with this value: more than of an unknown one, and less than of one that is known by its name. */
const MISFIT_OF_MAP = 0.1;

/** How well a value's outer shape suits a branch: known members minus unknown ones, or whether the first item could be one; a constant that agrees settles it. */
export function fitOf(branch: SchemaNode, value: unknown, outer: Place): number {
  const place = within(branch, outer);
  const schema = resolve(branch, place);
  if (schema.anyOf !== undefined) return Math.max(...schema.anyOf.map((inner) => fitOf(inner, value, place)));
  if (schema['x-not-yet'] !== undefined || !isOfType(schema, value)) return NO_FIT;
  if (Array.isArray(value))
    return Number(schema.items !== undefined && value.length > 0 && fitOf(schema.items, value[0], place) !== NO_FIT);
  if (!isRecord(value)) return 0;
  if (schema.enum !== undefined) return NO_FIT;
  let fit = 0;
  for (const [name, member] of Object.entries(value)) {
    const memberSchema = schemaOfMember(schema, name);
    if (memberSchema === undefined) fit -= 1;
    else if (!Object.hasOwn(schema.properties ?? {}, name) && fitOf(memberSchema, member, place) === NO_FIT) fit += MISFIT_OF_MAP;
    else fit += isConstant(memberSchema) && memberSchema.const === member ? 100 : 1;
  }
  return fit;
}

/** A place whose definitions include those that the schema brings. */
export function within(schema: SchemaNode, place: Place): Place {
  return schema.$defs === undefined ? place : { ...place, definitions: { ...place.definitions, ...schema.$defs } };
}

/** Where a member is: `options.text_members.title`, and `options.text_members.""` of an empty name. */
export function memberPath(path: string, name: string): string {
  const step = /^[\p{ID_Start}_$][\p{ID_Continue}$-]*$/u.test(name) ? name : JSON.stringify(name.slice(0, 80));
  return path === '' ? step : `${path}.${step}`;
}

function plural(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
