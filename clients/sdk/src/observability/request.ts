// SPDX-License-Identifier: Apache-2.0
/** The request of an operation as one flat object of path parameters, query parameters and body members. The tenant is the client's. */
import type { ObservabilityOperations } from '../contract/observability-types.ts';

export type OperationId = keyof ObservabilityOperations;

export type ResultOf<Id extends OperationId> = ObservabilityOperations[Id]['result'];

type Part<Value> = [Value] extends [undefined] ? unknown : Exclude<Value, undefined>;

export type RequestOf<Id extends OperationId> = Part<WithoutTenant<ObservabilityOperations[Id]['params']>> &
  Part<ObservabilityOperations[Id]['query']> &
  Part<ObservabilityOperations[Id]['body']>;

type WithoutTenant<Params> = [Params] extends [undefined] ? undefined : Omit<Params, 'tenant'>;
