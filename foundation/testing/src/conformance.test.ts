// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { type Answered, conformanceTo } from './conformance.ts';

const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const conformance = conformanceTo({
  components: { schemas: { Id: { type: 'integer', minimum: 0, exclusiveMaximum: 2 ** 64 } } },
  paths: {
    '/points/{id}': {
      get: { operationId: 'get_point', responses: { 200: content({ $ref: '#/components/schemas/Id' }), 404: content({ type: 'object' }) } },
    },
    '/points/count': { get: { operationId: 'count', responses: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } } } },
  },
});
const answered: Answered = { method: 'GET', path: '/points/7?x=1', status: 200, contentType: 'application/json; charset=utf-8', text: '7' };

test.each<[string, Partial<Answered>]>([
  ['an answer as it is listed', {}],
  ['the largest id, which a double rounds up', { text: '18446744073709551615' }],
  ['another status that is listed', { status: 404, text: '{}' }],
  ['the fixed path rather than the parameter', { path: '/points/count', contentType: 'text/plain', text: 'many' }],
  ['a path of no operation', { path: '/elsewhere', status: 404, text: 'x' }],
  ['a method that the path does not have', { status: 405, text: 'x' }],
])('nothing is wrong with %s', (_, part) => {
  expect(conformance.fault({ ...answered, ...part })).toBeUndefined();
});

test.each<[Partial<Answered>, string]>([
  [{ status: 500, text: 'oh' }, 'get_point answered 500, which its document does not list: oh'],
  [{ contentType: 'text/html' }, 'get_point answered 200 as text/html, which its document does not list'],
  [{ contentType: null }, 'get_point answered 200 as , which its document does not list'],
  [{ text: '-1' }, 'get_point answered 200 with -1, which its document does not describe'],
  [{ text: '"a"' }, 'data must be integer'],
])('%j is reported', (part, problem) => {
  expect(conformance.fault({ ...answered, ...part })).toContain(problem);
});
