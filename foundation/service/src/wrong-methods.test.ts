// SPDX-License-Identifier: Apache-2.0
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { NO_SCHEMAS } from './no-schemas.ts';
import { answerWrongMethods } from './wrong-methods.ts';

const PATHS = [
  { path: '/', methods: ['GET'] },
  { path: '/things', methods: ['GET', 'POST'] },
  { path: '/things/{id}', methods: ['GET', 'DELETE'] },
  { path: '/things/search', methods: ['POST'] },
  { path: '/things/names', methods: ['GET'], allowed: ['GET', 'DELETE'] },
  { path: '/things/{id}/v1.json', methods: ['GET'] },
  { path: '/things/{id}:copy', methods: ['POST'] },
];
const routeOf = (path: string) => path.replace('{id}:copy', ':id(^[^/]+?)::copy').replaceAll(/\{(\w+)\}/g, ':$1');

const app = fastify({ schemaController: NO_SCHEMAS, routerOptions: { ignoreTrailingSlash: true } });
app.setErrorHandler((error: Error, request, reply) => reply.code(405).send(`${request.wrongMethodOn}: ${error.message}`));
app.addContentTypeParser('*', (_request, _payload, done) => done(new Error('the body was read')));
for (const { path, methods } of PATHS)
  app.route({ method: methods, url: routeOf(path), handler: async ({ params }) => `${path} ${JSON.stringify(params)}` });
answerWrongMethods(app, { paths: PATHS, routeOf, refusal: ({ method, path, allowed }) => new Error(`${method} ${path} has ${allowed}`) });

test.each([
  ['PUT', '/', '/: PUT / has GET'],
  ['PUT', '/things', '/things: PUT /things has GET, POST'],
  ['PATCH', '/things/?a=/b', '/things: PATCH /things has GET, POST'],
  ['POST', '/things/1%2F2', '/things/{id}: POST /things/{id} has DELETE, GET'],
  ['PROPFIND', '/%74hings/1', '/things/{id}: PROPFIND /things/{id} has DELETE, GET'],
  ['HEAD', '/things/1:copy', ''],
  ['PUT', '/things/1:copy', '/things/{id}:copy: PUT /things/{id}:copy has POST'],
  ['PUT', '/things/1/v1.json', '/things/{id}/v1.json: PUT /things/{id}/v1.json has GET'],
  // Methods that the path with a parameter has, and this one does not.
  ['GET', '/things/search', '/things/search: GET /things/search has POST'],
  ['DELETE', '/things/search', '/things/search: DELETE /things/search has POST'],
  ['HEAD', '/things/search', ''],
] as const)('%s %s is refused before its body is read, with the methods of the path', async (method, url, refusal) => {
  const reply = await app.inject({ method: method as 'PUT', url, headers: { 'content-type': 'text/plain' }, payload: 'never read' });
  expect([reply.statusCode, reply.body]).toEqual([405, refusal]);
});

test.each([
  ['DELETE', '/things/names', '/things/{id} {"id":"names"}'],
  ['GET', '/things/1', '/things/{id} {"id":"1"}'],
  ['GET', '/things/search/v1.json', '/things/{id}/v1.json {"id":"search"}'],
] as const)('%s %s is answered', async (method, url, text) => {
  expect((await app.inject({ method, url })).body).toBe(text);
});

test.each([
  ['/things', 'GET, OPTIONS, POST'],
  ['/things/names', 'GET, OPTIONS'],
  ['/things/1', 'DELETE, GET, OPTIONS'],
])('OPTIONS %s is answered with its methods', async (url, allow) => {
  const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url });
  expect([statusCode, headers.allow]).toEqual([204, allow]);
});

test.each(['/nothing', '/things/1/v1xjson', '/things/1/2/3'])('%s has no methods', async (url) => {
  expect((await app.inject({ method: 'OPTIONS', url })).statusCode).toBe(404);
});
