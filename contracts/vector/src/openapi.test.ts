// SPDX-License-Identifier: Apache-2.0
import { Validator } from '@seriousme/openapi-schema-validator';
import { descriptionFaults } from '@sextant/foundation-contract';
import { stringifyJson } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { builtCapabilities, capabilities, isServed } from './capabilities.ts';
import { DESCRIPTIONS } from './descriptions/descriptions.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { endpoints } from './endpoints.ts';
import { openApiDocument } from './openapi.ts';
import { UINT64_MAX } from './point-id-forms.ts';

const document = openApiDocument({ version: '1.2.3' });
/** As clients read it: what JSON leaves out is not there. */
const written = JSON.parse(stringifyJson(document)) as typeof document;

/** With every capability. */
const everything = JSON.parse(
  stringifyJson(openApiDocument({ version: '1.2.3', capabilities: new Set(builtCapabilities) })),
) as typeof document;

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(written);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('says of every member and parameter what it means, in a sentence, and has no sentence for what is not there', () => {
    expect(descriptionFaults(everything, DESCRIPTIONS)).toEqual([]);
  });

  test('has no component whose name is New and the name of another: the generator for Go calls a constructor so', () => {
    const names = new Set(Object.keys(written.components.schemas));
    expect([...names].filter((name) => names.has(`New${name}`))).toEqual([]);
  });

  test('describes every endpoint under its operation id', () => {
    for (const [operation, { method, path }] of Object.entries<Endpoint>(endpoints).filter(([, row]) => isServed(row, new Set()))) {
      expect(written.paths[path]?.[method.toLowerCase()]).toMatchObject({ operationId: operation });
    }
  });

  test('says of every capability that is off that it answers 501', () => {
    for (const { method, path } of capabilities.flatMap((capability) => capability.endpoints)) {
      expect(written.paths[path]?.[method.toLowerCase()]).toMatchObject({ responses: { 501: {} } });
    }
  });

  test('describes what is switched on, and nothing of it as missing', async () => {
    for (const [operation, { method, path }] of Object.entries(endpoints)) {
      expect(everything.paths[path]?.[method.toLowerCase()]).toMatchObject({ operationId: operation });
    }
    expect((await new Validator().validate(everything)).valid).toBe(true);
  });

  test('gives each operation an id of its own', () => {
    const ids = Object.values(written.paths).flatMap((item) =>
      Object.values(item).map((each) => (each as { operationId: string }).operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('refers only to schemas that it holds', () => {
    const references = [...JSON.stringify(written).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(100);
    for (const name of references) expect(written.components.schemas).toHaveProperty(String(name));
  });

  test('leaves out what this release does not serve', () => {
    const text = JSON.stringify(written.components.schemas);
    for (const feature of ['x-not-yet', 'bigint']) expect(text).not.toContain(`"${feature}"`);
    expect(text).toContain('"nearest"');
  });

  test('types every number of a query string as a number', () => {
    const numbers = Object.entries<Endpoint>(endpoints).flatMap(([operation, { method, path, query }]) =>
      membersOf(query)
        .filter(([, schema]) => (schema['x-written'] as { type?: unknown } | undefined)?.type === 'integer')
        .map(([name]) => ({ operation, method, path, name })),
    );
    // Wherever a request may say how long it waits, and where details are asked for.
    expect(new Set(numbers.map(({ name }) => name))).toEqual(new Set(['timeout', 'details_level', 'completed_limit']));
    expect(numbers.length).toBeGreaterThan(30);
    for (const { operation, method, path, name } of numbers) {
      const parameters = everything.paths[path]?.[method.toLowerCase()]?.parameters;
      const schema = parameters?.find((parameter) => parameter.in === 'query' && parameter.name === name)?.schema;
      expect({ operation, name, schema }).toEqual({ operation, name, schema: { ...schema, type: 'integer', format: 'int32' } });
      expect(schema).not.toHaveProperty('pattern');
    }
  });

  test('has dense vectors as arrays of numbers', () => {
    expect(everything.components.schemas.DenseVector).toMatchObject({ type: 'array', items: { type: 'number', format: 'float' } });
    for (const name of ['Vector', 'VectorInput']) {
      const { oneOf } = everything.components.schemas[name] as { readonly oneOf: readonly unknown[] };
      expect(oneOf).toContainEqual({ $ref: '#/components/schemas/DenseVector' });
    }
  });

  test('has ids up to 2^64 - 1', () => {
    // Read as text: numbers of JavaScript have no such id. The bound is the exclusive one, which generators of clients do not round.
    expect(stringifyJson(document.components.schemas.PointId)).toContain(`"minimum":0,"exclusiveMaximum":${UINT64_MAX + 1n}`);
  });

  test('says in a pattern what collections may be called', () => {
    const named = Object.values(everything.paths).flatMap((item) =>
      Object.values(item).flatMap(({ parameters }) => parameters.filter(({ name }) => name === 'collection_name')),
    );
    expect(named.length).toBeGreaterThan(40);
    for (const { schema } of named) {
      const pattern = new RegExp(String(schema.pattern), 'u');
      for (const name of ['books', 'a b', 'Bücher', '...', 'x'.repeat(255)]) expect([name, pattern.test(name)]).toEqual([name, true]);
      for (const name of ['', '.', '..', 'a/b', 'a\\b', 'a\nb', 'x'.repeat(256)]) expect([name, pattern.test(name)]).toEqual([name, false]);
    }
  });

  test('has the answers that are not like the others: the refused login, and the page', () => {
    expect(written.paths['/auth/admin/login']?.post?.responses[401]?.content).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/LoginRefusal' } },
    });
    expect(written.components.schemas.LoginRefusal).toMatchObject({ required: ['token', 'message', 'expires_in'] });
    expect(written.paths['/docs']?.get?.responses[200]?.content).toEqual({ 'text/html': { schema: { type: 'string' } } });
  });

  test('says `oneOf` of every union with a name, but for those of which a value may be two', () => {
    const unions = Object.entries(everything.components.schemas).filter(([, schema]) => 'oneOf' in schema || 'anyOf' in schema);
    expect(unions.length).toBeGreaterThan(30);
    expect(unions.flatMap(([name, schema]) => ('anyOf' in schema ? [name] : []))).toEqual([
      // Its second form has members of its own choice, `vectors` among them.
      'CollectionTelemetry',
      // A range without bounds is one of numbers and one of dates.
      'Range',
      // An empty array is a vector and a list of vectors.
      'VectorOutput',
      // A whole number is a number.
      'StartFrom',
    ]);
  });

  test('needs dense or sparse vectors of a collection that is created', () => {
    const creation = everything.components.schemas.CreateCollection;
    expect({ required: creation?.required ?? [], if: creation?.if, else: creation?.else }).toEqual({
      required: [],
      if: { required: ['vectors'] },
      else: { required: ['sparse_vectors'] },
    });
  });
});

/** What a query string may hold, by name. */
function membersOf(query: Endpoint['query']): readonly (readonly [name: string, schema: Readonly<Record<string, unknown>>])[] {
  const { properties = {} } = (query ?? {}) as { readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  return Object.entries(properties);
}
