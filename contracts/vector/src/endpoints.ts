/**
 * Every endpoint of the service: one table from which routes, validation, permissions, the OpenAPI document and the SDK come.
 * The keys are the operation ids.
 */
import type { Static } from '@sextant/foundation-contract';
import type { TSchema } from 'typebox';
import { aliasEndpoints } from './endpoints/aliases.ts';
import { authEndpoints } from './endpoints/auth.ts';
import { capabilityEndpoints } from './endpoints/capability-reads.ts';
import { collectionEndpoints } from './endpoints/collections.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { maintenanceEndpoints } from './endpoints/maintenance.ts';
import { pointReadEndpoints } from './endpoints/point-reads.ts';
import { pointWriteEndpoints } from './endpoints/point-writes.ts';
import { serviceEndpoints } from './endpoints/service.ts';
import { snapshotEndpoints } from './endpoints/snapshots.ts';

export const endpoints = {
  ...serviceEndpoints,
  ...collectionEndpoints,
  ...pointWriteEndpoints,
  ...pointReadEndpoints,
  ...capabilityEndpoints,
  ...aliasEndpoints,
  ...maintenanceEndpoints,
  ...snapshotEndpoints,
  ...authEndpoints,
} as const satisfies { readonly [operation: string]: Endpoint };

export type Endpoints = typeof endpoints;
export type OperationId = keyof Endpoints;

type MemberOf<Row, Name extends string> = Row extends { readonly [name in Name]: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined;

/** The body of an operation once its schema has let it through. */
export type BodyOf<Id extends OperationId> = Endpoints[Id] extends { readonly bodyOptional: true }
  ? MemberOf<Endpoints[Id], 'body'> | undefined
  : MemberOf<Endpoints[Id], 'body'>;

/** The query string of an operation, each member as text. */
export type QueryOf<Id extends OperationId> = MemberOf<Endpoints[Id], 'query'>;

/** What an operation answers, without its envelope. */
export type ResultOf<Id extends OperationId> = MemberOf<Endpoints[Id], 'result'>;

/** The names in braces of a path. */
type ParamsIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsIn<Rest> : never;

/** The path parameters of an operation. */
export type ParamsOf<Id extends OperationId> = { readonly [name in ParamsIn<Endpoints[Id]['path']>]: string };

export function isOperationId(name: string): name is OperationId {
  return Object.hasOwn(endpoints, name);
}
