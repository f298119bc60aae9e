// SPDX-License-Identifier: Apache-2.0
import { prepareSchema } from '@sextant/foundation-contract';
import { endpointRows } from './routes.ts';

/** Compiles the schemas of every endpoint, so that no request waits for it. */
export function prepareSchemas(): void {
  for (const { endpoint } of endpointRows) {
    if (endpoint.body !== undefined) prepareSchema(endpoint.body);
    if (endpoint.query !== undefined) prepareSchema(endpoint.query);
  }
}
