// SPDX-License-Identifier: Apache-2.0
/** Schemas and values in words, for sentences such as "expected an array of numbers, got a string". */
import type { SchemaNode } from './explain.ts';

const SHOWN_CHARACTERS = 40;

export function describe(schema: SchemaNode): string {
  if (schema['x-expected'] !== undefined) return schema['x-expected'];
  if (schema.anyOf !== undefined) return describeUnion(schema.anyOf);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return listed(schema.enum.map((value) => JSON.stringify(value)));
  switch (schema.type) {
    case 'array':
      return schema.items === undefined ? 'an array' : `an array of ${pluralOf(schema.items)}`;
    case 'object':
      return describeObject(schema);
    case 'integer':
    case 'number':
      return describeNumber(schema, schema.type);
    case 'bigint':
      return 'an integer';
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'string':
      return 'a string';
    default:
      return schema.$ref === undefined ? 'a value' : 'an object';
  }
}

/** A value in a few words; a long string is cut. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  switch (typeof value) {
    case 'string':
      return value.length > SHOWN_CHARACTERS
        ? `the string ${JSON.stringify(value.slice(0, SHOWN_CHARACTERS))}…`
        : `the string ${JSON.stringify(value)}`;
    case 'object':
      return 'an object';
    case 'number':
      return Number.isFinite(value) ? String(value) : 'a number that is too large';
    case 'boolean':
    case 'bigint':
      return value.toString();
    default:
      return 'a value that JSON cannot represent';
  }
}

function describeUnion(branches: readonly SchemaNode[]): string {
  const words = branches.filter((branch) => branch['x-not-yet'] === undefined && branch.type !== 'null').map(describe);
  return listed([...new Set(words)].filter((word, _, all) => word !== 'an integer' || !all.some((other) => other.startsWith('a number'))));
}

function describeObject(schema: SchemaNode): string {
  const [first, ...others] = Object.keys(schema.properties ?? {});
  if (first !== undefined && others.length === 0) return `{"${first}": …}`;
  if (schema.patternProperties !== undefined) {
    const [member] = Object.values(schema.patternProperties);
    return member === undefined || Object.keys(member).length === 0 ? 'an object' : `an object of named ${pluralOf(member)}`;
  }
  const needed = (schema.required ?? []).map((name) => `\`${name}\``);
  return needed.length === 0 ? 'an object' : `an object with ${needed.join(' and ')}`;
}

function describeNumber(schema: SchemaNode, type: string): string {
  const noun = type === 'integer' ? 'an integer' : 'a number';
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) return `${noun} from ${minimum} to ${maximum}`;
  return minimum === undefined ? noun : `${noun} of at least ${minimum}`;
}

function pluralOf(schema: SchemaNode): string {
  if (schema['x-plural'] !== undefined) return schema['x-plural'];
  const word = describe(schema);
  if (word.startsWith('a number')) return 'numbers';
  if (word.startsWith('an object')) return 'objects';
  const known: { readonly [singular: string]: string } = { 'a string': 'strings', 'an integer': 'integers' };
  if (word.startsWith('an array of ')) return word.replace(/^an array/, 'arrays').replace(/ or .*/, '');
  return known[word] ?? 'items';
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? 'nothing';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
