// SPDX-License-Identifier: Apache-2.0
/**
 * Every endpoint of the service: one table from which routes, validation, permissions, the OpenAPI document and the SDK come.
 * The keys are the operation ids.
 */
import type { EndpointBody, EndpointParams, EndpointQuery, EndpointResult } from '@sextant/foundation-contract';
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

export type BodyOf<Id extends OperationId> = EndpointBody<Endpoints, Id>;
export type QueryOf<Id extends OperationId> = EndpointQuery<Endpoints, Id>;
export type ResultOf<Id extends OperationId> = EndpointResult<Endpoints, Id>;
export type ParamsOf<Id extends OperationId> = EndpointParams<Endpoints, Id>;

export function isOperationId(name: string): name is OperationId {
  return Object.hasOwn(endpoints, name);
}
