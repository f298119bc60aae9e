// SPDX-License-Identifier: Apache-2.0
/** What the service says about itself, and the tenants of the platform. */
import Type from 'typebox';
import { createdTenantSchema, createTenantSchema, restoreAdminSchema, tenantSchema } from '../tenancy-schemas.ts';
import { answer } from '../value-schemas.ts';
import { type Endpoint, needs } from './endpoint.ts';

const about = { method: 'GET', aliases: [], tag: 'Service', needs: needs.public } as const;
const platform = { aliases: [], tag: 'Platform', needs: needs.platform } as const;
const health = answer('Health', { status: Type.String() });
const readiness = answer('Readiness', {
  status: Type.String(),
  read_only: Type.Optional(Type.String({ description: 'Why writes are refused at the moment; absent if they are accepted.' })),
});

export const serviceEndpoints = {
  healthz: { ...about, path: '/healthz', summary: 'Check that the process is alive', result: health },
  readyz: {
    ...about,
    path: '/readyz',
    summary: 'Check whether requests are served',
    result: readiness,
    errors: ['shutting_down', 'store_unavailable'],
  },
  metrics: { ...about, path: '/metrics', summary: 'Metrics in the text format of Prometheus', result: Type.String(), media: 'text/plain' },
  openapi: { ...about, path: '/openapi.json', summary: 'This document', result: Type.Object({}) },
  docs: { ...about, path: '/docs', summary: 'This document as a web page', result: Type.String(), media: 'text/html' },
  list_tenants: {
    ...platform,
    method: 'GET',
    path: '/platform/tenants',
    summary: 'List the tenants',
    result: Type.Array(tenantSchema),
  },
  create_tenant: {
    ...platform,
    method: 'POST',
    path: '/platform/tenants',
    summary: 'Create a tenant and its first admin; a password that is not given is chosen and shown this once',
    body: createTenantSchema,
    result: createdTenantSchema,
    errors: ['conflict'],
  },
  restore_admin: {
    ...platform,
    method: 'POST',
    path: '/platform/tenants/admin',
    summary: 'Restore an admin of a tenant: reset the password and role of a user, or create a new one',
    body: restoreAdminSchema,
    result: createdTenantSchema,
    errors: ['tenant_not_found'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };
