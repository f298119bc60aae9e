// SPDX-License-Identifier: Apache-2.0
/**
 * Every endpoint of the service: one table from which routes, validation, permissions and the OpenAPI document come.
 * The keys are the operation ids.
 */
import type { EndpointBody, EndpointParams, EndpointQuery, EndpointResult } from '@sextant/foundation-contract';
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
import { wrongCellEndpoints } from './endpoints/wrong-cells.ts';

export const endpoints = {
  ...serviceEndpoints,
  ...authEndpoints,
  ...projectEndpoints,
  ...connectionEndpoints,
  ...assetEndpoints,
  ...scanEndpoints,
  ...monitorEndpoints,
  ...wrongCellEndpoints,
  ...incidentEndpoints,
  ...incidentCareEndpoints,
  ...ticketEndpoints,
  ...configurationEndpoints,
  ...deliveryEndpoints,
  ...scoreEndpoints,
} as const satisfies { readonly [operation: string]: Endpoint };

export type Endpoints = typeof endpoints;
export type OperationId = keyof Endpoints;

export type BodyOf<Id extends OperationId> = EndpointBody<Endpoints, Id>;
export type QueryOf<Id extends OperationId> = EndpointQuery<Endpoints, Id>;
export type ResultOf<Id extends OperationId> = EndpointResult<Endpoints, Id>;
export type ParamsOf<Id extends OperationId> = EndpointParams<Endpoints, Id>;
