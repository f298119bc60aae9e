// SPDX-License-Identifier: Apache-2.0
/**
 * Compiles schemas to checks. TypeBox finds what a `$ref` means by walking all that is around it, which takes a fifth of a second for a schema
 * as recursive as that of the query language; and it writes a part out again wherever it stands, which are hundreds of places for some. Here each
 * definition, and each part with a title, is compiled by itself, once, when a value gets to it first, and what holds it calls it.
 */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';

export type Check = (value: unknown) => boolean;

export type CompiledSchema = {
  readonly check: Check;
  /** Compiles the definitions that the check may call, too. */
  readonly prepare: () => void;
};

type Refinement = { check: Check; readonly error: () => string };

/** A definition, or a part with a title, as those that hold it see it. */
type Definition = Refinement & { readonly prepare: () => void };
type Definitions = { readonly [name: string]: Definition };

type Node = {
  /** A member of that name has a schema here. */
  readonly $ref?: string | object;
  readonly title?: string | object;
  readonly $defs?: { readonly [name: string]: object };
  readonly '~refine'?: readonly Refinement[];
};

/** Schemas that hold the same filter hold the same definitions object. */
const linkedDefinitions = new WeakMap<object, Definitions>();

const NO_DEFINITIONS: Definitions = {};
/** Parts with a title, by the definitions around them and their schemas. */
const titledParts = new WeakMap<Definitions, WeakMap<object, Definition>>();
/** Whether a schema refers to a definition around it. */
const dependence = new WeakMap<object, boolean>();

export function compile(schema: TSchema): CompiledSchema {
  const used = new Set<Definition>();
  const check = checkOf(link(schema, NO_DEFINITIONS, used));
  return {
    check,
    prepare: () => {
      for (const definition of used) definition.prepare();
    },
  };
}

function checkOf(schema: object): Check {
  const validator = Compile(schema);
  return (value) => validator.Check(value);
}

/** The schema with a call in place of each reference and each part with a title; what holds none is taken as it is. */
function link<Schema extends object>(schema: Schema, outer: Definitions, used: Set<Definition>): Schema {
  const { $ref, title } = schema as Node;
  if (typeof $ref === 'string' || typeof title !== 'string') return linkMembers(schema, outer, used);
  const part = titledPart(schema, dependsOnDefinitions(schema) ? outer : NO_DEFINITIONS);
  used.add(part);
  return { '~refine': [part] } as unknown as Schema;
}

/** As `link`, for a schema that is compiled itself. */
function linkMembers<Schema extends object>(schema: Schema, outer: Definitions, used: Set<Definition>): Schema {
  if (Array.isArray(schema)) {
    const items = schema.map((item: unknown) => linkMember(item, outer, used));
    // An array of schemas stays one.
    return items.every((item, index) => item === schema[index]) ? schema : (items as unknown as Schema);
  }
  const { $ref, $defs, '~refine': refinements = [] } = schema as Node;
  if (typeof $ref === 'string') {
    const definition = ($defs === undefined ? outer : definitionsOf($defs))[$ref];
    if (definition === undefined) throw new Error(`the schema refers to ${$ref}, which it does not define`);
    used.add(definition);
    // All that a schema with a reference may have beside it.
    return { '~refine': [definition, ...refinements] } as unknown as Schema;
  }
  const changed = Object.entries(schema).flatMap(([name, member]) => {
    const linked = linkMember(member, outer, used);
    return linked === member ? [] : [[name, { value: linked, enumerable: true }] as const];
  });
  if (changed.length === 0) return schema;
  // TypeBox keeps refinements in members that are not enumerable.
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), ...Object.fromEntries(changed) }) as Schema;
}

function linkMember(member: unknown, outer: Definitions, used: Set<Definition>): unknown {
  return typeof member === 'object' && member !== null ? link(member, outer, used) : member;
}

function titledPart(schema: object, outer: Definitions): Definition {
  const ofOuter = titledParts.get(outer) ?? new WeakMap<object, Definition>();
  titledParts.set(outer, ofOuter);
  const known = ofOuter.get(schema);
  if (known !== undefined) return known;
  const part = defineLazily(schema, outer);
  ofOuter.set(schema, part);
  return part;
}

function dependsOnDefinitions(schema: object): boolean {
  const known = dependence.get(schema);
  if (known !== undefined) return known;
  const { $ref, $defs } = schema as Node;
  const depends =
    typeof $ref === 'string'
      ? $defs === undefined
      : Object.values(schema).some((member: unknown) => typeof member === 'object' && member !== null && dependsOnDefinitions(member));
  dependence.set(schema, depends);
  return depends;
}

function definitionsOf(schemas: { readonly [name: string]: object }): Definitions {
  const known = linkedDefinitions.get(schemas);
  if (known !== undefined) return known;
  const definitions: { [name: string]: Definition } = {};
  for (const [name, schema] of Object.entries(schemas)) definitions[name] = defineLazily(schema, definitions);
  linkedDefinitions.set(schemas, definitions);
  return definitions;
}

/** Its check compiles itself when it is called first. */
function defineLazily(schema: object, definitions: Definitions): Definition {
  const used = new Set<Definition>();
  let isCompiled = false;
  const compileNow = (): Check => {
    // The name of the definition, by which TypeBox would find it.
    const { $id: _, ...unnamed } = Object.getOwnPropertyDescriptors<{ readonly $id?: string }>(schema);
    definition.check = checkOf(linkMembers(Object.defineProperties({}, unnamed), definitions, used));
    isCompiled = true;
    return definition.check;
  };
  let isPrepared = false;
  const prepare = (): void => {
    if (isPrepared) return;
    isPrepared = true;
    if (!isCompiled) compileNow();
    for (const each of used) each.prepare();
  };
  const definition: Definition = { check: (value) => compileNow()(value), error: () => 'does not fit', prepare };
  return definition;
}
