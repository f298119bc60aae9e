// SPDX-License-Identifier: Apache-2.0
import { Validator } from '@seriousme/openapi-schema-validator';
import { descriptionFaults } from '@sextant/foundation-contract';
import { describe, expect, test } from 'vitest';
import { DESCRIPTIONS } from './descriptions/descriptions.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { endpoints } from './endpoints.ts';
import { observabilityDocument } from './openapi.ts';

const document = observabilityDocument({ version: '1.2.3' });
/** As clients read it: what JSON leaves out is not there. */
const written = JSON.parse(JSON.stringify(document)) as typeof document;
const rows = Object.entries<Endpoint>(endpoints);

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(written);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('says of every member and parameter what it means, in a sentence, and has no sentence for what is not there', () => {
    expect(descriptionFaults(written, DESCRIPTIONS)).toEqual([]);
  });

  test('has no component whose name is New and the name of another: the generator for Go calls a constructor so', () => {
    const names = new Set(Object.keys(written.components.schemas));
    expect([...names].filter((name) => names.has(`New${name}`))).toEqual([]);
  });

  test('describes every endpoint under its operation id, and names its other paths', () => {
    for (const [operationId, { method, path, aliases }] of rows) {
      const described = written.paths[path]?.[method.toLowerCase()];
      expect(described).toMatchObject({ operationId });
      for (const alias of aliases) expect(described?.description).toContain(`\`${alias}\``);
    }
  });

  test('declares each parameter of a path once', () => {
    for (const [, { method, path }] of rows) {
      const parameters = written.paths[path]?.[method.toLowerCase()]?.parameters ?? [];
      const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
      expect(named).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
    }
  });

  test('refers only to schemas that it holds, and holds none that nothing refers to', () => {
    const references = [...JSON.stringify(written).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => String(name));
    expect(new Set(references)).toEqual(new Set(Object.keys(written.components.schemas)));
  });

  test('holds no schema under a title that two of them share', () => {
    const titles = new Map<string, string>();
    const collect = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('title' in schema && typeof schema.title === 'string') {
        const text = JSON.stringify(schema);
        expect(titles.get(schema.title) ?? text).toBe(text);
        titles.set(schema.title, text);
      }
      for (const member of Object.values(schema)) collect(member);
    };
    for (const [, { body, query, result }] of rows) for (const schema of [body, query, result]) collect(schema);
    expect(titles.size).toBeGreaterThan(50);
  });

  test('says which answers need a credential, and that they can be refused', () => {
    for (const [, { method, path, needs }] of rows) {
      const described = written.paths[path]?.[method.toLowerCase()];
      if (needs.scope === 'public') expect(described?.security).toEqual([{}]);
      else expect(described?.responses).toMatchObject({ 401: {}, 403: {} });
    }
  });

  test('takes the parameters of a token from the query string, a form or JSON', () => {
    const token = written.paths['/auth/token']?.post;
    expect(token?.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['grant_type', 'username', 'refresh_token']));
    expect(token?.parameters.every(({ required }) => !required)).toBe(true);
    expect(Object.keys(token?.requestBody?.content ?? {})).toEqual(['application/json', 'application/x-www-form-urlencoded']);
  });
});
