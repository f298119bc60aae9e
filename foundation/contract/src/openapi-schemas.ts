/**
 * Turns the contract's schemas into those of OpenAPI 3.1: what this release does not serve is left out, `bigint` branches
 * become 64-bit integers, and each schema with a title becomes a component that others refer to.
 */

/** A JSON Schema of the 2020-12 draft, as far as it is read here. */
export type JsonSchema = {
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
};

export type SchemaWriter = {
  write(schema: object): JsonSchema;
  components(): { readonly [name: string]: JsonSchema };
};

export function createSchemaWriter(): SchemaWriter {
  const components: { [name: string]: JsonSchema } = {};

  function write(schema: object): JsonSchema {
    const { title } = schema as { title?: unknown };
    if (typeof title !== 'string') return rewrite(schema);
    if (components[title] === undefined) {
      components[title] = {};
      components[title] = rewrite(schema);
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  function rewrite(schema: object): JsonSchema {
    const node = schema as {
      $defs?: Record<string, object>;
      $ref?: string;
      anyOf?: object[];
      type?: unknown;
      properties?: Record<string, object>;
    };
    if (node.$defs !== undefined) hoist(node.$defs);
    if (node.$ref !== undefined) return { $ref: `#/components/schemas/${node.$ref}` };
    if (node.type === 'bigint') return { type: 'integer', format: 'int64' };
    if (node.anyOf !== undefined) return rewriteUnion(node.anyOf, schema);
    return rewriteMembers(schema);
  }

  function hoist(definitions: Record<string, object>): void {
    for (const [name, definition] of Object.entries(definitions)) {
      if (components[name] !== undefined) continue;
      components[name] = {};
      components[name] = rewrite(definition);
    }
  }

  function rewriteUnion(branches: object[], schema: object): JsonSchema {
    const served = branches.filter((branch) => isServed(branch)).map(write);
    const [only] = served;
    const { description } = schema as { description?: string };
    const said = description === undefined ? {} : { description };
    return only !== undefined && served.length === 1 ? { ...only, ...said } : { anyOf: served, ...said };
  }

  function rewriteMembers(schema: object): JsonSchema {
    const written: { [keyword: string]: unknown } = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword.startsWith('x-') || keyword.startsWith('~') || keyword === '$id' || keyword === 'title') continue;
      written[keyword] = rewriteKeyword(keyword, value);
    }
    return written;
  }

  function rewriteKeyword(keyword: string, value: unknown): unknown {
    if (keyword === 'properties' || keyword === 'patternProperties') {
      const members = Object.entries(value as Record<string, object>).filter(([, member]) => isServed(member));
      return Object.fromEntries(members.map(([name, member]) => [name, write(member)]));
    }
    return (keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object' && value !== null
      ? write(value)
      : value;
  }

  return { write, components: () => components };
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
