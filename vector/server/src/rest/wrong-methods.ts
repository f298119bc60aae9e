// SPDX-License-Identifier: Apache-2.0
/** `Allow` on every path: in the answer to OPTIONS, and in the 405 of a method that the path does not have, wrapped as its own refusals are. */
import { capabilities, type Endpoint, type Method, type Refusal, ServiceError } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const COLLECTION = '/collections/{collection_name}';

/** Runs after every endpoint has its route. */
export function wrongMethods(app: FastifyInstance, routeOf: (path: string) => string): void {
  const methods = methodsByPath();
  const refusals = refusalsByPath();
  for (const [path, own] of methods) {
    // A collection may be called like a fixed path, such as `/collections/aliases`: its methods go to the collection.
    const isCollectionToo = /^\/collections\/[^/{]+$/.test(path);
    const allowed = isCollectionToo ? [...new Set([...own, ...(methods.get(COLLECTION) ?? [])])] : own;
    const sentence = [...allowed].sort().join(', ');
    app.options(routeOf(path), { config: { facts: {} } }, (_request, reply) =>
      reply
        .code(204)
        .header('allow', [...own, 'OPTIONS'].sort().join(', '))
        .send(),
    );
    // HEAD goes where GET does.
    const answered: readonly string[] = [...allowed, 'OPTIONS', ...(allowed.includes('GET') ? ['HEAD'] : [])];
    const method = app.supportedMethods.filter((each) => !answered.includes(each) && !app.hasRoute({ method: each, url: routeOf(path) }));
    if (method.length === 0) continue;
    const handler = (request: FastifyRequest) => {
      throw new ServiceError('method_not_allowed', { method: request.method, path, allowed: sentence });
    };
    // Refused before the body is read.
    app.route({
      method,
      url: routeOf(path),
      config: { facts: { refusal: refusals.get(path) ?? 'envelope' } },
      onRequest: async (request) => handler(request),
      handler,
    });
  }
}

function methodsByPath(): ReadonlyMap<string, readonly Method[]> {
  const rows: readonly { readonly method: Method; readonly path: string }[] = [
    ...Object.values<Endpoint>(endpoints),
    ...capabilities.flatMap((capability) => capability.endpoints),
  ];
  const methods = new Map<string, Method[]>();
  for (const { method, path } of rows) methods.set(path, [...new Set([...(methods.get(path) ?? []), method])]);
  return methods;
}

function refusalsByPath(): ReadonlyMap<string, Refusal> {
  return new Map(Object.values<Endpoint>(endpoints).map(({ path, refusal }) => [path, refusal]));
}
