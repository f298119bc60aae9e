// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { withExclusiveUnions } from './exclusive-unions.ts';
import type { JsonSchema } from './openapi-schemas.ts';

const text = { type: 'string' };
const numbers = { type: 'array', items: { type: 'number' } };
const strict = (properties: { readonly [name: string]: JsonSchema }, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const tagged = (tag: string) => strict({ type: { type: 'string', enum: [tag] } });

test.each<[string, JsonSchema, JsonSchema]>([
  ['two types', text, { type: 'integer' }],
  ['words that differ', { type: 'string', enum: ['a'] }, { type: 'string', enum: ['b', 'c'] }],
  ['what is null, too', { type: ['string', 'null'] }, numbers],
  ['arrays of two types, one with an item', numbers, { type: 'array', items: numbers, minItems: 1 }],
  ['members that the other refuses', strict({ points: numbers }), strict({ filter: { type: 'object' } })],
  ['tags that differ', tagged('a'), tagged('b')],
  [
    'a member that is none of a map’s values',
    strict({ size: { type: 'integer' } }),
    { type: 'object', additionalProperties: { type: 'object' } },
  ],
  ['the branches of a union, each', { oneOf: [text, { type: 'boolean' }] }, numbers],
  ['what a component says', { $ref: '#/components/schemas/Size' }, text],
])('%s are an either-or', (_, first, second) => {
  expect(written(first, second)).toHaveProperty('oneOf', [first, second]);
  expect(written(second, first)).toHaveProperty('oneOf', [second, first]);
});

test.each<[string, JsonSchema, JsonSchema]>([
  ['integers are numbers', { type: 'integer' }, { type: 'number' }],
  ['a word may have the form of another text', { type: 'string', enum: ['a'] }, text],
  ['an empty array is one of any items', numbers, { type: 'array', items: text }],
  ['no member is needed', strict({ a: text }, []), strict({ b: text }, [])],
  ['members may be added', { type: 'object', required: ['a'] }, { type: 'object', required: ['b'], properties: { b: text } }],
  ['anything is a text, too', {}, text],
])('%s: no either-or', (_, first, second) => {
  expect(written(first, second)).toHaveProperty('anyOf', [first, second]);
});

test('a schema that holds itself is compared to an end', () => {
  const loop = { anyOf: [{ $ref: '#/components/schemas/Loop' }, { $ref: '#/components/schemas/Loop' }] };
  expect(withExclusiveUnions({ components: { schemas: { Loop: loop } } }).components.schemas.Loop).toEqual(loop);
});

function written(first: JsonSchema, second: JsonSchema): JsonSchema | undefined {
  const schemas = { Size: { type: 'integer' }, Union: { anyOf: [first, second] } };
  return withExclusiveUnions({ components: { schemas } }).components.schemas.Union;
}
