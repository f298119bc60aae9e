// SPDX-License-Identifier: Apache-2.0
/** The examples of the OpenAPI document, checked by its schemas. */
import { refusalOf } from '@sextant/foundation-contract';
import { conformanceTo } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import type { Endpoint } from './endpoints/endpoint.ts';
import { endpoints } from './endpoints.ts';
import examples from './examples.json' with { type: 'json' };
import { observabilityDocument } from './openapi.ts';

const document = observabilityDocument({ version: '1.2.3' });
const recorded: { readonly [operation: string]: { readonly request?: unknown; readonly response: unknown } } = examples;
const rows = Object.entries<Endpoint>(endpoints);

test('every operation has one, but for a page and the document itself', () => {
  expect(rows.filter(([operation]) => recorded[operation] === undefined).map(([operation]) => operation)).toEqual(['openapi', 'docs']);
  expect(Object.keys(recorded).filter((operation) => !(operation in endpoints))).toEqual([]);
});

test('a request is one that the operation takes', () => {
  for (const [operation, { body, bodyOptional }] of rows) {
    const request = recorded[operation]?.request;
    if (body === undefined || (request === undefined && bodyOptional === true)) continue;
    expect(request, operation).toBeDefined();
    expect(refusalOf(body, request, 'the example'), operation).toBeUndefined();
  }
});

test('an answer is one that the document describes, and stands in it', () => {
  const conformance = conformanceTo(JSON.parse(JSON.stringify(document)) as object);
  for (const [operation, { method, path, media = 'application/json' }] of rows) {
    const example = recorded[operation];
    if (example === undefined) continue;
    const text = media === 'application/json' ? JSON.stringify(example.response) : String(example.response);
    expect(
      conformance.fault({ method, path: path.replaceAll(/[{}]/g, ''), status: 200, contentType: media, text }),
      operation,
    ).toBeUndefined();
    const described = document.paths[path]?.[method.toLowerCase()]?.responses[200]?.content?.[media];
    expect(described?.example, operation).toEqual(example.response);
  }
});
