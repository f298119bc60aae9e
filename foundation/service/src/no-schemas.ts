// SPDX-License-Identifier: Apache-2.0
import type { FastifyServerOptions } from 'fastify';

function refuse(): never {
  throw new Error('a route has a schema of the framework');
}

/** No route has a schema of the framework: bodies come raw, and operations read them. So its compilers, which take long to load, are not loaded. */
export const NO_SCHEMAS: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
};
