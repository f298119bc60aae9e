// SPDX-License-Identifier: Apache-2.0
/** The examples of the OpenAPI document, checked by its schemas. */
import { refusalOf } from '@sextant/foundation-contract';
import { stringifyJson } from '@sextant/foundation-std';
import { conformanceTo } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { builtCapabilities } from './capabilities.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { endpoints } from './endpoints.ts';
import examples from './examples.json' with { type: 'json' };
import { openApiDocument } from './openapi.ts';

const everything = openApiDocument({ version: '1.2.3', capabilities: new Set(builtCapabilities) });
const recorded: { readonly [operation: string]: { readonly request?: unknown; readonly response: unknown } } = examples;
const rows = Object.entries<Endpoint>(endpoints);

test('every operation has one, but for pages, documents and files', () => {
  const without = rows.filter(([operation]) => recorded[operation] === undefined).map(([operation]) => operation);
  expect(without).toEqual(['openapi', 'docs', 'get_snapshot', 'get_full_snapshot']);
  const unknown = Object.keys(recorded).filter((operation) => !(operation in endpoints));
  expect(unknown).toEqual([]);
});

test('a request is one that the operation takes', () => {
  for (const [operation, { body, upload }] of rows) {
    if (body === undefined || upload !== undefined) continue;
    const request = recorded[operation]?.request;
    expect(request, operation).toBeDefined();
    expect(refusalOf(body, request, 'the example'), operation).toBeUndefined();
  }
});

test('an answer is one that the document describes, and stands in it', () => {
  const conformance = conformanceTo(JSON.parse(stringifyJson(everything)) as object);
  for (const [operation, { method, path, media, envelope }] of rows) {
    const example = recorded[operation];
    if (example === undefined) continue;
    const contentType = envelope === 'text' ? (media ?? 'text/plain') : 'application/json';
    const text = envelope === 'text' ? String(example.response) : JSON.stringify(example.response);
    expect(conformance.fault({ method, path: path.replaceAll(/[{}]/g, ''), status: 200, contentType, text }), operation).toBeUndefined();
    const described = everything.paths[path]?.[method.toLowerCase()]?.responses[200]?.content?.[contentType];
    expect(described?.example, operation).toEqual(example.response);
  }
});
