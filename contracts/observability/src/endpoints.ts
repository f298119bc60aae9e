/**
 * Every endpoint of the service: one table from which routes, validation, permissions and the OpenAPI document come.
 * The keys are the operation ids.
 */
import type { Static } from '@sextant/foundation-contract';
import type { TSchema } from 'typebox';
import { assetEndpoints } from './endpoints/assets.ts';
import { authEndpoints } from './endpoints/auth.ts';
import { configurationEndpoints, ticketEndpoints } from './endpoints/configurations.ts';
import { deliveryEndpoints } from './endpoints/deliveries.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { incidentCareEndpoints } from './endpoints/incident-care.ts';
import { incidentEndpoints } from './endpoints/incidents.ts';
import { monitorEndpoints, scanEndpoints } from './endpoints/scans.ts';
import { scoreEndpoints } from './endpoints/scores.ts';
import { serviceEndpoints } from './endpoints/service.ts';
import { connectionEndpoints, projectEndpoints } from './endpoints/sources.ts';

export const endpoints = {
  ...serviceEndpoints,
  ...authEndpoints,
  ...projectEndpoints,
  ...connectionEndpoints,
  ...assetEndpoints,
  ...scanEndpoints,
  ...monitorEndpoints,
  ...incidentEndpoints,
  ...incidentCareEndpoints,
  ...ticketEndpoints,
  ...configurationEndpoints,
  ...deliveryEndpoints,
  ...scoreEndpoints,
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

/** What an operation answers. */
export type ResultOf<Id extends OperationId> = MemberOf<Endpoints[Id], 'result'>;

/** The names in braces of a path. */
type ParamsIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsIn<Rest> : never;

/** The path parameters of an operation. */
export type ParamsOf<Id extends OperationId> = { readonly [name in ParamsIn<Endpoints[Id]['path']>]: string };
