// SPDX-License-Identifier: Apache-2.0
/** Health, metrics and documentation: what the server says about itself. */
import Type from 'typebox';
import { clusterStatusSchema } from '../cluster-schemas.ts';
import { telemetrySchema } from '../telemetry-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { metricsQuery, noQuery, removePeerQuery, telemetryQuery } from './query-strings.ts';

const shared = {
  tag: 'Service',
  method: 'GET',
  needs: 'none',
  thread: 'serving',
  errors: [],
  failure: 'internal',
  refusal: 'envelope',
} as const;

export const serviceEndpoints = {
  root: {
    ...shared,
    path: '/',
    summary: 'Title and version',
    envelope: 'bare',
    result: Type.Object(
      {
        title: Type.String(),
        version: Type.String({
          description: 'The revision of the published API that this server implements; clients compare it with their own.',
        }),
        product_version: Type.String({ description: 'The version of this server.' }),
      },
      { title: 'VersionInfo' },
    ),
  },
  healthz: { ...shared, path: '/healthz', summary: 'Alive', envelope: 'text', result: Type.String() },
  livez: { ...shared, path: '/livez', summary: 'Alive', envelope: 'text', result: Type.String() },
  readyz: {
    ...shared,
    path: '/readyz',
    summary: 'Ready to serve; 503 until then',
    envelope: 'text',
    result: Type.String(),
    refusals: { 503: { description: 'Not ready yet, or shutting down', schema: Type.String(), media: 'text/plain' } },
  },
  metrics: {
    ...shared,
    path: '/metrics',
    summary: 'Metrics in the text format of Prometheus',
    needs: 'read',
    envelope: 'text',
    query: metricsQuery,
    result: Type.String(),
  },
  telemetry: {
    ...shared,
    path: '/telemetry',
    summary: 'Telemetry of the service; details_level from 0 to 4 adds details',
    needs: 'read',
    envelope: 'result',
    query: telemetryQuery,
    result: telemetrySchema,
  },
  cluster: {
    ...shared,
    path: '/cluster',
    summary: 'Whether the server is part of a cluster; in a cluster, the nodes and their positions in the log',
    needs: 'read',
    thread: 'writer',
    envelope: 'result',
    query: noQuery,
    result: clusterStatusSchema,
  },
  remove_peer: {
    ...shared,
    method: 'DELETE',
    path: '/cluster/peer/{peer_id}',
    summary: 'Remove a node that is permanently lost, so that the log no longer keeps entries for it',
    needs: 'write',
    thread: 'writer',
    envelope: 'result',
    query: removePeerQuery,
    result: Type.Boolean(),
    errors: ['standalone_mode', 'peer_not_found', 'peer_alive', 'peer_has_shards'],
  },
  issues: {
    ...shared,
    path: '/issues',
    summary: 'Settings of collections that are not in effect as configured',
    needs: 'read',
    envelope: 'result',
    query: noQuery,
    result: Type.Object(
      { issues: Type.Array(Type.Object({ collection: Type.String(), description: Type.String() }, { title: 'Issue' })) },
      { title: 'Issues' },
    ),
  },
  clear_issues: {
    ...shared,
    method: 'DELETE',
    path: '/issues',
    summary:
      'Accepted for clients that clear issues; has no effect, because issues are detected at each request and disappear with their cause',
    needs: 'write',
    thread: 'writer',
    envelope: 'result',
    query: noQuery,
    result: Type.Boolean(),
  },
  openapi: {
    ...shared,
    path: '/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document',
    needs: 'read',
    envelope: 'bare',
    result: Type.Object({}),
  },
  docs: {
    ...shared,
    path: '/docs',
    summary: 'This API as a web page',
    needs: 'read',
    envelope: 'text',
    media: 'text/html',
    result: Type.String(),
  },
} as const satisfies Record<string, Endpoint>;
