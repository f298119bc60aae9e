// SPDX-License-Identifier: Apache-2.0
/** The connections of the tenant. One is global, or of a project; the service has an endpoint for each. */
import type { Connection, ObservabilityClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';
import { refreshing } from './services/query-client.ts';

const CONNECTIONS_KEY = ['observability', 'connections'];
const LISTED = 1_000;
/** Object stores: what reports can be written to. */
const STORES = ['S3', 'GCS', 'AZURE'];

export function connectionList(client: ObservabilityClient) {
  return queryOptions({ queryKey: CONNECTIONS_KEY, queryFn: ({ signal }) => client.listConnections({ signal }) });
}

/** Global ones to object stores. */
export function storeList(client: ObservabilityClient) {
  return queryOptions({
    queryKey: [...CONNECTIONS_KEY, 'stores'],
    queryFn: async ({ signal }) =>
      (await client.listConnections({ signal })).filter(({ scope, type }) => scope === 'GLOBAL' && STORES.includes(type)),
  });
}

/** What a connection offers: files, tables, collections. */
export function connectionItems(client: ObservabilityClient, { id, scope, project_id: projectId }: Connection) {
  return queryOptions({
    queryKey: [...CONNECTIONS_KEY, id, 'items'],
    queryFn: ({ signal }) =>
      scope === 'GLOBAL'
        ? client.listConnectionItems({ connection_id: id, limit: LISTED }, { signal })
        : client.listProjectConnectionItems({ project_id: projectId, connection_id: id, limit: LISTED }, { signal }),
  });
}

export type ConnectionChange = {
  readonly name: string;
  readonly payload: ConnectionValues;
  readonly credential?: { readonly type: string; readonly payload: ConnectionValues };
};

/** What is filled in for the fields of a connection. */
export type ConnectionValues = { readonly [field: string]: string | number | boolean };

export function updateConnection(
  client: ObservabilityClient,
  { id, scope, project_id: projectId }: Connection,
  change: ConnectionChange,
): Promise<Connection> {
  if (scope === 'GLOBAL') return client.updateConnection({ connection_id: id, ...change });
  return client.updateProjectConnection({ project_id: projectId, connection_id: id, ...change });
}

export function testConnection(client: ObservabilityClient, { id, scope, project_id: projectId }: Connection) {
  if (scope === 'GLOBAL') return client.testConnection({ connection_id: id });
  return client.testProjectConnection({ project_id: projectId, connection_id: id });
}

export function deleteConnection(client: ObservabilityClient, { id, scope, project_id: projectId }: Connection) {
  if (scope === 'GLOBAL') return client.deleteConnection({ connection_id: id });
  return client.deleteProjectConnection({ project_id: projectId, connection_id: id });
}

export const refreshConnections = refreshing(CONNECTIONS_KEY);
