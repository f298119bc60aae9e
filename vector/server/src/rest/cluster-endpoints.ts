// SPDX-License-Identifier: Apache-2.0
/** Endpoints that need a cluster are refused by name, with what to do on a single node. */
import { clusterEndpoints, type Endpoint, type Method, ServiceError } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';

/** @param guards run before every handler, so that unauthorized callers learn nothing */
export function refuseClusterEndpoints(
  app: FastifyInstance,
  routeOf: (path: string) => string,
  guards: readonly onRequestAsyncHookHandler[],
): void {
  for (const { method, path, instead } of clusterEndpoints) {
    const handler = () => {
      throw new ServiceError('standalone_mode', { endpoint: `${method} ${path}`, instead, allowed: methodsServed(path).join(', ') });
    };
    app.route({ method, url: routeOf(path), config: { facts: {} }, onRequest: [...guards], handler });
  }
}

function methodsServed(path: string): readonly Method[] {
  return Object.values<Endpoint>(endpoints).flatMap((endpoint) => (endpoint.path === path ? [endpoint.method] : []));
}
