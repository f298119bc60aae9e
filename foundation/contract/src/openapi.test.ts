// SPDX-License-Identifier: Apache-2.0
import Type from 'typebox';
import { expect, test } from 'vitest';
import { pathParameters, pathsOf, queryParameters } from './openapi.ts';
import { createSchemaWriter } from './openapi-schemas.ts';
import { maybe, notYet, strict } from './schema.ts';

const operation = { operationId: 'a', tags: ['A'], summary: 'A', parameters: [], responses: {} };

test('operations stand by path and method', () => {
  const paths = pathsOf([
    ['/a', 'GET', operation],
    ['/a', 'PUT', { ...operation, operationId: 'b' }],
  ]);
  expect(paths).toEqual({ '/a': { get: operation, put: { ...operation, operationId: 'b' } } });
});

test('the names in braces are parameters', () => {
  expect(pathParameters('/a/{one}/b/{two}c', {}, createSchemaWriter()).map(({ name }) => name)).toEqual(['one', 'two']);
  expect(pathParameters('/a', {}, createSchemaWriter())).toEqual([]);
});

test('the members of a query string are parameters, required as their schema says', () => {
  const query = strict({ name: Type.String(), limit: Type.Optional(Type.String()) });
  expect(queryParameters(query, createSchemaWriter())).toEqual([
    { name: 'name', in: 'query', required: true, schema: { type: 'string' } },
    { name: 'limit', in: 'query', required: false, schema: { type: 'string' } },
  ]);
  expect(queryParameters(undefined, createSchemaWriter())).toEqual([]);
});

test('a schema with a title becomes a component, without what is not served and without own keywords', () => {
  const writer = createSchemaWriter();
  const inner = strict({ size: Type.Integer({ 'x-expected': 'a size' }), later: Type.Optional(notYet('later')) }, { title: 'Inner' });
  const written = writer.write(strict({ inner: maybe(inner), big: Type.BigInt() }));
  expect(written).toMatchObject({
    properties: { inner: { anyOf: [{ $ref: '#/components/schemas/Inner' }, { type: 'null' }] }, big: { type: 'integer', format: 'int64' } },
  });
  expect(writer.components()).toEqual({
    Inner: { type: 'object', additionalProperties: false, required: ['size'], properties: { size: { type: 'integer', format: 'int64' } } },
  });
});
