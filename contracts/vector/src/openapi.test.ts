import { Validator } from '@seriousme/openapi-schema-validator';
import { stringifyJson } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { builtCapabilities, capabilities, isServed } from './capabilities.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { endpoints } from './endpoints.ts';
import { openApiDocument } from './openapi.ts';

const document = openApiDocument({ version: '1.2.3' });
/** As clients read it: what JSON leaves out is not there. */
const written = JSON.parse(stringifyJson(document)) as typeof document;

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(written);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
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
    const all = JSON.parse(
      stringifyJson(openApiDocument({ version: '1.2.3', capabilities: new Set(builtCapabilities) })),
    ) as typeof document;
    for (const [operation, { method, path }] of Object.entries(endpoints)) {
      expect(all.paths[path]?.[method.toLowerCase()]).toMatchObject({ operationId: operation });
    }
    expect((await new Validator().validate(all)).valid).toBe(true);
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
});
