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
  failure: 'internal',
  refusal: 'envelope',
} as const;
const text = { ...shared, envelope: 'text', result: Type.String() } as const;
const read = { ...shared, needs: 'read', envelope: 'result' } as const;
const removal = { ...shared, method: 'DELETE', needs: 'write', thread: 'writer', envelope: 'result', result: Type.Boolean() } as const;

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
  healthz: { ...text, path: '/healthz', summary: 'Alive' },
  livez: { ...text, path: '/livez', summary: 'Alive' },
  readyz: {
    ...text,
    path: '/readyz',
    summary: 'Ready to serve; 503 until then',
    refusals: { 503: { description: 'Not ready yet, or shutting down', schema: Type.String(), media: 'text/plain' } },
  },
  metrics: {
    ...text,
    path: '/metrics',
    summary: 'Metrics in the text format of Prometheus',
    needs: 'read',
    query: metricsQuery,
  },
  telemetry: {
    ...read,
    path: '/telemetry',
    summary: 'Telemetry of the service; details_level from 0 to 4 adds details',
    query: telemetryQuery,
    result: telemetrySchema,
  },
  cluster: {
    ...read,
    path: '/cluster',
    summary: 'Whether the server is part of a cluster; in a cluster, the nodes and their positions in the log',
    thread: 'writer',
    query: noQuery,
    result: clusterStatusSchema,
  },
  remove_peer: {
    ...removal,
    path: '/cluster/peer/{peer_id}',
    summary: 'Remove a node that is permanently lost, so that the log no longer keeps entries for it',
    query: removePeerQuery,
    errors: ['standalone_mode', 'peer_not_found', 'peer_alive', 'peer_has_shards'],
  },
  issues: {
    ...read,
    path: '/issues',
    summary: 'Settings of collections that are not in effect as configured',
    query: noQuery,
    result: Type.Object(
      { issues: Type.Array(Type.Object({ collection: Type.String(), description: Type.String() }, { title: 'Issue' })) },
      { title: 'Issues' },
    ),
  },
  clear_issues: {
    ...removal,
    path: '/issues',
    summary:
      'Accepted for clients that clear issues; has no effect, because issues are detected at each request and disappear with their cause',
    query: noQuery,
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
    ...text,
    path: '/docs',
    summary: 'This API as a web page',
    needs: 'read',
    media: 'text/html',
  },
} as const satisfies Record<string, Endpoint>;
