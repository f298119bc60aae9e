// SPDX-License-Identifier: Apache-2.0
/**
 * Turns the contract's schemas into those of OpenAPI 3.1. What this release does not serve is left out, each schema with a title becomes
 * a component that others refer to, and every schema takes the form that generators of clients read best: one type, a format that is wide
 * enough, maps as `additionalProperties`. A schema that says `x-written` is written as that other schema.
 */

/** A JSON Schema of the 2020-12 draft, as far as it is read here. */
export type JsonSchema = {
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
};

export type Components = { readonly [name: string]: JsonSchema };

export type SchemaWriter = {
  write(schema: object): JsonSchema;
  /** Writes a schema as the component of that name, and answers the reference to it. */
  name(title: string, schema: JsonSchema): JsonSchema;
  components(): Components;
};

type Node = {
  readonly title?: string;
  readonly description?: string;
  readonly $defs?: { readonly [name: string]: object };
  readonly $ref?: string;
  readonly anyOf?: readonly object[];
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly patternProperties?: { readonly [pattern: string]: object };
  readonly 'x-written'?: object;
  readonly 'x-also'?: object;
};

const INT32_MAX = 2 ** 31 - 1;
const ANYTHING = /^\^\.\*\$$/;

export function createSchemaWriter(): SchemaWriter {
  const components: { [name: string]: JsonSchema } = {};

  function write(schema: object): JsonSchema {
    const { title } = schema as Node;
    return title === undefined ? rewrite(schema) : component(title, () => rewrite(schema));
  }

  function component(title: string, content: () => JsonSchema): JsonSchema {
    if (components[title] === undefined) {
      // Schemas that hold themselves find the name taken.
      components[title] = {};
      components[title] = content();
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  function rewrite(schema: object): JsonSchema {
    const node = schema as Node;
    if (node['x-written'] !== undefined) return described(write(node['x-written']), node);
    for (const [name, definition] of Object.entries(node.$defs ?? {})) component(name, () => rewrite({ ...definition, title: undefined }));
    if (node.$ref !== undefined) return { $ref: `#/components/schemas/${node.$ref}` };
    if (node.anyOf !== undefined) return rewriteUnion(node.anyOf, node);
    return withFormat(rewriteMembers(node));
  }

  function rewriteUnion(branches: readonly object[], node: Node): JsonSchema {
    const served = branches.filter((branch) => isServed(branch) && !isWide(branch, branches)).map(write);
    // What anything can be is said by no keyword.
    const free = served.find((branch) => Object.keys(branch).every((keyword) => keyword === 'description'));
    if (free !== undefined) return described(free, node);
    const [only] = served;
    return described(only !== undefined && served.length === 1 ? only : (nullable(served) ?? { anyOf: served }), node);
  }

  function rewriteMembers(node: Node): JsonSchema {
    const written: { [keyword: string]: unknown } = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (/^(?:x-|~|\$)/.test(keyword) || keyword === 'title' || keyword === 'const' || keyword === 'patternProperties') continue;
      written[keyword] = rewriteKeyword(keyword, value);
    }
    if (node.const !== undefined) written.enum = [node.const];
    if (Array.isArray(written.enum)) written.type = typeof written.enum[0];
    return { ...written, ...mapOf(node.patternProperties ?? {}), ...node['x-also'] };
  }

  function rewriteKeyword(keyword: string, value: unknown): unknown {
    if (keyword === 'properties') {
      const members = Object.entries(value as Record<string, object>).filter(([, member]) => isServed(member));
      return Object.fromEntries(members.map(([name, member]) => [name, write(member)]));
    }
    const isSchema = (keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object' && value !== null;
    return isSchema ? write(value) : value;
  }

  /** An object of free names: generators read a map from `additionalProperties`, and nothing from `patternProperties`. */
  function mapOf(patternProperties: { readonly [pattern: string]: object }): JsonSchema {
    const [entry] = Object.entries(patternProperties);
    if (entry === undefined) return {};
    const [pattern, member] = entry;
    const values = write(member);
    const isFree = Object.keys(values).length === 0;
    return {
      additionalProperties: isFree ? true : values,
      ...(ANYTHING.test(pattern) ? {} : { propertyNames: { type: 'string', pattern } }),
    };
  }

  return {
    write,
    name: (title, schema) => component(title, () => schema),
    components: () => components,
  };
}

/** The `bigint` beside numbers, as integers beyond 2^53 are read: the document has one number for both. */
function isWide(branch: object, branches: readonly object[]): boolean {
  return (branch as Node).type === 'bigint' && branches.some((other) => ['integer', 'number'].includes(String((other as Node).type)));
}

/** Without a format, generators of typed languages take 32 bits, which lose what the wire carries. */
function withFormat(schema: JsonSchema): JsonSchema {
  const { type, format, maximum, enum: values } = schema;
  if (format !== undefined || values !== undefined) return schema;
  if (type === 'number') return { ...schema, format: 'double' };
  if (type === 'bigint') return { type: 'integer', format: 'int64' };
  return type === 'integer' ? { ...schema, format: Number(maximum ?? Number.POSITIVE_INFINITY) > INT32_MAX ? 'int64' : 'int32' } : schema;
}

/** What is of one type or null, in one schema; generators make a class of each union. */
function nullable(branches: readonly JsonSchema[]): JsonSchema | undefined {
  const [schema, none] = branches;
  if (branches.length !== 2 || schema === undefined || none?.type !== 'null' || typeof schema.type !== 'string') return undefined;
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {}) };
}

function described(schema: JsonSchema, { description }: Node): JsonSchema {
  return description === undefined ? schema : { ...schema, description };
}

/** False for what no value of this release can be: a feature to come, a union of nothing else, or an object that needs one. */
function isServed(schema: object): boolean {
  const node = schema as {
    'x-not-yet'?: string;
    not?: unknown;
    anyOf?: { type?: string }[];
    required?: string[];
    properties?: Record<string, object>;
  };
  if (node['x-not-yet'] !== undefined || node.not !== undefined) return false;
  if (node.anyOf !== undefined) return node.anyOf.some((branch) => branch.type !== 'null' && isServed(branch));
  return (node.required ?? []).every((name) => node.properties?.[name] === undefined || isServed(node.properties[name]));
}
