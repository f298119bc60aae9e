/**
 * Writes the contract's schemas as TypeScript types that stand for themselves, so that a package made of them needs neither the schemas
 * nor TypeBox. What this release does not serve is left out. Each schema with a title becomes a type of that name.
 */

/** JSON Schema as far as the contracts use it. */
type Node = {
  readonly title?: string;
  readonly description?: string;
  readonly $defs?: { readonly [name: string]: Node };
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly not?: unknown;
  readonly items?: Node;
  readonly properties?: { readonly [name: string]: Node };
  readonly patternProperties?: { readonly [pattern: string]: Node };
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly 'x-not-yet'?: string;
  readonly 'x-written'?: Node;
};

/** Names that would hide those of the language. */
const RENAMED: { readonly [title: string]: string } = { Record: 'PointRecord' };

/** What the schema cannot say, or says for validation's sake. */
const WRITTEN: { readonly [name: string]: string } = {
  DenseVector: 'readonly number[] | Float32Array',
  PointId: 'number | bigint | string',
  SparseVector: '{ readonly indices: readonly number[]; readonly values: DenseVector }',
};

/** Whether members come from a query string, where numbers and switches are text, or from JSON. */
type Place = 'json' | 'query';

export type TypeWriter = {
  /** The type of a schema's values, as an expression. */
  write(schema: object, place?: Place): string;
  /** The named types so far: declarations, sorted by name. */
  declarations(): readonly { readonly name: string; readonly text: string }[];
};

export function createTypeWriter(): TypeWriter {
  const named = new Map<string, string>();

  function write(node: Node, place: Place): string {
    if (node.title === undefined) return expression(node, place);
    const name = RENAMED[node.title] ?? node.title;
    declare(name, node, place);
    return name;
  }

  function declare(name: string, node: Node, place: Place): void {
    if (named.has(name)) return;
    named.set(name, '');
    const body = WRITTEN[name] ?? expression(node, place);
    named.set(name, `${comment(node.description)}export type ${name} = ${body};`);
  }

  function expression(node: Node, place: Place): string {
    if (node.$defs !== undefined) for (const [name, definition] of Object.entries(node.$defs)) declare(name, definition, place);
    if (node.$ref !== undefined) return node.$ref;
    // Members of a query string arrive as text, which stands for what is written.
    if (place === 'query' && node['x-written'] !== undefined) return write(node['x-written'], 'json');
    if (node.const !== undefined) return literal(node.const);
    if (node.enum !== undefined) return node.enum.map(literal).join(' | ');
    if (node.anyOf !== undefined) return union(node.anyOf, place);
    switch (node.type) {
      case 'array':
        return `readonly ${bracketed(write(node.items ?? {}, place))}[]`;
      case 'object':
        return object(node, place);
      case 'integer':
        return 'number';
      case 'string':
      case 'number':
      case 'bigint':
      case 'boolean':
      case 'null':
        return node.type;
      case undefined:
        return 'unknown';
      default:
        throw new Error(`a schema of the type ${node.type} has no TypeScript here`);
    }
  }

  function union(branches: readonly Node[], place: Place): string {
    const types = branches.filter(isServed).map((branch) => write(branch, place));
    const members = new Set(types.flatMap((type) => (isPlainUnion(type) ? type.split(' | ') : [type])));
    // Everything is `unknown` already.
    return members.has('unknown') ? 'unknown' : [...members].join(' | ');
  }

  function object({ properties, patternProperties, required = [], additionalProperties }: Node, place: Place): string {
    if (patternProperties !== undefined) {
      const [values = {}] = Object.values(patternProperties);
      const type = write(values, place);
      return type === 'unknown' ? 'JsonObject' : `{ readonly [name: string]: ${type} }`;
    }
    const members = Object.entries(properties ?? {}).filter(([, member]) => isServed(member));
    if (members.length === 0) return additionalProperties === false ? '{ readonly [name: string]: never }' : 'JsonObject';
    return `{\n${members.map(([name, member]) => property(name, member, required.includes(name), place)).join('')}}`;
  }

  function property(name: string, member: Node, isRequired: boolean, place: Place): string {
    const type = write(member, place);
    const key = /^\w+$/.test(name) ? name : literal(name);
    const value = isRequired ? `: ${type}` : type === 'unknown' ? '?: unknown' : `?: ${type} | undefined`;
    const text = `${comment(member.title === undefined ? member.description : undefined)}readonly ${key}${value};\n`;
    return text.replaceAll(/^(?=.)/gm, '  ');
  }

  return {
    write: (schema, place = 'json') => write(schema, place),
    declarations: () => [...named].map(([name, text]) => ({ name, text })).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** False for what no value of this release can be: a feature to come, a union of nothing else, or an object that needs one. */
function isServed(node: Node): boolean {
  if (node['x-not-yet'] !== undefined || node.not !== undefined) return false;
  if (node.anyOf !== undefined) return node.anyOf.some((branch) => branch.type !== 'null' && isServed(branch));
  return (node.required ?? []).every((name) => node.properties?.[name] === undefined || isServed(node.properties[name]));
}

/** Whether splitting at ` | ` gives the branches: nothing is nested. */
function isPlainUnion(type: string): boolean {
  return !/[{(]/.test(type);
}

/** An object alone needs no brackets in front of `[]`; whatever else is of several words does. */
function bracketed(type: string): string {
  return /^\{[^{}]*\}$/.test(type) || !type.includes(' ') ? type : `(${type})`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
}

function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text} */\n`;
}
