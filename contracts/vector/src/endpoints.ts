/**
 * Every endpoint of the service: one table from which routes, validation, permissions, the OpenAPI document and the SDK come.
 * The keys are the operation ids.
 */
import type { Static, TSchema } from 'typebox';
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

export type OperationId = keyof typeof endpoints;

type MemberOf<Row, Name extends string> = Row extends { readonly [name in Name]: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined;

/** The body of an operation once its schema has let it through. */
export type BodyOf<Id extends OperationId> = (typeof endpoints)[Id] extends { readonly bodyOptional: true }
  ? MemberOf<(typeof endpoints)[Id], 'body'> | undefined
  : MemberOf<(typeof endpoints)[Id], 'body'>;

/** The names in braces of a path. */
type ParamsIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsIn<Rest> : never;

/** The path parameters of an operation. */
export type ParamsOf<Id extends OperationId> = { readonly [name in ParamsIn<(typeof endpoints)[Id]['path']>]: string };

export function isOperationId(name: string): name is OperationId {
  return Object.hasOwn(endpoints, name);
}
